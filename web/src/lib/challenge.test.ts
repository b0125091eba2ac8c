import { describe, expect, it } from 'vitest'

import { botsWords, dayWords, gameWords, headline, resultWords, signedWorth, skillWords, standingWords, timeLeft, todayWords, worthWords } from './challenge'
import type { Challenge, ChallengeTry, Column, ColumnAccount } from './types'

const person = { kind: 'person', name: '', bot: '' } as const
const bot = (name: string, level: string) => ({ kind: 'bot', name, bot: level }) as const

function column(name: string, account: Partial<ColumnAccount> | null): Column {
  const whole = {
    unit: 'points',
    exact: true,
    start: 200,
    luck: 0,
    losses: 0,
    gifts: 0,
    result: 200,
    error: 0,
    decisions: 10,
    accuracy: 100,
    rating: '',
    ...account,
  }
  return { name, finished: true, score: 0, scores: [0], place: 1, turns: [], account: account && whole }
}

describe('what a challenge is', () => {
  it('says the game and who else plays', () => {
    expect(gameWords({ title: 'Kismet', seats: [person] })).toBe('Kismet, alone')
    expect(gameWords({ title: 'KOR, Keep On Rollin’', seats: [person, bot('Otto', 'casual')] })).toBe('KOR against Otto, a casual bot')
    expect(gameWords({ title: 'KOR', seats: [bot('Otto', 'expert'), person] })).toBe('KOR against Otto, an expert bot')
    expect(gameWords({ title: 'KOR', seats: [person, bot('Otto', 'expert'), bot('Momo', 'casual')] })).toBe('KOR against Otto and Momo, 2 bots')
  })

  it('counts bots', () => {
    expect([botsWords('casual', 1), botsWords('optimal', 1), botsWords('casual', 3)]).toEqual(['a casual bot', 'an optimal bot', '3 casual bots'])
  })

  it('says whose it is, to whoever asks', () => {
    const challenge = { daily: false, maker: 'Ann', name: 'k3x9w7fm' } as Challenge
    expect(headline(challenge, '')).toBe('Ann challenges you')
    expect(headline(challenge, 'Ben')).toBe('Ann’s challenge')
    expect(headline(challenge, 'Ann')).toBe('Your challenge')
    expect(headline({ ...challenge, daily: true, maker: '', name: '2026-11-18' }, 'Ann')).toBe('The challenge of 18 November')
    expect(dayWords('2026-02-01')).toBe('1 February')
  })

  it('says on the first page how it stands today', () => {
    const alone = { title: 'Kismet', seats: [person], mine: 0, tries: [] as unknown } as Challenge
    const finished = (number: number, rank: number): ChallengeTry => ({
      number,
      name: 'X',
      standing: 'finished',
      result: { rank, score: 1, scores: [1], place: 1 },
    })
    expect(todayWords(alone)).toBe('Kismet, alone: be the first')
    expect(todayWords({ ...alone, tries: [{ number: 1, name: 'X', standing: 'finished', result: null }] })).toBe('Kismet, alone: 1 has played')
    expect(todayWords({ ...alone, mine: 1, tries: [{ number: 1, name: 'X', standing: 'playing', result: null }] })).toBe('Kismet, alone: your game goes on')
    expect(todayWords({ ...alone, mine: 2, tries: [finished(1, 1), finished(2, 2)] })).toBe('Kismet, alone: you are 2nd of 2')
    expect(todayWords({ ...alone, mine: 1, tries: [finished(1, 12)] })).toBe('Kismet, alone: you are 12th of 1')
  })

  it('says how long it goes on', () => {
    const at = Date.parse('2026-11-18T20:00:00Z')
    expect(timeLeft('2026-11-19T00:00:00Z', at)).toBe('4 hours')
    expect(timeLeft('2026-11-18T21:01:00Z', at)).toBe('1 hour and 1 minute')
    expect(timeLeft('2026-11-18T20:00:20Z', at)).toBe('1 minute')
    expect(timeLeft('2026-11-25T20:00:00Z', at)).toBe('7 days')
    expect(timeLeft('2026-11-17T20:00:00Z', at)).toBe('0 minutes')
  })
})

describe('results', () => {
  it('counts points alone, and says who won against bots', () => {
    expect(resultWords([241], 1, 0)).toBe('241 points')
    expect(resultWords([1], 1, 0)).toBe('1 point')
    expect(resultWords([5250, 6100], 2, 0)).toBe('lost, 5,250 to 6,100')
    expect(resultWords([5250, 6100], 1, 1)).toBe('won, 6,100 to 5,250')
    expect(resultWords([50, 10], 0, 0)).toBe('50 to 10')
  })

  it('says what became of the others', () => {
    expect(['playing', 'finished', 'given up', 'late'].map((standing) => standingWords({ standing } as never))).toEqual([
      'still playing',
      '',
      'given up',
      'ended too late',
    ])
  })

  it('writes values in their unit', () => {
    expect(worthWords(0.0812, 'win probability')).toBe('8.1%')
    expect(worthWords(-3.25, 'points')).toMatch(/^−3\.[23] points$/)
    expect([signedWorth(2, 'points'), signedWorth(-2, 'points'), signedWorth(-0.01, 'points'), signedWorth(0.01, 'points')]).toEqual([
      '+2.0',
      '−2.0',
      '0.0',
      '0.0',
    ])
  })
})

describe('luck and skill', () => {
  it('says who chose better, and what the dice brought besides', () => {
    const you = column('You', { losses: 3.2, luck: 24.2, result: 221 })
    const ann = column('Ann', { losses: 11.8, luck: 11.8, result: 200 })
    expect(skillWords(you, ann)).toBe(
      'The dice were the same: your choices gave away 3.2 points, Ann’s 11.8 points, so you played better by 8.6 points. ' +
        'What the same dice happened to bring is worth 12.4 points to you.',
    )
    expect(skillWords(ann, you, 'Ben')).toContain('so Ben played better by 8.6 points')
  })

  it('adds up to the difference of the results', () => {
    const [one, two] = [
      { start: 0.5, losses: 0.2, result: 0 },
      { start: 0.5, losses: 0.05, result: 1 },
    ]
    const words = skillWords(column('You', { unit: 'win probability', ...one }), column('Ann', { unit: 'win probability', ...two }))
    const [, skill, luck] = /better by ([\d.]+)%.*worth ([\d.]+)%/.exec(words) ?? []
    expect(Number(skill) + Number(luck)).toBeCloseTo(100 * (two.result - one.result), 9)
  })

  it('calls nothing better within the error', () => {
    const words = skillWords(column('You', { losses: 3, result: 197, error: 0.5 }), column('Ann', { losses: 3.3, result: 196.7 }))
    expect(words).toContain('Ann’s 3.3 points, which is too close to tell from estimates. Luck made no difference.')
  })

  it('says that nobody played better where that is certain', () => {
    expect(skillWords(column('You', { losses: 3 }), column('Ann', { losses: 3 }))).toContain('so nobody played better.')
  })

  it('speaks of the best play as of no person', () => {
    const words = skillWords(column('You', { losses: 5, result: 190 }), column('Best play', { losses: 0, result: 205 }))
    expect(words).toContain('the best play’s 0.0 points, so the best play played better by 5.0 points.')
    expect(words).toMatch(/ worth 10\.0 points to the best play\.$/)
  })

  it('says nothing without values', () => {
    expect(skillWords(column('You', null), column('Ann', {}))).toBe('')
  })
})

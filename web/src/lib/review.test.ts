import { describe, expect, it } from 'vitest'

import { cardOf, fitted, headline, wrapped } from './card'
import {
  changeWords,
  ladderOf,
  linesOf,
  luckVerdict,
  pathOf,
  rangeOf,
  reasonsOf,
  spread,
  stepFrom,
  turnsOf,
  turnsPlayed,
  valueWords,
  type Alternative,
  type EventReport,
  type Report,
  type SeatReport,
} from './review'
import { placeOf, reviewPath } from './router.svelte'

const CHANCE = 'win probability'

function event(number: number, more: Partial<EventReport> = {}): EventReport {
  return {
    event: number, seat: 0, kind: 'roll', turn: 0, text: '', told: '', position: '', judged: true, exact: true, error: 0, before: [], after: [], luck: [],
    loss: 0, loss_error: 0, gifts: [], choices: 0, at_stake: 0, quality: '', best: '', alternatives: [], ...more,
  } // prettier-ignore
}

function seat(number: number, more: Partial<SeatReport> = {}): SeatReport {
  return {
    seat: number, name: ['Ann', 'Ben'][number] ?? '', kind: 'person', start: 0.5, result: number ? 0 : 1, luck: 0.3, losses: 0.1, gifts: 0.3, remainder: 0,
    remainder_error: 0, luck_adjusted: 0.7, decisions: 1, average_loss: 0, accuracy: 90, qualities: {}, rating: null, points_luck: null, ...more,
  } // prettier-ignore
}

function report(more: Partial<Report> = {}): Report {
  return {
    game: 'pig', options: '', players: 2, unit: CHANCE, finished: true, exact: true, error: 0, done: 1, seats: [seat(0), seat(1, { luck_adjusted: 0.3 })],
    events: [], moments: [], ...more,
  } // prettier-ignore
}

function move(text: string, ...prospects: Alternative['prospects']): Alternative {
  return { text, doing: text, value: 0, error: 0, behind: 0, behind_error: 0, tied: false, prospects }
}

describe('figures', () => {
  it('are as fine as they are known', () => {
    expect(valueWords(0.54321, CHANCE)).toBe('54.3%')
    expect(valueWords(0.54321, CHANCE, 0.02)).toBe('54%')
    expect(valueWords(1234.56, 'points')).toBe('1,234.6')
  })

  it('have their sign, and none if they round to nothing', () => {
    expect(changeWords(0.043, CHANCE)).toBe('+4.3%')
    expect(changeWords(-2, 'points')).toBe('−2.0')
    expect(changeWords(-0.0001, CHANCE)).toBe('±0%')
  })
})

describe('turns', () => {
  const events = [
    { turn: 0, seat: 0, luck: [0.1, -0.1] },
    { turn: 0, seat: 0, luck: [0, 0] },
    { turn: 1, seat: 1, luck: [0.2, -0.2] },
  ]

  it('add up the luck of whoever had them', () => {
    expect(turnsOf(events)).toEqual([
      { first: 0, last: 1, seat: 0, luck: 0.1 },
      { first: 2, last: 2, seat: 1, luck: -0.2 },
    ])
  })

  it('are found without a report by their first rolls and their players', () => {
    const played = [true, false, true, false].map((fresh, at) => ({ seat: at < 3 ? 0 : 1, fresh }))
    expect(turnsPlayed(played).map(({ first, last }) => [first, last])).toEqual([
      [0, 1],
      [2, 2],
      [3, 3],
    ])
  })

  it('are stepped through from end to end', () => {
    const turns = turnsOf(events)
    expect([0, 1, 2, 3].map((at) => stepFrom(at, 1, 3, turns))).toEqual([2, 2, 3, 3])
    expect([0, 1, 2, 3].map((at) => stepFrom(at, -1, 3, turns))).toEqual([0, 0, 0, 2])
    expect([0, 3].map((at) => [stepFrom(at, -1, 3, null), stepFrom(at, 1, 3, null)])).toEqual([
      [0, 1],
      [2, 3],
    ])
  })
})

describe('lines', () => {
  it('go from before the first event to after the last, and break where nothing is known', () => {
    const found = linesOf(
      report({ events: [event(0, { before: [0.5, 0.5], after: [0.6, 0.4] }), event(1, { judged: false }), event(2, { before: [0.7, 0.3], after: [1, 0] })] }),
    )
    expect(found[0]).toEqual([0.5, 0.6, 0.7, 1])
    expect(pathOf([0.5, null, 1], { low: 0, high: 1 })).toBe('M0 50M2 0')
    expect(rangeOf([[100, 200, null]], 'points')).toEqual({ low: 92, high: 208 })
    expect(rangeOf([[null]], CHANCE)).toEqual({ low: 0, high: 1 })
  })

  it('have signs at their ends that do not lie on each other', () => {
    expect(spread([50, 50, 10], 20, 100)).toEqual([50, 70, 10])
    expect(spread([100, 98], 20, 100)).toEqual([100, 80])
    const many = spread(Array.from({ length: 8 }, () => 100), 16, 100).sort((one, other) => one - other) // prettier-ignore
    expect(many[0]).toBeGreaterThanOrEqual(-1e-9)
    expect(many[7]).toBe(100)
  })
})

describe('reasons', () => {
  const points = (name: string, value: number, error = 0) => ({ name, words: `in ${name}`, unit: 'points' as const, value, error })

  it('are the differences in the game’s own terms, the largest first', () => {
    const made = move('keep 5 5 2', points('Kismet', 4), points('Straight', 2.3), points('Fives', 9.97))
    const best = move('keep 5 5', points('Kismet', 6.1), points('Straight', 2), points('Fives', 10))
    expect(reasonsOf(made, best)).toEqual(['+2.1 in Kismet', '−0.3 in Straight'])
  })

  it('leave out what an estimate cannot tell', () => {
    expect(reasonsOf(move('a', points('Kismet', 4, 3)), move('b', points('Kismet', 6, 3)))).toEqual([])
  })

  it('say chances in hundredths', () => {
    const bust = (value: number) => ({ name: 'bust', words: 'risk of a bust', unit: 'chance' as const, value, error: 0 })
    expect(reasonsOf(move('pass', bust(0)), move('roll', bust(0.25)))).toEqual(['+25.0% risk of a bust'])
  })
})

describe('the ladder', () => {
  it('leads from the start to the result', () => {
    const rungs = ladderOf(seat(0), report())
    expect(rungs.map(({ label, shown }) => [label, shown])).toEqual([
      ['At the start', '50.0%'],
      ['Luck', '+30.0%'],
      ['Own mistakes', '−10.0%'],
      ['Mistakes of others', '+30.0%'],
      ['Result', '100.0%'],
    ])
    expect(rungs[3]?.to).toBeCloseTo(rungs[4]?.to ?? 0)
  })

  it('shows what estimates leave open, with its error', () => {
    const rungs = ladderOf(seat(0, { gifts: 0.26, remainder: 0.04, remainder_error: 0.05 }), report({ exact: false, error: 0.01 }))
    expect(rungs[4]).toMatchObject({ label: 'Left by estimates', shown: '+4%', note: '± 5%' })
    expect(rungs[4]?.to).toBeCloseTo(1)
  })
})

describe('what luck made of a game', () => {
  it('is said of whoever won', () => {
    expect(luckVerdict(report())).toBe('Ann earned it: with average luck still 70.0% to win, and Ben 30.0%.')
    expect(luckVerdict(report({ seats: [seat(0, { luck_adjusted: 0.4 }), seat(1, { luck_adjusted: 0.6 })] }))).toMatch(
      /^Luck decided: with average luck Ben would have had 60.0% to win, and Ann 40.0%/,
    )
  })

  it('names no chance below none or above certainty', () => {
    const far = (ann: number) => report({ seats: [seat(0, { luck_adjusted: ann }), seat(1, { luck_adjusted: 1 - ann })] })
    expect(luckVerdict(far(-0.616))).toBe('Luck decided: with average luck Ben would have won.')
    expect(luckVerdict(far(1.2))).toBe('Ann earned it, and would have won with average luck as well.')
    expect(valueWords(-0.616, CHANCE)).toBe('−61.6%')
  })

  it('is open within the error of estimates', () => {
    const seats = [seat(0, { luck_adjusted: 0.49, remainder_error: 0.05 }), seat(1, { luck_adjusted: 0.51 })]
    expect(luckVerdict(report({ exact: false, seats }))).toBe('With average luck it would have been open: 49% to win for Ann, 51% for Ben.')
  })
})

describe('the card', () => {
  const facts = {
    title: 'Pig',
    accent: '#123456',
    onAccent: '#ffffff',
    winners: [0],
    scores: [50, 20],
    report: report({ events: [event(0, { before: [0.5, 0.5], after: [1, 0] })] }),
  }

  it('says who won, and holds no markup of a name', () => {
    expect(headline(facts)).toBe('Ann beats Ben')
    const named = { ...facts, report: report({ seats: [seat(0, { name: '</script><b>&"' }), seat(1)] }) }
    expect(cardOf(named)).not.toMatch(/<\/script>|<b>/)
  })

  it('has room for what it says', () => {
    expect(fitted('Bartholomew the Great', 100, 20)).toBe('Bartholo…')
    expect(wrapped('one two three', 8)).toEqual(['one two', 'three'])
  })
})

describe('addresses', () => {
  it('name a game and a moment of it', () => {
    expect(placeOf(reviewPath('k3x9', 2, 17))).toEqual({ page: 'review', table: 'k3x9', game: 2, at: 17 })
    expect(placeOf('/t/k3x9/1/review')).toEqual({ page: 'review', table: 'k3x9', game: 1, at: null })
    for (const path of ['/t/k3x9/1/review/x', '/t/k3x9/0/review', '/t/k3x9/1/view', '/t/k3x9/1/review/1/2']) expect(placeOf(path).page).toBe('nowhere')
  })
})

import { describe, expect, it } from 'vitest'

import { challengeOf, checkDice, turnRoll, type Kinds, type Verdict } from './fair'
import { readRecord } from './record'

const SECRET = Uint8Array.from({ length: 32 }, (_, at) => at)
const PARTS = ['hotdice turns 2', 'k3x9', '1:ann-1', '2:b0b']
const NUMBERS: Kinds = [['1', '2', '3', '4', '5', '6']]
const DICE: Record<string, Kinds> = {
  kor: [['S', 'D', 'U', '25', '50', '100']],
  bj: NUMBERS,
  kismet: NUMBERS,
  pig: NUMBERS,
  rollers: [
    ['1', '2', '3', '4', '5', '*'],
    ['b1', 'b2', 'b3', 'b4', 'b5', 'zap'],
  ],
}

// Games that the Python implementation played.
const SAME_KOR = `hotdice record 1
game: kor(target=1500)
date: 2026-11-18
seat 1: P0 (greedy)
seat 2: P1 (greedy)
dice: fair2-same k3x9 630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f 1:ann-1 2:b0b

1 rolls S 25 50 50 50 100
1 rolls S U U 100 100
1 rolls S U U 50
1 rolls 25 25 50
1 rolls D 100
1 rolls U
2 rolls S 25 50 50 50 100
2 rolls S U U 100 100
2 rolls S U U 50
2 rolls 25 25 50
2 rolls D 100
2 rolls U
1 rolls D U 25 50 100 100
1 rolls S S D U 50
1 rolls U 25 25 100
1 rolls 25 50 100
1 rolls S 25
1 rolls S
2 rolls D U 25 50 100 100
2 rolls S S D U 50
2 rolls U 25 25 100
2 rolls 25 50 100
2 rolls S 25
2 rolls S
1 rolls S D U U U 25
1 target 2
2 rolls S S D 50 50 50
2 rolls 25 25 50 100 100
2 rolls S D 100 100
2 rolls S U 25
2 rolls 25 50
2 rolls 50
2 rolls S S 25 25 100 100
2 rolls D D 50 100 100
2 rolls S S 25 100
2 rolls U U 100
2 rolls S 50
2 rolls 50
2 rolls S S U 25 50 100
2 rolls S 25 50 100 100
2 rolls S D D 50
2 rolls S 100 100
2 rolls U 50
2 rolls U
2 rolls S D U U U 25
2 target 1
1 rolls S S D 50 50 50
1 rolls 25 25 50 100 100
1 rolls S D 100 100
1 rolls S U 25
1 rolls 25 50
1 rolls 50
1 rolls S S 25 25 100 100
1 rolls D D 50 100 100
1 rolls S S 25 100
1 rolls U U 100
1 rolls S 50
1 rolls 50
1 rolls S S U 25 50 100
1 rolls S 25 50 100 100
result: unfinished
`

const SAME_ROLLERS = `hotdice record 1
game: rollers
date: 2026-11-18
seat 1: P0 (greedy)
seat 2: P1 (greedy)
dice: fair2-same k3x9 630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f 1:ann-1 2:b0b

1 rolls 2
2 rolls *
2 rolls 1 4 5 5 * b4
2 keep 1 4 * b4
2 rolls * *
2 stop
2 apply 1 4 4 4 4 4
1 rolls 1 4 5 5 * b4
1 keep 1 4 * b4
1 rolls * *
1 stop
1 apply 1 4 4 4 4 4
2 rolls 3 4 5 * * b2
2 keep 3 * *
2 rolls 1 2 zap
2 keep 3 * *
2 rolls 4 * zap
2 apply 3 3 3
1 rolls 3 4 5 * * b2
1 keep 3 * *
1 rolls 1 2 zap
1 keep 3 * *
1 rolls 4 * zap
1 apply 3 3 3
result: unfinished
`

const TURNS_KISMET = `hotdice record 1
game: kismet
date: 2026-11-18
seat 1: P0 (greedy)
seat 2: P1 (greedy)
dice: fair2-turns k3x9 630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f 1:ann-1 2:b0b

1 rolls 2
2 rolls 1
1 rolls 2 4 5 5 6
1 keep 5 5
1 rolls 3 3 4
1 keep 5 5
1 rolls 3 4 4
1 score yarborough
2 rolls 1 2 3 4 6
2 keep 6
2 rolls 1 2 5 6
2 keep 6 6
2 rolls 2 3 5
2 score yarborough
1 rolls 1 2 3 4 6
1 keep 6
1 rolls 2 4 6 6
1 keep 6 6 6
1 rolls 2 4
1 score three-of-a-kind
2 rolls 1 2 3 4 5
2 score straight
1 rolls 1 2 3 4 4
1 keep 4 4
result: unfinished
`

const SAME_BJ = `hotdice record 1
game: bj(target=800)
date: 2026-11-18
seat 1: P0 (greedy)
seat 2: P1 (greedy)
dice: fair2-same k3x9 630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f 1:ann-1 2:b0b

1 rolls 1 4 5 5 5 6
1 pass
2 rolls 1 4 5 5 5 6
2 pass
1 rolls 2 3 4 5 6 6
1 roll
1 rolls 1 1 2 3 5
1 pass
2 rolls 2 3 4 5 6 6
2 roll
2 rolls 1 1 2 3 5
2 roll
2 rolls 4 6
result: winner 1; scores 900 600
`

const GAMES = { SAME_KOR, SAME_ROLLERS, TURNS_KISMET, SAME_BJ }

function check(text: string): Extract<Verdict, { kind: 'checked' }> {
  const record = readRecord(text)
  const verdict = checkDice(record, DICE[record.game] ?? null)
  if (verdict.kind !== 'checked') throw new Error(verdict.told)
  return verdict
}

describe('dice by turns', () => {
  // The vectors of docs/fair-dice.md, whose digests are those of OpenSSL.
  it('show what the digests of another program give', () => {
    const first = { occasion: 'turn', number: 1, roll: 1 }
    expect(turnRoll(SECRET, PARTS, NUMBERS, [5], 'all', first)).toEqual(['1', '4', '5', '5', '6'])
    const off = { occasion: 'roll-off', number: 2, roll: 1 }
    expect(turnRoll(SECRET, PARTS, NUMBERS, [1], 'all', off)).toEqual([String((0x6a29700d % 6) + 1)])
    const second = { occasion: 'turn', number: 3, roll: 2 }
    expect(turnRoll(SECRET, PARTS, DICE.rollers ?? [], [0, 1], 'all', second)).toEqual([DICE.rollers?.[1]?.[0x3313d9fd % 6]])
  })

  it.each(Object.entries(GAMES))('are found right in %s', (_, text) => {
    const verdict = check(text)
    expect(verdict.rolls.filter((roll) => !roll.right)).toEqual([])
    expect(verdict).toMatchObject({ right: true, fair: true })
    const told = text.includes('fair2-same') ? 'the same for everybody' : 'whoever plays this again'
    expect(verdict.steps.some((step) => step.told.includes(told))).toBe(true)
  })

  it.each(Object.entries(GAMES))('are found wrong in %s once a roll is another', (_, text) => {
    const lines = text.split('\n')
    const at = lines.findLastIndex((line) => / rolls /.test(line))
    const faces = lines[at]?.split(' ').slice(2) ?? []
    const kinds = DICE[readRecord(text).game] ?? []
    const others = kinds[0]?.filter((face) => face !== faces[0]) ?? []
    const altered = others.map((face) => [
      ...lines.slice(0, at),
      [...(lines[at]?.split(' ').slice(0, 2) ?? []), face, ...faces.slice(1)].join(' '),
      ...lines.slice(at + 1),
    ])
    expect(altered.filter((each) => !check(each.join('\n')).right).length).toBeGreaterThanOrEqual(others.length - 2)
  })

  it.each(Object.entries(GAMES))('are not those of the other kinds in %s', (_, text) => {
    for (const kind of ['fair2', 'fair2-same', 'fair2-turns'].filter((each) => !text.includes(`dice: ${each} `))) {
      expect(check(text.replace(/dice: \S+/, `dice: ${kind}`)).right).toBe(false)
    }
  })

  it.each(Object.entries(GAMES))('with turns exchanged are found out in %s', (_, text) => {
    const lines = text.split('\n')
    const rolls = lines.flatMap((line, at) => (/ rolls /.test(line) ? [at] : []))
    const [one, other] = [rolls.at(2) ?? 0, rolls.findLast((at) => lines[at] !== lines[rolls[2] ?? 0]) ?? 0]
    const faces = (at: number) => lines[at]?.split(' ').slice(2).join(' ')
    const head = (at: number) => lines[at]?.split(' ').slice(0, 2).join(' ')
    const swapped = lines.with(one, `${head(one)} ${faces(other)}`).with(other, `${head(other)} ${faces(one)}`)
    expect(check(swapped.join('\n')).right).toBe(false)
  })
})

describe('dice of a challenge', () => {
  // Played by the Python implementation: with the string of whoever made the challenge, and with none.
  const ANSWER = `hotdice record 1
game: pig(target=12)
date: 2026-11-18
seat 1: Ben (greedy)
seat 2: Otto (greedy)
dice: fair2-turns challenge-k3x9w7fm 630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f 1:ann-1

1 rolls 3
1 roll
1 rolls 4
1 roll
1 rolls 2
1 roll
1 rolls 4
1 hold
result: winner 1; scores 13 0
`
  const DAILY = `hotdice record 1
game: pig(target=12)
date: 2026-11-18
seat 1: Ben (greedy)
seat 2: Otto (greedy)
dice: fair2-turns daily-2026-11-18 630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f

1 rolls 2
1 roll
1 rolls 4
1 roll
1 rolls 6
1 hold
result: winner 1; scores 12 0
`
  const seen = { promise: '630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd', drawn: [], mine: [0], brokenOff: false, continued: false }

  function check(text: string) {
    const record = readRecord(text)
    const table = record.dice.kind === 'fair' ? record.dice.table : ''
    return checkDice(record, DICE.pig ?? null, { ...seen, table, rolls: record.rolls.map((roll) => roll.faces.join(' ')) })
  }

  it('are known by their name', () => {
    expect(['challenge-k3x9w7fm', 'daily-2026-11-18', 'k3x9w7fm', 'k3x9w7fm-2'].map((table) => challengeOf({ table }))).toEqual([
      'k3x9w7fm',
      '2026-11-18',
      '',
      '',
    ])
  })

  it('follow from the secret for whoever plays them later, who had no share in them', () => {
    const verdict = check(ANSWER)
    expect(verdict).toMatchObject({ kind: 'checked', right: true, fair: true, shared: false })
    expect(verdict.kind === 'checked' && verdict.doubts.join()).toMatch(
      /^This browser had no share in these dice: they were drawn before, for whoever made the challenge/,
    )
  })

  it('are the server’s own where they are those of a day', () => {
    const verdict = check(DAILY)
    expect(verdict).toMatchObject({ kind: 'checked', right: true, fair: false })
    expect(verdict.kind === 'checked' && verdict.doubts).toEqual([expect.stringMatching(/^The server drew these dice alone.*all had the same\.$/)])
  })

  it('are found out where a roll was changed', () => {
    const lines = ANSWER.split('\n')
    const at = lines.findIndex((line) => line.startsWith('1 rolls'))
    lines[at] = lines[at] === '1 rolls 6' ? '1 rolls 5' : '1 rolls 6'
    expect(check(lines.join('\n'))).toMatchObject({ right: false })
  })

  it('keep their secret when the game is over but the challenge is not', () => {
    const hidden = ANSWER.replace(/(630d\w+) \w+/, '$1 hidden')
    expect(check(hidden)).toMatchObject({ kind: 'nothing', told: expect.stringContaining('once the challenge is over') as string })
  })
})

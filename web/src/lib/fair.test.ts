import { describe, expect, it } from 'vitest'

import { checkDice, commitment, countsOf, fairNumber, kindsOf, rollAt, sealOf, waysOf, type Kinds, type Sealed, type Seen, type Verdict } from './fair'
import { readRecord, type GameRecord } from './record'

const SECRET = Uint8Array.from({ length: 32 }, (_, at) => at)
const HASH = '630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd'
const PARTS = ['hotdice dice 2', 'k3x9', '1:ann-1', '2:b0b']
const OLD = ['hotdice dice 1', 'k3x9', 'ann-1', 'b0b']

const ROAD: Kinds = [['S', 'D', 'U', '25', '50', '100']]
const NUMBERS: Kinds = [['1', '2', '3', '4', '5', '6']]
const TWO_KINDS: Kinds = [
  ['1', '2', '3', '4', '5', '*'],
  ['b1', 'b2', 'b3', 'b4', 'b5', 'zap'],
]
const UNEVEN: Kinds = [
  ['a', 'b', 'c', 'd'],
  ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'],
  ['heads', 'tails'],
]
const DICE: Record<string, Kinds> = { kor: ROAD, bj: NUMBERS, rollers: TWO_KINDS }

describe('the scheme', () => {
  it('commits to the secret, as sha256sum prints it', () => {
    expect(commitment(SECRET)).toBe(HASH)
  })

  it('seals a string, as OpenSSL hashes it', () => {
    expect(sealOf('k3x9', HASH, 0, 'ann-1')).toBe('31f50fe4494c27b3e350891e616cf0a74d44503ed6e9e1ec242d0b40b211f464')
    expect(sealOf('k3x9', HASH, 1, 'b0b')).toBe('60ab081a16b265a5761c53bc4eb28a357762bd4427e224dda06d12cbd568996b')
  })

  // The vectors of docs/fair-dice.md and tests/test_fair.py, whose digests are those of OpenSSL.
  it.each([
    [PARTS, 1, 46656, 35280],
    [PARTS, 1, 3_000_000_001, 1276450128],
    [PARTS, 5, 3_000_000_001, 1068788175],
    [PARTS, 7, 7776, 0x4d78e27a % 7776],
    [OLD, 1, 46656, 26365],
    [OLD, 3, 3_000_000_001, 1211770763],
    [OLD, 7, 7776, 0x288f312e % 7776],
  ])('gives for %j in roll %i of %i ways the number %i', (parts, roll, total, number) => {
    expect(fairNumber(SECRET, parts, roll, total)).toBe(number)
  })

  it('counts every part of the message', () => {
    const base = fairNumber(SECRET, PARTS, 1, 2 ** 32)
    expect(fairNumber(SECRET.toReversed(), PARTS, 1, 2 ** 32)).not.toBe(base)
    expect(fairNumber(SECRET, PARTS.toReversed(), 1, 2 ** 32)).not.toBe(base)
    expect(fairNumber(SECRET, PARTS.slice(1), 1, 2 ** 32)).not.toBe(base)
    expect(fairNumber(SECRET, PARTS, 2, 2 ** 32)).not.toBe(base)
  })

  it('chooses among 1 to 2^32 ways', () => {
    expect(fairNumber(SECRET, PARTS, 1, 1)).toBe(0)
    for (const total of [0, -1, 2 ** 32 + 1]) expect(() => fairNumber(SECRET, PARTS, 1, total)).toThrow(RangeError)
  })
})

describe('places', () => {
  it('are in ascending order, as many for a roll as there are ways to throw it', () => {
    // Two road dice, as the Python implementation lists them with their weights.
    const listed =
      'S S x1,S D x2,S U x2,S 25 x2,S 50 x2,S 100 x2,D D x1,D U x2,D 25 x2,D 50 x2,D 100 x2,U U x1,U 25 x2,U 50 x2,U 100 x2,25 25 x1,25 50 x2,25 100 x2,50 50 x1,50 100 x2,100 100 x1'
    const places = listed.split(',').flatMap((entry) => {
      const [roll = '', ways] = entry.split(' x')
      return Array<string>(Number(ways)).fill(roll)
    })
    expect(Array.from({ length: 36 }, (_, place) => rollAt(ROAD, [2], place).join(' '))).toEqual(places)
  })

  it.each([
    ['one kind', NUMBERS, [3]],
    ['one kind', NUMBERS, [5]],
    ['two kinds', TWO_KINDS, [2, 1]],
    ['two kinds', TWO_KINDS, [0, 1]],
    ['dice with other numbers of faces', UNEVEN, [3, 0, 0]],
    ['dice with other numbers of faces', UNEVEN, [2, 2, 2]],
    ['dice with other numbers of faces', UNEVEN, [0, 3, 1]],
  ])('of %s are all that can be thrown, sorted', (_, kinds, counts) => {
    // Every way that the dice can fall, one die after the other; each sorted by the ranks of its faces, and then all of them.
    const ranks = new Map(kinds.flat().map((face, rank) => [face, rank]))
    let falls: number[][] = [[]]
    for (const [at, count] of counts.entries()) {
      for (let die = 0; die < count; die += 1) falls = falls.flatMap((fall) => (kinds[at] ?? []).map((face) => [...fall, ranks.get(face) ?? -1]))
    }
    const sorted = falls.map((fall) => fall.sort((one, other) => one - other))
    sorted.sort((one, other) => one.map((rank, at) => rank - (other[at] ?? 0)).find((difference) => difference) ?? 0)
    expect(waysOf(kinds, counts)).toBe(sorted.length)
    const found = sorted.map((_, place) => rollAt(kinds, counts, place).map((face) => ranks.get(face)))
    expect(found).toEqual(sorted)
  })

  it('are found at once among very many', () => {
    const kinds = [Array.from({ length: 20 }, (_, at) => `${at + 1}`)]
    expect(waysOf(kinds, [7])).toBe(20 ** 7)
    expect(rollAt(kinds, [7], 0)).toEqual(Array(7).fill('1'))
    expect(rollAt(kinds, [7], 7)).toEqual([...Array<string>(6).fill('1'), '2'])
    expect(rollAt(kinds, [7], 20 ** 7 - 1)).toEqual(Array(7).fill('20'))
  })

  // Rolls 1 to 8 of the vectors' table, by the Python implementation.
  it.each([
    [ROAD, [1], ['D', 'U', '100', 'U', 'D', 'S', 'U', 'U']],
    [ROAD, [3], ['S S 100', '50 100 100', 'S 25 100', 'D 25 50', 'D D 25', 'D 25 25', 'S 50 100', 'S 50 50']],
    [
      ROAD,
      [6],
      ['S U U 25 50 100', 'S S D D U 100', 'S D U U 25 50', 'D D D 50 100 100', 'S D U U U 50', 'S D U U 25 50', 'D 25 25 50 100 100', '25 50 50 100 100 100'],
    ],
    [NUMBERS, [4], ['1 3 3 6', '3 3 4 6', '2 4 4 5', '1 1 4 5', '1 3 5 6', '2 4 5 6', '1 2 3 6', '3 4 5 6']],
    [NUMBERS, [6], ['1 3 3 4 5 6', '1 1 2 2 3 6', '1 2 3 3 4 5', '2 2 2 5 6 6', '1 2 3 3 3 5', '1 2 3 3 4 5', '2 4 4 5 6 6', '4 5 5 6 6 6']],
    [TWO_KINDS, [5, 1], ['1 4 4 * * b3', '1 1 2 3 * zap', '1 2 4 4 * zap', '2 2 5 5 * b4', '1 2 4 4 5 b5', '1 2 4 5 5 b1', '3 3 4 5 * b1', '5 5 5 * * b3']],
    [TWO_KINDS, [2, 1], ['1 2 b4', '* * b3', '2 3 b3', '3 4 b2', '2 5 b1', '3 4 b1', '2 4 b2', '2 3 b5']],
    [TWO_KINDS, [3, 0], ['1 1 *', '5 * *', '1 4 *', '2 4 5', '2 2 4', '2 4 4', '1 5 *', '1 5 5']],
  ])('of %j with %j dice', (kinds, counts, rolls) => {
    const found = rolls.map((_, at) => rollAt(kinds, counts, fairNumber(SECRET, OLD, at + 1, waysOf(kinds, counts))).join(' '))
    expect(found).toEqual(rolls)
  })

  it('go by the codes of the faces, whatever order the server has them in', () => {
    const face = (code: number, text: string) => ({ code, text, name: text })
    const dice = [
      { name: 'black', faces: [face(12, 'b2'), face(11, 'b1')] },
      { name: 'white', faces: [face(3, 'c'), face(1, 'a'), face(2, 'b')] },
    ]
    expect(kindsOf(dice)).toEqual([
      ['a', 'b', 'c'],
      ['b1', 'b2'],
    ])
  })

  it('are for the dice of the game only', () => {
    expect(countsOf(ROAD, ['S', '7'])).toBeNull()
    expect(countsOf([], ['1'])).toBeNull()
    expect(countsOf(TWO_KINDS, ['1', '*', 'zap'])).toEqual([2, 1])
  })
})

// Games that the Python implementation played, with the second game's name of the vectors' table.
const BJ = `hotdice record 1
game: bj(target=300)
date: 2026-11-15
seat 1: P0 (greedy)
seat 2: P1 (greedy)
seat 3: P2 (greedy)
dice: fair k3x9-2 630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f ann-1 b0b

1 rolls 1 2 5 5 6 6
1 roll
1 rolls 1 3 6
1 pass
2 rolls 2 3 3 5 5 6
2 roll
2 rolls 1 3 4 5
2 pass
3 rolls 3 3 3 4 4 6
3 roll
3 rolls 3 3 6
1 rolls 2 3 3 4 5 5
1 roll
1 rolls 3 4 5 6
1 roll
1 rolls 5 5 6
1 roll
1 rolls 1
1 roll
1 rolls 3 3 6 6 6 6
1 pass
2 rolls 1 4 5 5 5 6
2 roll
2 rolls 2 2
3 rolls 1 4 6 6 6 6
3 roll
3 rolls 1 5
3 roll
3 rolls 1 3 4 5 6 6
3 roll
3 rolls 2 2 3 4
result: winner 1; scores 1750 250 500
`
const KOR = `hotdice record 1
game: kor(target=500)
date: 2026-11-15
seat 1: P0 (greedy)
seat 2: P1 (greedy)
dice: fair k3x9-2 630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f ann-1 b0b

1 rolls S D 50 50 100 100
1 rolls S S D D D
2 rolls D U U 50 50 100
2 rolls S D D U 100
2 rolls S S D U
1 rolls S S D U 50 100
1 rolls D 25 25 25 100
1 rolls U 25 50 100
1 rolls 50 50 100
1 rolls D 100
1 rolls U
result: winner 1; scores 500 200
`
const ROLLERS = `hotdice record 1
game: rollers(target_points=1)
date: 2026-11-15
seat 1: P0 (greedy)
seat 2: P1 (greedy)
dice: fair k3x9-2 630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f ann-1 b0b

1 rolls 2
2 rolls 2
1 rolls 5
2 rolls 4
1 rolls 3 4 4 4 5 b1
1 keep 4 4 4 b1
1 rolls 2 4
1 stop
1 apply 1 4 4 4 4
2 rolls 2 3 5 5 * b5
2 keep 5 5 * b5
2 rolls 2 4
2 keep 2 *
2 rolls 2 3 4 b1
2 apply 1 2 2 2
1 rolls 1 3 4 4 4 zap
1 keep none
1 rolls 3 4 5 * * b4
1 keep 3 4 * *
1 rolls 2 b2
1 apply 1 2 2 2 4
2 rolls 2 2 4 * * zap
2 keep none
2 rolls 2 2 3 5 * b3
2 keep 3 * b3
2 rolls 1 5 5
2 apply 1 3 3 3
1 rolls 2 2 2 * * b3
1 keep * * b3
1 rolls 1 3 4
1 keep 3 * * b3
1 rolls 3 4
1 apply 3 3 3 3 4 4
2 rolls 1 2 2 * * zap
2 keep none
2 rolls 1 1 2 4 5 b4
2 keep 4 b4
2 rolls 3 4 5 *
2 apply 3 4 4 4 4
1 rolls 1 1 3 3 * b1
1 keep *
1 rolls 1 1 3 4 b3
1 keep *
1 rolls 1 2 2 * b1
1 apply 4 4
2 rolls 1 2 2 5 * b1
2 keep 5 *
2 rolls 5 5 5 b3
2 keep 5 5 5 5 *
2 rolls b1
2 apply 5 5 5 5 5
1 rolls 1 3 4 5 5 b2
1 keep 5 5
1 rolls 1 5 * zap
1 keep 5 5
1 rolls 2 3 5 b2
1 apply none
2 rolls 1 3 4 5 * b2
2 keep 4 5 *
2 rolls 2 * b2
2 keep 4 5 * *
2 rolls 1 b2
2 apply 4 5 5 5
result: winner 1; scores 1 2
`

const steps = (verdict: Verdict) => (verdict.kind === 'checked' ? verdict.steps.map((step) => step.right) : [])
/** A record checked with the dice of its game. */
const checked = (record: GameRecord, seen: Seen | null = null) => checkDice(record, DICE[record.game] ?? null, seen)
const seenOf = (text: string): Seen => ({
  promise: HASH,
  drawn: [],
  table: 'k3x9-2',
  rolls: readRecord(text).rolls.map((roll) => roll.faces.join(' ')),
  mine: [],
  brokenOff: false,
  continued: false,
})

describe('a game', () => {
  it.each([BJ, KOR, ROLLERS])('is checked from its record alone', (text) => {
    const verdict = checked(readRecord(text))
    expect(verdict).toMatchObject({ kind: 'checked', right: true })
    expect(steps(verdict)).toEqual([true, true])
  })

  it('is compared with what was seen of it', () => {
    expect(checked(readRecord(BJ), seenOf(BJ))).toMatchObject({ kind: 'checked', right: true })
  })

  it('is found out if a roll was changed', () => {
    const record = readRecord(BJ.replace('2 rolls 2 2\n', '2 rolls 1 1\n'))
    const verdict = checked(record, seenOf(BJ))
    expect(verdict).toMatchObject({ kind: 'checked', right: false })
    expect(steps(verdict)).toEqual([true, true, false, false])
    expect(verdict.kind === 'checked' && verdict.rolls.filter((roll) => !roll.right)).toMatchObject([{ number: 13, faces: ['1', '1'], due: ['2', '2'] }])
  })

  it('is found out if a roll was left out, or was of other dice', () => {
    expect(checked(readRecord(BJ.replace('1 rolls 1 3 6\n', '')))).toMatchObject({ right: false })
    expect(checked(readRecord(BJ.replace('1 rolls 1 3 6\n', '1 rolls 1 3 9\n')))).toMatchObject({ right: false })
  })

  it('is found out if the secret is another, even with a promise to match', () => {
    const other = SECRET.toReversed()
    const hex = Array.from(other, (byte) => byte.toString(16).padStart(2, '0')).join('')
    const secret = /0001[0-9a-f]{60}/
    expect(steps(checked(readRecord(BJ.replace(secret, hex)), seenOf(BJ)))).toEqual([true, false, false, true])
    expect(steps(checked(readRecord(BJ.replace(secret, hex).replace(HASH, commitment(other))), seenOf(BJ)))).toEqual([false, true, false, true])
  })

  it('is found out if its strings, its table or its length are others', () => {
    expect(checked(readRecord(BJ.replace('ann-1', 'ann-2')))).toMatchObject({ right: false })
    expect(steps(checked(readRecord(BJ.replace('k3x9-2', 'k3x9-3')), seenOf(BJ)))).toEqual([true, true, false, false, true])
    const longer = { ...seenOf(BJ), rolls: [...seenOf(BJ).rolls, '1'] }
    expect(steps(checked(readRecord(BJ), longer))).toEqual([true, true, true, false])
  })

  it.each(['manual', 'recorded', 'seeded 42', `fair k3x9 ${HASH} hidden ann-1`])('with %s dice has nothing to check', (dice) => {
    expect(checked(readRecord(BJ.replace(/dice: .*/, `dice: ${dice}`)))).toMatchObject({ kind: 'nothing' })
  })

  it('of unknown dice is left alone', () => {
    expect(checked(readRecord(BJ.replace('bj(', 'chess(')))).toMatchObject({ kind: 'nothing' })
  })
})

// A game of the second version, by the Python implementation: Ann at seat 1 drew ann-1, and seat 2 is a bot's.
const KEY = '03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8'
const NEW = `hotdice record 1
game: bj(target=500)
date: 2026-11-16
seat 1: Ann (greedy)
seat 2: Ben (greedy)
dice: fair2 k3x9-2 630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f signed:1794700000000:03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8:e4bc7a7d752a4e2f11a431a7849942b8b5b10882bc5a0d1dcac4db19aeab660695437a369cc41f6d0ebe7ed4624e0ea544f55d8571db0d934076ff954745570d 1:ann-1

1 rolls 1 1 1 3 4 6
1 roll
1 rolls 3 5 5
1 pass
2 rolls 1 1 2 5 6 6
2 roll
2 rolls 4 4 6
1 rolls 1 2 2 3 6 6
1 roll
1 rolls 2 4 4 5 5
1 roll
1 rolls 2 4 4
2 rolls 2 2 3 3 4 5
2 roll
2 rolls 1 3 5 6 6
2 roll
2 rolls 1 2 3
2 pass
1 rolls 1 4 4 5 5 6
1 roll
1 rolls 1 6 6
1 pass
2 rolls 1 3 3 4 4 5
2 roll
2 rolls 1 2 2 5
2 roll
2 rolls 1 4
2 roll
2 rolls 4
result: winner 1; scores 700 300
`

describe('what this browser drew', () => {
  const seen = seenOf(NEW)
  const withDrawn = (...drawn: Seen['drawn']): Seen => ({ ...seen, drawn })
  const tell = (text: string, what: Seen) => {
    const verdict = checked(readRecord(text), what)
    return verdict.kind === 'checked' ? verdict.steps.filter((step) => !step.right).map((step) => step.told) : []
  }

  it('is in the dice', () => {
    const verdict = checked(readRecord(NEW), withDrawn({ promise: HASH, seat: 0, string: 'ann-1' }))
    expect(verdict).toMatchObject({ right: true, fair: true, shared: false, doubts: [] })
    expect(readRecord(NEW).dice).toMatchObject({ version: 2, signed: { at: 1794700000000, key: KEY } })
  })

  it('is missed if it was exchanged, left out or kept back', () => {
    const mine = withDrawn({ promise: HASH, seat: 0, string: 'ann-2' })
    expect(tell(NEW, mine)).toEqual(['What this browser drew for Ann was exchanged for something else.'])
    expect(tell(NEW.replace(' 1:ann-1', ''), mine)[0]).toBe('What this browser drew for Ann was left out of the dice.')
    expect(tell(NEW.replace('1:ann-1', `1:withheld:${HASH}`), mine)[0]).toContain('not revealed in time')
  })

  it('is compared with the promise that it was drawn after', () => {
    const twice = withDrawn({ promise: 'f'.repeat(64), seat: 0, string: 'x' }, { promise: HASH, seat: 0, string: 'ann-1' })
    expect(tell(NEW, twice)[0]).toContain('promised the dice of this game more than once')
    expect(tell(NEW, { ...withDrawn({ promise: HASH, seat: 0, string: 'ann-1' }), brokenOff: true })[0]).toContain('dice at this table that it never rolled')
    expect(tell(NEW, { ...seen, promise: 'f'.repeat(64) })[0]).toBe('The record holds another promise than the one shown before the game.')
  })

  // Seals as docs/fair-dice.md makes them, for the table of the second game: printf … | openssl sha256.
  const ANN = { seat: 0, seal: sealOf('k3x9-2', HASH, 0, 'ann-1') }
  const BEN = { seat: 1, seal: sealOf('k3x9-2', HASH, 1, 'b0b') }
  const revealed = (...seals: Sealed[]) => withDrawn({ promise: HASH, seat: 0, string: 'ann-1', seals })

  it('stands beside the strings that had been sealed before it was revealed', () => {
    const verdict = checked(readRecord(NEW), revealed(ANN))
    expect(verdict).toMatchObject({ right: true, shared: true, doubts: [] })
  })

  it('does not help if another string was chosen after it', () => {
    const added = NEW.replace('1:ann-1', '1:ann-1 2:ground')
    expect(tell(added, revealed(ANN))).toContain('The string of Ben was not sealed when this browser revealed its own, so it could be chosen by it.')
    expect(tell(added, revealed(ANN, BEN))).toContain('The string of Ben was not sealed when this browser revealed its own, so it could be chosen by it.')
    const withheld = NEW.replace('1:ann-1', `1:ann-1 2:withheld:${BEN.seal}`)
    expect(tell(withheld, revealed(ANN))[0]).toContain('The string of Ben was not sealed')
    expect(tell(withheld, revealed(ANN, BEN))).toEqual([])
  })

  it('does not help if what others had sealed is gone without a word', () => {
    expect(tell(NEW, revealed(ANN, BEN))).toEqual(['What Ben had sealed is missing from the dice, and not even called withheld.'])
  })

  it('may have been drawn twice at one moment, on two pages', () => {
    expect(tell(NEW, withDrawn({ promise: HASH, seat: 0, string: 'other' }, { promise: HASH, seat: 0, string: 'ann-1', seals: [ANN] }))).toEqual([])
  })
})

describe('what is not proven', () => {
  const doubts = (text: string) => {
    const verdict = checked(readRecord(text))
    return verdict.kind === 'checked' ? verdict.doubts : []
  }

  it('is said of dice that nobody but the server had a share in, of strings that were withheld, and of the first version', () => {
    expect(checked(readRecord(NEW.replace(' 1:ann-1', '')))).toMatchObject({ fair: false })
    expect(doubts(NEW.replace(' 1:ann-1', ''))[0]).toContain('Nobody but the server')
    expect(doubts(NEW.replace('1:ann-1', `1:ann-1 2:withheld:${HASH}`))[0]).toContain('Ben sealed a string and did not reveal it.')
    expect(doubts(BJ)[0]).toContain('first version')
  })

  it('is said of a game that went on from a position, and of dice in which nobody here has a share', () => {
    expect(doubts(NEW.replace('date:', 'from: bj somewhere\ndate:'))[0]).toContain('goes on from an earlier one with new dice')
    expect(doubts(NEW.replace('\n\n', '\n\n# continued with new dice, as …\n'))[0]).toContain('goes on from an earlier one with new dice')
    expect(checked(readRecord(NEW), { ...seenOf(NEW), continued: true })).toMatchObject({ doubts: [expect.stringContaining('goes on from an earlier one')] })
    const verdict = checked(readRecord(NEW), { ...seenOf(NEW), mine: [1] })
    expect(verdict).toMatchObject({ right: true, shared: false, doubts: [expect.stringContaining('This browser had no share in these dice')] })
  })

  it('has shares in the order of their seats, and no others', () => {
    for (const wrong of ['2:b0b 1:ann-1', '1:ann-1 1:b0b', '0:ann', 'ann-1', '1:withheld:abc']) {
      expect(() => readRecord(NEW.replace('1:ann-1', wrong))).toThrow('Line 6')
    }
  })
})

// Checks fair dice in the browser, by docs/fair-dice.md alone: another implementation than the one that rolled them.
// `crypto.subtle` is missing on pages that come over plain HTTP in a house, so the hashes are computed here.
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'

import type { FairSource, GameRecord, RecordedRoll, RecordedShare } from './record'
import type { DieCard } from './types'

const SEAL = 'hotdice seal 2'
const SCHEMES = { 1: 'hotdice dice 1', 2: 'hotdice dice 2' } as const
const BY_TURNS = 'hotdice turns 2'
const [TURN, PENALTY, ROLL_OFF] = ['turn', 'penalty', 'roll-off']
/** So many ways to count the turns of a record are followed; after a few rolls all but one are out. */
const MOST_WAYS = 200
const WORD = 2 ** 32

/** The faces of each kind of die in a game, as they are typed; within a kind and from kind to kind in the order of their codes. */
export type Kinds = readonly (readonly string[])[]

/** The dice of a game as the server describes them. */
export function kindsOf(dice: readonly DieCard[]): Kinds {
  const kinds = dice.map((die) => [...die.faces].sort((one, other) => one.code - other.code))
  return kinds.sort(([one], [other]) => (one?.code ?? 0) - (other?.code ?? 0)).map((faces) => faces.map((face) => face.text))
}

/** What is published of a secret before the game. */
export function commitment(secret: Uint8Array): string {
  return bytesToHex(sha256(secret))
}

/** What is shown of a string before any string is revealed; the seat counts from 0. */
export function sealOf(table: string, promise: string, seat: number, string: string): string {
  return bytesToHex(sha256(utf8ToBytes([SEAL, table, promise, seat + 1, string].join('\n'))))
}

/** What the messages of all rolls of a game begin with. */
export function beginning(dice: Pick<FairSource, 'version' | 'table' | 'parts' | 'turns'>): readonly string[] {
  return [dice.turns ? BY_TURNS : SCHEMES[dice.version], dice.table, ...dice.parts]
}

/** The whole number below `total` that decides a roll, or whatever else is named; rolls count from 1. */
export function fairNumber(secret: Uint8Array, parts: readonly string[], roll: number | string, total: number): number {
  if (!(total > 0 && total <= WORD)) throw new RangeError(`Fair dice choose among 1 to ${WORD} ways, not ${total}.`)
  const limit = WORD - (WORD % total)
  for (let block = 0; ; block += 1) {
    const digest = hmac(sha256, secret, utf8ToBytes([...parts, roll, block].join('\n')))
    const words = new DataView(digest.buffer, digest.byteOffset, digest.byteLength)
    for (let at = 0; at < digest.byteLength; at += 4) {
      const number = words.getUint32(at)
      if (number < limit) return number % total
    }
  }
}

/** How many dice of each kind a roll is of, as its faces tell; null if they are no faces of these dice. */
export function countsOf(kinds: Kinds, faces: readonly string[]): number[] | null {
  if (!faces.every((face) => kinds.some((kind) => kind.includes(face)))) return null
  return kinds.map((kind) => faces.filter((face) => kind.includes(face)).length)
}

/** In how many ways so many dice of each kind can fall. */
export function waysOf(kinds: Kinds, counts: readonly number[]): number {
  return kinds.reduce((ways, kind, at) => ways * kind.length ** (counts[at] ?? 0), 1)
}

/**
 * The roll in place `number`, from 0, where all rolls are listed ascending and each takes as many places as there are ways to throw it.
 * Nothing is listed: rolls with the most dice of the lowest face come first, and how many places they take can be counted.
 */
export function rollAt(kinds: Kinds, counts: readonly number[], number: number): string[] {
  let place = number
  return kinds.flatMap((kind, at) => {
    const later = waysOf(kinds.slice(at + 1), counts.slice(at + 1))
    const { faces, from, ways } = placed(kind, counts[at] ?? 0, Math.floor(place / later))
    place = Math.floor((place - from * later) / ways)
    return faces
  })
}

/** The roll of dice of one kind in a place, where its places begin, and how many it has. */
function placed(kind: readonly string[], count: number, place: number): { faces: string[]; from: number; ways: number } {
  const [first = '', ...others] = kind
  if (!count || !others.length) return { faces: Array.from({ length: count }, () => first), from: 0, ways: 1 }
  let from = 0
  for (let same = count; ; same -= 1) {
    const choices = choose(count, same)
    const size = choices * others.length ** (count - same)
    if (place < from + size || same === 0) {
      const rest = placed(others, count - same, Math.floor((place - from) / choices))
      return { faces: [...Array.from({ length: same }, () => first), ...rest.faces], from: from + rest.from * choices, ways: rest.ways * choices }
    }
    from += size
  }
}

/** In how many ways some of these dice can be picked. */
function choose(dice: number, some: number): number {
  return some ? (choose(dice - 1, some - 1) * dice) / some : 1
}

// Dice by turns

/** Where a roll stands: the occasion, its number, and which roll of it this is; the seat counts from 0. */
interface Stand {
  seat: number
  occasion: string
  number: number
  roll: number
}

/** One way to count turns: where the last roll stood, and how many occasions each seat has had. */
interface Way {
  last: Stand | null
  counts: Readonly<Record<string, number>>
}

const whose = (seat: number, occasion: string) => (occasion === ROLL_OFF ? occasion : `${occasion} ${seat}`)

/** What dice by turns show where a roll stands, faces in ascending order. */
export function turnRoll(
  secret: Uint8Array,
  parts: readonly string[],
  kinds: Kinds,
  counts: readonly number[],
  who: string,
  { occasion, number, roll }: Omit<Stand, 'seat'>,
): string[] {
  return kinds.flatMap((faces, kind) =>
    Array.from({ length: counts[kind] ?? 0 }, (_, place) =>
      fairNumber(secret, parts, [who, occasion, number, roll, kind + 1, place + 1].join('\n'), faces.length),
    )
      .sort((one, other) => one - other)
      .map((face) => faces[face] ?? ''),
  )
}

/** Where a seat's roll may stand: in the same turn as the last one, or at the beginning of something. What decides who begins comes before all turns. */
function standsAfter({ last, counts }: Way, seat: number): Stand[] {
  const begun = (occasion: string): Stand => ({ seat, occasion, number: (counts[whose(seat, occasion)] ?? 0) + 1, roll: 1 })
  const goesOn = last?.seat === seat && last.occasion !== ROLL_OFF ? [{ ...last, roll: last.roll + 1 }] : []
  return [...goesOn, begun(TURN), begun(PENALTY), ...(last === null || last.occasion === ROLL_OFF ? [begun(ROLL_OFF)] : [])]
}

/**
 * What dice by turns show in a game. Where turns begin is for the rules to say, which are not known here: of all ways to count them,
 * those are followed by which every roll so far is right.
 */
function rollsByTurns(secret: Uint8Array, dice: FairSource, kinds: Kinds, rolls: readonly RecordedRoll[]): string[][] {
  const parts = beginning(dice)
  let ways: Way[] = [{ last: null, counts: {} }]
  return rolls.map(({ seat, faces }) => {
    const counts = countsOf(kinds, faces)
    if (!counts) return []
    const who = dice.turns === 'same' ? 'all' : String(seat + 1)
    const drawn = new Map<string, string>()
    const next = new Map<string, { way: Way; due: string }>()
    for (const way of ways) {
      for (const stand of standsAfter(way, seat)) {
        const place = [stand.occasion, stand.number, stand.roll].join()
        const due = drawn.get(place) ?? turnRoll(secret, parts, kinds, counts, who, stand).join(' ')
        drawn.set(place, due)
        const after = { last: stand, counts: { ...way.counts, [whose(seat, stand.occasion)]: stand.number } }
        next.set(JSON.stringify(after), { way: after, due })
      }
    }
    const all = [...next.values()]
    const right = all.filter(({ due }) => due === faces.join(' '))
    ways = (right.length ? right : all).slice(0, MOST_WAYS).map(({ way }) => way)
    return (right[0] ?? all[0])?.due.split(' ') ?? []
  })
}

// Checking a game

/** A roll that was computed again. */
export interface CheckedRoll extends RecordedRoll {
  /** Which roll of the game it is, from 1. */
  number: number
  /** What the secret gives; empty if these are no dice of the game. */
  due: string[]
  right: boolean
}

/** What is known of a game apart from its record: what was promised before it, what this browser drew, and the rolls that were seen. */
export interface Seen {
  promise: string
  table: string
  rolls: readonly string[]
  drawn: readonly Drawn[]
  /** The seats that this browser plays. */
  mine: readonly number[]
  /** Whether strings of this browser were revealed for dice at this table that were never rolled. */
  brokenOff: boolean
  /** Whether the game went on from one that was given up. */
  continued: boolean
}

/** A string that this browser drew for the dice of a game, after it had seen a promise; the seat counts from 0. */
export interface Drawn {
  promise: string
  seat: number
  string: string
  /** The seals of all seats as they were shown when this string was revealed; missing before that. */
  seals?: Sealed[]
  /** The server's signature under the promise, as a record has it, if it was shown one. */
  signed?: string
}

/** What a seat, counted from 0, has shown of its string. */
export interface Sealed {
  seat: number
  seal: string
}

export interface Step {
  right: boolean
  told: string
  /** The evidence, for those who like to look. */
  detail?: string
}

/**
 * What was found; `doubts` are what a record that is right does not prove. Without a player's share in them, dice are not `fair`.
 * `shared` says whether what this browser drew is part of them, with no other strings than those that had been sealed before it was revealed.
 */
export type Verdict =
  { kind: 'nothing'; told: string } | { kind: 'checked'; right: boolean; fair: boolean; shared: boolean; steps: Step[]; doubts: string[]; rolls: CheckedRoll[] }

const CHALLENGES = ['challenge-', 'daily-']

/** The challenge that dice were drawn for, as their name tells; nothing if they are one table's own. */
export function challengeOf({ table }: Pick<FairSource, 'table'>): string {
  const start = CHALLENGES.find((each) => table.startsWith(each))
  return start ? table.slice(start.length) : ''
}

const NOTHING = {
  manual: 'Real dice were rolled at a real table. You saw them fall; there is nothing to compute.',
  recorded: 'This game was continued from a record, so nobody promised its dice beforehand. There is nothing to check.',
  seeded: 'These dice come from a seed that somebody chose, so nobody promised them beforehand. “hotdice verify” rolls them again.',
} as const

const BY_TURN_TOLD = {
  own: 'Each roll follows from whose turn it is, its number and the roll within it: whoever plays this again meets the same dice.',
  same: 'They were the same for everybody: in each one’s first turn, second turn, and so on.',
} as const

/** Compute every roll of a game again from its record and its dice, and compare the record with what was seen of the game, if it was. */
export function checkDice(record: GameRecord, kinds: Kinds | null, seen: Seen | null = null): Verdict {
  const dice = record.dice
  if (dice.kind !== 'fair') return { kind: 'nothing', told: NOTHING[dice.kind] }
  if (dice.secret === null && challengeOf(dice) && record.result !== 'unfinished') {
    return { kind: 'nothing', told: 'Others still play these dice. Their secret is shown once the challenge is over; then every roll can be checked.' }
  }
  if (dice.secret === null) {
    return { kind: 'nothing', told: 'The game goes on. Its secret is revealed when it is over; then every roll can be checked.' }
  }
  if (!kinds) return { kind: 'nothing', told: `This server does not have the game “${record.game}”, so its dice are not known here.` }
  const secret = hexToBytes(dice.secret)
  const hash = commitment(secret)
  const steps: Step[] = []
  if (seen) {
    const kept = seen.promise === dice.commitment
    steps.push({
      right: kept,
      told: kept ? 'The record holds the promise that was shown before the game.' : 'The record holds another promise than the one shown before the game.',
      detail: kept ? `The promise: ${dice.commitment}.` : `Shown before the game: ${seen.promise || 'none'}. In the record: ${dice.commitment}.`,
    })
  }
  const matches = hash === dice.commitment
  steps.push({
    right: matches,
    told: matches ? 'The secret matches the promise made before the game.' : 'The secret is not the one that was promised.',
    detail: `SHA-256 of ${dice.secret} is ${hash}${matches ? '' : `, and ${dice.commitment} was promised`}.`,
  })
  if (seen) {
    const same = seen.table === dice.table
    if (!same) steps.push({ right: false, told: `The dice are those of another table, “${dice.table}”, not of “${seen.table}”.` })
    steps.push(...drawnSteps(record.names, dice, seen))
  }
  const dues = dice.turns ? rollsByTurns(secret, dice, kinds, record.rolls) : rollsInOrder(secret, dice, kinds, record.rolls)
  const rolls = record.rolls.map((roll, index): CheckedRoll => {
    const due = dues[index] ?? []
    return { ...roll, number: index + 1, due, right: due.join(' ') === roll.faces.join(' ') }
  })
  const right = rolls.filter((roll) => roll.right).length
  steps.push({
    right: right === rolls.length,
    told: `${right} of ${rolls.length === 1 ? '1 roll follows' : `${rolls.length} rolls follow`} from the secret${dice.parts.length ? ' and the players’ strings' : ''}.`,
    detail: dice.parts.length ? `The strings: ${dice.parts.join(', ')}.` : undefined,
  })
  if (dice.turns && right === rolls.length)
    steps.push({
      right: right === rolls.length,
      told: BY_TURN_TOLD[dice.turns],
      detail: 'That turns begin where the rules say is checked by “hotdice verify”.',
    })
  if (seen) {
    const listed = record.rolls.map((roll) => roll.faces.join(' '))
    const differs = listed.findIndex((roll, index) => roll !== seen.rolls[index])
    const same = differs < 0 && listed.length === seen.rolls.length
    steps.push({
      right: same,
      told: same ? 'They are the rolls that this page showed.' : 'The record has other rolls than this page showed.',
      detail: same ? undefined : `Roll ${(differs < 0 ? Math.min(listed.length, seen.rolls.length) : differs) + 1} is the first that differs.`,
    })
  }
  const shared = dice.shares.some((share) => seen?.drawn.some((one) => one.seals && isOf(one, dice, share)))
  const doubts = doubtsAbout(record, dice, seen, shared)
  return { kind: 'checked', right: steps.every((step) => step.right), fair: dice.parts.length > 0, shared, steps, doubts, rolls }
}

/** What the dice show whose rolls are counted, whoever rolls. */
function rollsInOrder(secret: Uint8Array, dice: FairSource, kinds: Kinds, rolls: readonly RecordedRoll[]): string[][] {
  const parts = beginning(dice)
  return rolls.map(({ faces }, index) => {
    const counts = countsOf(kinds, faces)
    return counts ? rollAt(kinds, counts, fairNumber(secret, parts, index + 1, waysOf(kinds, counts))) : []
  })
}

/** Whether a share in the dice is what this browser drew. */
function isOf(drawn: Drawn, dice: FairSource, share: RecordedShare): boolean {
  return drawn.promise === dice.commitment && drawn.seat === share.seat && drawn.string === share.string
}

/** Whether the record has what this browser drew for the dice, and nothing else in its place. */
function drawnSteps(names: readonly string[], dice: FairSource, { drawn, brokenOff }: Seen): Step[] {
  const steps: Step[] = []
  const [here, others] = [drawn.filter((one) => one.promise === dice.commitment), drawn.filter((one) => one.promise !== dice.commitment)]
  if (others.length || brokenOff) {
    const told = others.length ? 'promised the dice of this game more than once' : 'promised dice at this table that it never rolled'
    steps.push({
      right: false,
      told: `The server ${told}, and drew again after it had seen strings. That is so if its tables were restored from a backup, or else it did not like the rolls.`,
      detail: others.length ? `It also promised ${others.map((one) => [one.promise, one.signed ?? 'unsigned'].join(', ')).join('; ')}.` : undefined,
    })
  }
  for (const seat of new Set(here.map((one) => one.seat))) {
    const mine = here.filter((one) => one.seat === seat) // two pages of this browser may have drawn at the same moment
    const share = dice.shares.find((one) => one.seat === seat)
    const whose = names.length > 1 ? `What this browser drew for ${nameOf(names, seat)}` : 'What this browser drew'
    const detail = `It drew ${mine.map((one) => one.string).join(', ')}`
    if (share && mine.some((one) => isOf(one, dice, share))) {
      steps.push({ right: true, told: `${whose} is part of the dice.`, detail: `${detail}.` })
    } else if (share?.string) {
      steps.push({ right: false, told: `${whose} was exchanged for something else.`, detail: `${detail}; the record has ${share.string}.` })
    } else {
      const why = share ? ' The record says that it was not revealed in time; that is so if the connection was slow, or else the server kept it back.' : ''
      steps.push({ right: false, told: `${whose} was left out of the dice.${why}`, detail: `${detail}.` })
    }
  }
  return [...steps, ...sealSteps(names, dice, here)]
}

/** Whether the record has the strings that had been sealed when this browser revealed its own: no other ones, and all of them. */
function sealSteps(names: readonly string[], dice: FairSource, drawn: readonly Drawn[]): Step[] {
  const views = drawn.flatMap((one) => (one.seals ? [one.seals] : []))
  if (!views.length) return []
  const steps: Step[] = []
  for (const share of dice.shares) {
    const seal = share.string ? sealOf(dice.table, dice.commitment, share.seat, share.string) : share.seal
    if (views.every((seals) => seals.some((one) => one.seat === share.seat && one.seal === seal))) continue
    const detail = `The seal of ${share.string || 'what was withheld'} is ${seal}, and it was not shown.`
    steps.push({
      right: false,
      told: `The string of ${nameOf(names, share.seat)} was not sealed when this browser revealed its own, so it could be chosen by it.`,
      detail,
    })
  }
  for (const { seat, seal } of views.flat()) {
    if (dice.shares.some((share) => share.seat === seat) || steps.some((step) => step.detail?.includes(seal))) continue
    steps.push({
      right: false,
      told: `What ${nameOf(names, seat)} had sealed is missing from the dice, and not even called withheld.`,
      detail: `The seal: ${seal}.`,
    })
  }
  if (!steps.length) steps.push({ right: true, told: 'The dice have the strings that were sealed before any was revealed, and no others.' })
  return steps
}

function nameOf(names: readonly string[], seat: number): string {
  return names[seat] ?? `Seat ${seat + 1}`
}

/** What is not proven by rolls that follow from a secret which was promised. */
function doubtsAbout({ names, continued }: GameRecord, dice: FairSource, seen: Seen | null, shared: boolean): string[] {
  if (dice.version === 1) {
    return [
      'This is the first version of fair dice: nobody changed a roll once the game had begun, but one string was given before the secret was drawn, so a server could have chosen its secret by it.',
    ]
  }
  if (!dice.parts.length && challengeOf(dice))
    return [
      'The server drew these dice alone, and could have chosen them as it liked. But it promised them to all who played the challenge, and all had the same.',
    ]
  if (!dice.parts.length) return ['Nobody but the server had a share in these dice, so it could have chosen them as it liked.']
  const doubts = dice.shares
    .filter((share) => !share.string)
    .map(
      ({ seat }) =>
        `${nameOf(names, seat)} sealed a string and did not reveal it. Whoever saw the other strings by then could choose between the two games that this leaves.`,
    )
  if (seen?.mine.length && !shared && !seen.drawn.length && challengeOf(dice)) {
    doubts.push(
      'This browser had no share in these dice: they were drawn before, for whoever made the challenge, and are the same for all who play it. That player and the server together could have known them.',
    )
  } else if (seen?.mine.length && !shared && !seen.drawn.length) {
    doubts.push(
      'This browser had no share in these dice: it was not connected when the game began, or the server did not ask it. Those who had one, together with the server, could have chosen them.',
    )
  }
  if (continued || seen?.continued) {
    doubts.push('This game goes on from an earlier one with new dice. Whoever ran the server knew what the old ones would have shown.')
  }
  return doubts
}

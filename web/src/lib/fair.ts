// Checks fair dice in the browser, by docs/fair-dice.md alone: another implementation than the one that rolled them.
// `crypto.subtle` is missing on pages that come over plain HTTP in a house, so the hashes are computed here.
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'

import type { GameRecord, RecordedRoll } from './record'

const SCHEME = 'hotdice dice 1'
const WORD = 2 ** 32

/** The dice of each game: for each kind its faces as they are typed, ascending; one kind after the other. */
const NUMBERS = ['1', '2', '3', '4', '5', '6']
const DICE: Record<string, readonly (readonly string[])[]> = {
  kor: [['S', 'D', 'U', '25', '50', '100']],
  kismet: [NUMBERS],
  rollers: [
    ['1', '2', '3', '4', '5', '*'],
    ['b1', 'b2', 'b3', 'b4', 'b5', 'zap'],
  ],
  bj: [NUMBERS],
  pig: [NUMBERS],
}

/** What is published of a secret before the game. */
export function commitment(secret: Uint8Array): string {
  return bytesToHex(sha256(secret))
}

/** The whole number below `total` that decides a roll; rolls count from 1. */
export function fairNumber(secret: Uint8Array, table: string, strings: readonly string[], roll: number, total: number): number {
  if (!(total > 0 && total <= WORD)) throw new RangeError(`Fair dice choose among 1 to ${WORD} ways, not ${total}.`)
  const limit = WORD - (WORD % total)
  for (let block = 0; ; block += 1) {
    const digest = hmac(sha256, secret, utf8ToBytes([SCHEME, table, ...strings, roll, block].join('\n')))
    const words = new DataView(digest.buffer, digest.byteOffset, digest.byteLength)
    for (let at = 0; at < digest.byteLength; at += 4) {
      const number = words.getUint32(at)
      if (number < limit) return number % total
    }
  }
}

/** How many dice of each kind a roll is of, as its faces tell; null if they are no faces of this game's dice. */
export function countsOf(game: string, faces: readonly string[]): number[] | null {
  const kinds = DICE[game]
  if (!kinds || !faces.every((face) => kinds.some((kind) => kind.includes(face)))) return null
  return kinds.map((kind) => faces.filter((face) => kind.includes(face)).length)
}

/** In how many ways so many dice can fall. */
export function waysOf(counts: readonly number[]): number {
  return 6 ** counts.reduce((sum, count) => sum + count, 0)
}

/** Every roll of so many dice of each kind, ascending, with the ways to throw it. */
function listed(game: string, counts: readonly number[]): { faces: string[]; ways: number }[] {
  let all = [{ faces: [] as string[], ways: 1 }]
  for (const [kind, faces] of (DICE[game] ?? []).entries()) {
    const own = ascending(faces, counts[kind] ?? 0)
    all = all.flatMap((roll) => own.map((more) => ({ faces: [...roll.faces, ...more], ways: roll.ways * orders(more) })))
  }
  return all
}

function ascending(faces: readonly string[], count: number): string[][] {
  if (!count) return [[]]
  return faces.flatMap((face, at) => ascending(faces.slice(at), count - 1).map((more) => [face, ...more]))
}

/** In how many orders dice can show these faces. */
function orders(roll: readonly string[]): number {
  return [...new Set(roll)].reduce((ways, face) => ways / factorial(roll.filter((other) => other === face).length), factorial(roll.length))
}

const lists = new Map<string, ReturnType<typeof listed>>()

/** The roll in place `number`, from 0, where every roll takes as many places as there are ways to throw it. */
export function rollAt(game: string, counts: readonly number[], number: number): string[] {
  const key = `${game} ${counts.join(' ')}`
  const list = lists.get(key) ?? listed(game, counts)
  lists.set(key, list)
  let place = number
  for (const { faces, ways } of list) {
    if (place < ways) return faces
    place -= ways
  }
  return []
}

function factorial(number: number): number {
  return number < 2 ? 1 : number * factorial(number - 1)
}

// Checking a game

/** A roll that was computed again. */
export interface CheckedRoll extends RecordedRoll {
  /** Which roll of the game it is, from 1. */
  number: number
  /** What the secret gives; empty if these are no dice of this game. */
  due: string[]
  right: boolean
}

/** What is known of a game apart from its record: what was published before it, and the rolls that were seen. */
export interface Seen {
  promise: string
  table: string
  rolls: readonly string[]
}

export interface Step {
  right: boolean
  told: string
  /** The evidence, for those who like to look. */
  detail?: string
}

export type Verdict = { kind: 'nothing'; told: string } | { kind: 'checked'; right: boolean; steps: Step[]; rolls: CheckedRoll[] }

const NOTHING = {
  manual: 'Real dice were rolled at a real table. You saw them fall; there is nothing to compute.',
  recorded: 'This game came in as a record and was played on, so nobody promised its dice beforehand. There is nothing to check.',
  seeded: 'These dice come from a seed that somebody chose, so nobody promised them beforehand. “hotdice verify” rolls them again.',
} as const

/** Compute every roll of a game again from its record, and compare the record with what was seen of the game, if it was. */
export function checkDice(record: GameRecord, seen: Seen | null = null): Verdict {
  const dice = record.dice
  if (dice.kind !== 'fair') return { kind: 'nothing', told: NOTHING[dice.kind] }
  if (dice.secret === null) {
    return { kind: 'nothing', told: 'The game goes on. Its secret is revealed when it is over; then every roll can be checked.' }
  }
  if (!(record.game in DICE)) return { kind: 'nothing', told: `This page does not know the dice of “${record.game}”.` }
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
  }
  const rolls = record.rolls.map((roll, index): CheckedRoll => {
    const counts = countsOf(record.game, roll.faces)
    const number = index + 1
    const due = counts ? rollAt(record.game, counts, fairNumber(secret, dice.table, dice.strings, number, waysOf(counts))) : []
    return { ...roll, number, due, right: due.join(' ') === roll.faces.join(' ') }
  })
  const right = rolls.filter((roll) => roll.right).length
  steps.push({
    right: right === rolls.length,
    told: `${right} of ${rolls.length === 1 ? '1 roll follows' : `${rolls.length} rolls follow`} from the secret${dice.strings.length ? ' and the players’ strings' : ''}.`,
    detail: dice.strings.length ? `The strings: ${dice.strings.join(', ')}.` : undefined,
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
  return { kind: 'checked', right: steps.every((step) => step.right), steps, rolls }
}

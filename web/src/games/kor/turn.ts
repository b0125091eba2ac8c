// A turn of KOR as its tosses lie on the table: what was set aside, and how it ended. Read from the log, as data.
import type { Toss } from '../../lib/table.svelte'
import type { ShownEntry } from '../../lib/types'
import { figure } from '../../lib/words'
import { faceName } from './dice'
import type { Effect, Sign } from './schema'

/** The dice that were set aside, in their order. */
export function setAside(tosses: readonly Toss[]): string[] {
  return tosses.flatMap((toss) => toss.faces.filter((_, at) => toss.places[at] === 'aside'))
}

export interface Road {
  /** How many dice a lap takes. */
  places: number
  /** Laps that are complete. */
  laps: string[][]
  /** What lies on the road in this lap; an empty text where it is not known what. */
  lap: string[]
}

/** The dice set aside, in laps. `left` dice are still to be tossed; of a game that was brought in, the first may not be known. */
export function roadOf(aside: readonly string[], left: number, places: number): Road {
  const lying = (places - left) % places
  const known = lying ? aside.slice(-Math.min(lying, aside.length)) : []
  const before = aside.slice(0, aside.length - known.length)
  const laps: string[][] = []
  for (let end = before.length; end > 0; end -= places) laps.unshift(before.slice(Math.max(0, end - places), end))
  return { places, laps, lap: [...Array<string>(lying - known.length).fill(''), ...known] }
}

/** Dice of a toss that lie side by side and are marked together. */
export interface Group {
  start: number
  count: number
  face: string
  place: string
}

/** The dice of a toss that have to be marked; those of one sign, and those that count, together. */
export function groupsOf(toss: Toss): Group[] {
  const groups: Group[] = []
  toss.faces.forEach((face, at) => {
    const place = toss.places[at] ?? 'rolled'
    const last = groups.at(-1)
    const joins = last?.place === place && last.start + last.count === at && (place === 'counted' || (place === 'sign' && last.face === face))
    if (last && joins) last.count += 1
    else if (place !== 'rolled') groups.push({ start: at, count: 1, face, place })
  })
  return groups
}

/** How a turn ended: by a sign, by a toss without a number, or by a bank roll, after which it goes on. */
export type Ending = { sign: string } | 'none' | 'banked'

/** How the turn ended whose tosses these are; `followed` is the sign that was chosen from two. */
export function endingOf(last: Toss | undefined, followed = ''): Ending | null {
  if (!last || last.places.includes('aside')) return null
  const signs = new Set(last.faces.filter((_, at) => last.places[at] === 'sign'))
  if (signs.size > 1 && !followed) return null
  const [sign] = followed ? [followed] : signs
  if (sign) return { sign }
  return last.places.includes('counted') ? 'banked' : 'none'
}

const ENDINGS = { none: 'No number', banked: 'Bank Roll' } as const

export function endingName(ending: Ending): string {
  return typeof ending === 'string' ? ENDINGS[ending] : faceName(ending.sign)
}

/** The sign that was chosen from two after a toss, as a face, or an empty text. */
export function followedAfter(played: readonly ShownEntry[], key: number): string {
  return effectsAfter(played, key).map(signOf).find(Boolean) ?? ''
}

/** The seat that was sent driving backwards after a toss, or -1. */
export function sentAfter(played: readonly ShownEntry[], key: number): number {
  return (
    effectsAfter(played, key)
      .map(seatOf)
      .find((seat) => seat >= 0) ?? -1
  )
}

/** The sign that a move follows, as its face; an empty text where it follows none. */
export function signOf(effect: unknown): string {
  const move = effect as Effect | undefined
  return move && 'sign' in move ? move.sign : ''
}

/** The seat that a move sends driving backwards, or -1. */
export function seatOf(effect: unknown): number {
  const move = effect as Effect | undefined
  return move && 'seat' in move ? move.seat : -1
}

function effectsAfter(played: readonly ShownEntry[], key: number): unknown[] {
  const effects: unknown[] = []
  for (const { number, entry, effect } of played) {
    if (number <= key) continue
    if (entry.kind !== 'moved') break
    effects.push(effect)
  }
  return effects
}

/** Who sent somebody on the penalty that goes on, or -1: the last one who named them. */
export function sentBy(played: readonly ShownEntry[], seat: number): number {
  const event = played.findLast(({ effect }) => seatOf(effect) >= 0)
  return event?.entry.kind === 'moved' && seatOf(event.effect) === seat ? event.entry.seat : -1
}

/** The event that ended a turn: its last toss, or the choice of a sign after it. */
export function endOf(played: readonly ShownEntry[], key: number): ShownEntry | undefined {
  const at = played.findIndex((event) => event.number === key)
  const next = played[at + 1]
  return next && signOf(next.effect) ? next : played[at]
}

/** What came of a turn that had so much at stake: the change of the score, if it is known, or what does not count. */
export function outcomeOf(ending: Ending, change: number | null, stake: number, signs: readonly Sign[]): string {
  if (change === null) return ''
  if (change < 0) return `${figure(-change)} points subtracted.`
  if (change > 0) return `${figure(change)} points ${ending === 'banked' ? 'banked at once' : 'scored'}.`
  const forgets = typeof ending === 'object' && signs.some((sign) => sign.face === ending.sign && !sign.counts)
  return forgets && stake ? `${figure(stake)} points do not count.` : 'No points.'
}

/** What was at stake when a turn ended. */
export function stakeOf(tosses: readonly Toss[]): number {
  return tosses.findLast((toss) => toss.stake)?.stake ?? 0
}

// What somebody has practised in this browser: what comes back when, the score, and the days in a row. Which box a position goes to and
// when it comes back is the server's to say; this keeps it. Other tabs keep theirs in the same place, so it is read before each change.
import { fetched, write } from './storage'

export type Grade = 'easy' | 'medium' | 'hard' | 'very hard'
export const GRADES: readonly Grade[] = ['easy', 'medium', 'hard', 'very hard']

/** A position that was missed and is not known yet. */
export interface Boxed {
  id: string
  game: string
  /** Counted from 1. */
  box: number
  /** The day from which it is asked again. */
  due: string
}

/** An answer as the server judged it. */
export interface Judged {
  id: string
  points: number
  right: boolean
  box: number
  days: number
}

export interface Practised {
  boxed: Boxed[]
  /** The names of all positions of decks that were answered, the latest last. */
  seen: string[]
  /** The points of the latest answers. */
  latest: number[]
  answered: number
  right: number
  /** By the day, the points of its five by their names. */
  daily: Record<string, Record<string, number>>
}

const KEY = 'hotdice.practice'
const LEVEL = 'hotdice.practice.level'
/** The score is the average of so many answers. */
const LATEST = 50
/** What is remembered at most, so that it never fills the browser's store. */
const MOST_SEEN = 5000
const MOST_BOXED = 1000
const MOST_DAYS = 1000
/** How many the daily set has. */
export const SET = 5
const DAY_MS = 86_400_000
const DATE = /^\d{4}-\d{2}-\d{2}$/

/** The date where this browser is. */
export function today(now = new Date()): string {
  const pad = (number: number) => String(number).padStart(2, '0')
  return `${now.getFullYear()}-${pad(now.getMonth() + 1)}-${pad(now.getDate())}`
}

/** So many days later. */
export function later(day: string, days: number): string {
  return new Date(Date.parse(`${day}T12:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}

export function practised(): Practised {
  let found: unknown = null
  try {
    found = JSON.parse(fetched(KEY) ?? 'null')
  } catch {
    // What is kept is none of ours; it is begun anew.
  }
  return sound(found)
}

/** What is kept, without whatever is not as it should be. */
export function sound(found: unknown): Practised {
  const { boxed, seen, latest, answered, right, daily } = (found && typeof found === 'object' ? found : {}) as Partial<Record<keyof Practised, unknown>>
  const days = Object.entries(daily && typeof daily === 'object' ? daily : {}).filter(([day]) => DATE.test(day))
  return {
    boxed: list(boxed).filter(isBoxed),
    seen: list(seen).filter((name) => typeof name === 'string'),
    latest: list(latest).filter(isPoints).slice(-LATEST),
    answered: isCount(answered) ? answered : 0,
    right: isCount(right) ? right : 0,
    daily: Object.fromEntries(
      days.map(([day, points]) => [day, Object.fromEntries(Object.entries(Object(points) as object).filter(([, each]) => isPoints(each)))]),
    ),
  }
}

const list = (found: unknown): unknown[] => (Array.isArray(found) ? found : [])
const isCount = (found: unknown): found is number => Number.isInteger(found) && (found as number) >= 0
const isPoints = (found: unknown): found is number => typeof found === 'number' && found >= 0 && found <= 100
const isBoxed = (found: unknown): found is Boxed => {
  const one = found as Boxed | null
  return Boolean(one) && typeof one?.id === 'string' && typeof one.game === 'string' && isCount(one.box) && one.box > 0 && DATE.test(String(one.due))
}

/** How hard somebody wants it; nothing for as it comes. */
export function level(): Grade | '' {
  return GRADES.find((grade) => grade === fetched(LEVEL)) ?? ''
}

export function keepLevel(grade: Grade | ''): void {
  write(LEVEL, grade)
}

/** Have whatever shows what was practised hear that another tab has changed it. */
export function whenChanged(heard: () => void): () => void {
  const listen = (event: StorageEvent) => event.key === KEY && heard()
  globalThis.addEventListener('storage', listen)
  return () => globalThis.removeEventListener('storage', listen)
}

/** Note an answer; of a day's five, with the day. */
export function take(answer: Judged, game: string, day: string, daily = false): void {
  const before = practised()
  const boxed = before.boxed.filter((one) => one.id !== answer.id)
  if (answer.box) boxed.push({ id: answer.id, game, box: answer.box, due: later(day, answer.days) })
  const days = daily ? { ...before.daily, [day]: { [answer.id]: answer.points, ...before.daily[day] } } : before.daily
  keep({
    boxed,
    seen: [...before.seen.filter((name) => name !== answer.id), answer.id],
    latest: [...before.latest, answer.points].slice(-LATEST),
    answered: before.answered + 1,
    right: before.right + (answer.right ? 1 : 0),
    daily: days,
  })
}

/** Have a mistake of somebody's own come back from today on, unless it does already. */
export function add(id: string, game: string, day: string): void {
  const before = practised()
  if (before.boxed.some((one) => one.id === id)) return
  keep({ ...before, boxed: [...before.boxed, { id, game, box: 1, due: day }] })
}

/** A position is not there any more: its table was deleted, or its deck is another one. */
export function drop(id: string): void {
  const before = practised()
  keep({ ...before, boxed: before.boxed.filter((one) => one.id !== id) })
}

function keep(all: Practised): void {
  const days = Object.entries(all.daily).sort(([one], [other]) => one.localeCompare(other))
  write(
    KEY,
    JSON.stringify({
      ...all,
      boxed: all.boxed.slice(-MOST_BOXED),
      seen: all.seen.slice(-MOST_SEEN),
      daily: Object.fromEntries(days.slice(-MOST_DAYS)),
    } satisfies Practised),
  )
}

/** The box in which a position lies, or 0. */
export function boxOf(all: Practised, id: string): number {
  return all.boxed.find((one) => one.id === id)?.box ?? 0
}

/** The names of what is to be asked again, the longest overdue first. */
export function due(all: Practised, day: string, game = ''): string[] {
  const found = all.boxed.filter((one) => one.due <= day && (!game || one.game === game))
  return found.sort((one, other) => one.due.localeCompare(other.due) || one.id.localeCompare(other.id)).map((one) => one.id)
}

/** The next positions of a deck: those never answered in its order, then those that were answered longest ago. */
export function fresh(all: Practised, deck: readonly string[], count: number): string[] {
  const boxed = new Set(all.boxed.map((one) => one.id))
  const open = deck.filter((id) => !boxed.has(id))
  const answered = new Map(all.seen.map((id, at) => [id, at]))
  const again = open.filter((id) => answered.has(id)).sort((one, other) => (answered.get(one) ?? 0) - (answered.get(other) ?? 0))
  return [...open.filter((id) => !answered.has(id)), ...again].slice(0, count)
}

/** A set: what is due first, then what comes next in the decks, by turns. */
export function dealt(all: Practised, decks: readonly (readonly string[])[], day: string, game = '', isWanted: (id: string) => boolean = () => true): string[] {
  const back = due(all, day, game).filter(isWanted)
  const piles = decks.map((deck) => fresh(all, deck, SET))
  const rows = Array.from({ length: SET }, (_, at) => piles.flatMap((pile) => pile[at] ?? []))
  return [...new Set([...back, ...rows.flat()])].slice(0, SET)
}

/** The average of some points, rounded. */
export function score(points: readonly number[]): number {
  return points.length ? Math.round(points.reduce((one, other) => one + other, 0) / points.length) : 0
}

/** How many days in a row the daily five were finished, up to today, or to yesterday while today's are open. */
export function streak(all: Practised, day: string): number {
  const finished = (each: string) => Object.keys(all.daily[each] ?? {}).length >= SET
  let at = finished(day) ? day : later(day, -1)
  let days = 0
  for (; finished(at); at = later(at, -1)) days += 1
  return days
}

const BARS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█']

/** Points as a bar of one character. */
export function bar(points: number): string {
  return BARS[Math.min(Math.floor((points * BARS.length) / 100), BARS.length - 1)] ?? ''
}

/** The result of a day's five in a line to send to others. */
export function resultLine(day: string, points: readonly number[], days: number): string {
  const row = days > 1 ? `, ${days} days in a row` : ''
  return `Hotdice daily five ${day}: ${score(points)} of 100 (${points.map(bar).join('')})${row}`
}

// A review as a page shows it: figures in words, lines and bars, and where stepping through a game stops. All of it is read off the
// server's report; nothing is worked out about a game.
import type { components } from './schema'
import { figure } from './words'

type Schemas = components['schemas']
export type Reviewed = Schemas['Reviewed']
export type Report = Schemas['Report']
export type EventReport = Schemas['EventReport']
export type SeatReport = Schemas['SeatReport']
export type Alternative = Schemas['Alternative']
export type Replay = Schemas['Replay']
export type WhatIf = Schemas['WhatIf']
type Prospect = Schemas['Prospect']

export const CHANCE = 'win probability'

/** How decisions are marked: a sign that says the same without its colour, and the word. */
export const SIGNS: Record<string, { sign: string; kind: string }> = {
  best: { sign: '✓', kind: 'best' },
  good: { sign: '·', kind: 'good' },
  doubtful: { sign: '?!', kind: 'doubtful' },
  bad: { sign: '?', kind: 'bad' },
  'very bad': { sign: '??', kind: 'worst' },
}
/** What is worth a mark in the list: the rest is as it should be. */
export const MISTAKES: readonly string[] = ['doubtful', 'bad', 'very bad']
/** So many reasons are told; more are no help. */
const REASONS = 4

/** A value, as finely as it is known: “54.2%” or “231.4”. */
export function valueWords(value: number, unit: string, error = 0): string {
  if (unit === CHANCE) return `${figureOf(100 * value, error >= 0.005 ? 0 : 1)}%`
  return figureOf(value, error >= 0.5 ? 0 : 1)
}

/** A change, with its sign: “+4.3%”, “−2.0”; “±0” for what rounds to nothing. */
export function changeWords(value: number, unit: string, error = 0): string {
  const size = valueWords(Math.abs(value), unit, error)
  if (!/[1-9]/.test(size)) return unit === CHANCE ? '±0%' : '±0'
  return `${value > 0 ? '+' : '−'}${size}`
}

function figureOf(value: number, decimals: number): string {
  const [whole = '0', part] = Math.abs(value).toFixed(decimals).split('.')
  const sign = value < 0 && Number(value.toFixed(decimals)) !== 0 ? '−' : ''
  return `${sign}${figure(Number(whole))}${part ? `.${part}` : ''}`
}

/** How far something may be off: “± 0.4%”. */
export const errorWords = (error: number, unit: string) => `± ${valueWords(error, unit, error / 3)}`

// Moments and turns

/** A turn: its first and last event, whose it was, and how lucky its rolls were for that seat. */
export interface Turn {
  first: number
  last: number
  seat: number
  luck: number
}

/** The turns of a game, of events each with its turn and seat. */
export function turnsOf(events: readonly Pick<EventReport, 'turn' | 'seat' | 'luck'>[]): Turn[] {
  const turns: Turn[] = []
  let number = -1
  for (const [at, event] of events.entries()) {
    if (event.turn !== number || !turns.length) turns.push({ first: at, last: at, seat: event.seat, luck: 0 })
    number = event.turn
    const turn = turns[turns.length - 1]
    if (!turn) continue
    turn.last = at
    turn.luck += event.luck[turn.seat] ?? 0
  }
  return turns
}

/** The turns of a game of which there is no report: each begins with a fresh roll, or with another seat. */
export function turnsPlayed(events: readonly { seat: number; fresh: boolean }[]): Turn[] {
  let turn = -1
  let seat = -1
  return turnsOf(
    events.map((event) => {
      if (event.fresh || event.seat !== seat) turn += 1
      seat = event.seat
      return { turn, seat, luck: [] }
    }),
  )
}

/** Where the next step leads: by events, or from the end of one turn to that of the next. */
export function stepFrom(at: number, by: 1 | -1, count: number, turns: readonly Turn[] | null): number {
  if (!turns) return Math.min(count, Math.max(0, at + by))
  const stops = [0, ...turns.map(({ last }) => last + 1)]
  const next = by > 0 ? stops.find((stop) => stop > at) : stops.findLast((stop) => stop < at)
  return next ?? (by > 0 ? count : 0)
}

/** For each seat what every moment was worth to it, from before the first event to after the last; null where nobody knows. */
export function linesOf(report: Report): (number | null)[][] {
  const { events, players } = report
  return Array.from({ length: players }, (_, seat) =>
    Array.from({ length: events.length + 1 }, (__, at) => {
      const next = events[at]
      const before = events[at - 1]
      return next?.judged ? (next.before[seat] ?? null) : before?.judged ? (before.after[seat] ?? null) : null
    }),
  )
}

/** From where to where the values go: all chances, or the points that occur, with a little room. */
export function rangeOf(lines: readonly (readonly (number | null)[])[], unit: string): { low: number; high: number } {
  if (unit === CHANCE) return { low: 0, high: 1 }
  const known = lines.flat().filter((value) => value !== null)
  if (!known.length) return { low: 0, high: 1 }
  const [low, high] = [Math.min(...known), Math.max(...known)]
  const room = Math.max(1, (high - low) * 0.08)
  return { low: low - room, high: high + room }
}

/** A line over all moments, in a picture that is as wide as the game has events and 100 high; it breaks where nothing is known. */
export function pathOf(values: readonly (number | null)[], { low, high }: { low: number; high: number }): string {
  let path = ''
  let pen = 'M'
  for (const [at, value] of values.entries()) {
    if (value === null) {
      pen = 'M'
      continue
    }
    path += `${pen}${at} ${Number((100 - (100 * (value - low)) / (high - low)).toFixed(2))}`
    pen = 'L'
  }
  return path
}

/** Places that are at least so far apart and in the same order, as near to the wanted ones as they can be within 0 and the end. */
export function spread(wanted: readonly number[], gap: number, end: number): number[] {
  const order = wanted.map((_, index) => index).sort((one, other) => (wanted[one] ?? 0) - (wanted[other] ?? 0))
  const apart = Math.min(gap, order.length > 1 ? end / (order.length - 1) : gap)
  const places = [...wanted]
  let least = 0
  for (const index of order) least = (places[index] = Math.max(least, places[index] ?? 0)) + apart
  let most = end
  for (const index of order.reverse()) most = (places[index] = Math.min(most, places[index] ?? 0)) - apart
  return places
}

// Decisions

/** What speaks for the best move against another, in the game's own terms, the weightiest first: “+2.1 in some box”. */
export function reasonsOf(made: Alternative, best: Alternative): string[] {
  const before = new Map(made.prospects.map((prospect) => [prospect.name, prospect]))
  const names = [...new Set([...best.prospects, ...made.prospects].map(({ name }) => name))]
  const after = new Map(best.prospects.map((prospect) => [prospect.name, prospect]))
  return names
    .map((name) => {
      const [one, other] = [after.get(name), before.get(name)]
      const of = one ?? other
      const value = (one?.value ?? 0) - (other?.value ?? 0)
      return { of, value, error: Math.hypot(one?.error ?? 0, other?.error ?? 0) }
    })
    .filter(({ value, error }) => Math.abs(value) > error)
    .sort((one, other) => Math.abs(other.value) - Math.abs(one.value))
    .flatMap(({ of, value }) => (of && told(value, of) ? [`${told(value, of)} ${of.words}`] : []))
    .slice(0, REASONS)
}

function told(value: number, { unit }: Prospect): string {
  const size = Math.abs(value)
  const shown = unit === 'chance' ? `${(100 * size).toFixed(1)}%` : size.toFixed(unit === 'turns' ? 2 : 1)
  return /[1-9]/.test(shown) ? `${value > 0 ? '+' : '−'}${shown}` : ''
}

/** The move of a decision that was made, and the best one, among those that are listed. */
export function chosen(event: EventReport): { made?: Alternative; best?: Alternative } {
  return { made: event.alternatives.find(({ text }) => text === event.text), best: event.alternatives.find(({ text }) => text === event.best) }
}

// The account

/** A rung of the ladder from the value at the start to the result: the bar goes from one value to another. */
export interface Rung {
  label: string
  from: number
  to: number
  shown: string
  kind: 'whole' | 'gain' | 'loss'
  note?: string
}

/** Start, luck, own losses, what the others gave, what is left to explain, and the result: together they add up. */
export function ladderOf(seat: SeatReport, report: Pick<Report, 'unit' | 'exact' | 'players' | 'finished' | 'error'>): Rung[] {
  const { unit } = report
  const error = report.exact ? 0 : report.error
  const rungs: Rung[] = [{ label: 'At the start', from: 0, to: seat.start, shown: valueWords(seat.start, unit, error), kind: 'whole' }]
  let at = seat.start
  const step = (label: string, change: number, note?: string) => {
    rungs.push({ label, from: at, to: at + change, shown: changeWords(change, unit, error), kind: change < 0 ? 'loss' : 'gain', note })
    at += change
  }
  step('Luck', seat.luck)
  step('Own mistakes', -seat.losses)
  if (report.players > 1) step('Mistakes of others', seat.gifts)
  if (!report.exact) step('Left by estimates', seat.remainder, errorWords(seat.remainder_error, unit))
  rungs.push({
    label: report.finished ? 'Result' : 'As it stood',
    from: 0,
    to: seat.result,
    shown: valueWords(seat.result, unit, report.finished ? 0 : error),
    kind: 'whole',
  })
  return rungs
}

/** What luck made of the game, as one sentence; within the error of estimates nobody is said to have been better. */
export function luckVerdict(report: Report): string {
  const { seats, unit, finished } = report
  const [first] = seats
  if (!finished || !first) return ''
  if (seats.length === 1)
    return `The dice gave ${changeWords(first.luck, unit)} points; with average luck it would have been ${valueWords(first.luck_adjusted, unit)}.`
  const winners = seats.filter(({ result }) => result === Math.max(...seats.map((seat) => seat.result)))
  const [winner = first] = winners
  const others = seats.filter(({ seat }) => seat !== winner.seat)
  const rival = others.reduce((one, other) => (other.luck_adjusted > one.luck_adjusted ? other : one))
  const error = report.exact ? 1e-9 : Math.max(...seats.map((seat) => seat.remainder_error))
  const words = (seat: SeatReport) => valueWords(seat.luck_adjusted, unit, error)
  const gap = winner.luck_adjusted - rival.luck_adjusted
  const both = `${words(winner)} to win for ${winner.name}, ${words(rival)} for ${rival.name}`
  if (winners.length > 1 || Math.abs(gap) <= error) return `With average luck it would have been open: ${both}.`
  if (gap > 0) {
    if (winner.luck_adjusted >= 1) return `${winner.name} earned it, and would have won with average luck as well.`
    return `${winner.name} earned it: with average luck still ${words(winner)} to win, and ${rival.name} ${words(rival)}.`
  }
  if (rival.luck_adjusted >= 1) return `Luck decided: with average luck ${rival.name} would have won.`
  return `Luck decided: with average luck ${rival.name} would have had ${words(rival)} to win, and ${winner.name} ${words(winner)}.`
}

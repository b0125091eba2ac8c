// What became of the scores, from what the log has of them: what they were when the game started, and whenever they changed.
import type { ShownEntry } from './types'

/**
 * By how much the event of that number changed a seat's score; null where the score before it is not known. `played` are the
 * rolls and moves that stand, `events` all that happened.
 */
export function changeBy(events: readonly ShownEntry[], played: readonly ShownEntry[], number: number, seat: number): number | null {
  const at = played.findIndex((event) => event.number === number)
  if (at < 0) return null
  const after = played[at]?.scores?.[seat]
  if (after === undefined) return 0
  const known = played.slice(0, at).findLast((event) => event.scores?.length) ?? events.findLast((event) => event.entry.kind === 'started')
  const before = known?.scores?.[seat]
  return before === undefined ? null : after - before
}

/** The numbers that matter in an event: what is at stake after it, what it changed in the scores, and what those are now. */
export function numbersOf(events: readonly ShownEntry[], event: ShownEntry): number[] {
  const numbers = event.stake ? [event.stake] : []
  if (!event.scores) return numbers
  const at = events.findIndex((one) => one.number === event.number)
  const before = events.slice(0, Math.max(0, at)).findLast((one) => one.scores?.length)?.scores
  for (const [seat, score] of event.scores.entries()) {
    const change = score - (before?.[seat] ?? score)
    if (change) numbers.push(Math.abs(change), Math.abs(score))
  }
  return numbers
}

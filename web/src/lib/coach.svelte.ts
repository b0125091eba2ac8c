// Asks the server what the moves are worth, and keeps the answer as long as the table stands where it stood.
import { api, Trouble } from './api'
import type { Table } from './table.svelte'
import type { Advice } from './types'

const AGAIN = 1200
/** Milliseconds until an estimate is asked for again, if exact values are being made. */
const BETTER = 10_000

export class CoachModel {
  advice = $state.raw<Advice | null>(null)
  asking = $state(false)
  /** How far the game is solved, while that takes long; null if nobody knows. */
  share = $state<number | null>(null)
  problem = $state('')
  private timer: ReturnType<typeof setTimeout> | undefined
  private wanted = -1

  constructor(private readonly table: Table) {}

  /** What was said about the state that is shown, if anything was. */
  get current(): Advice | null {
    return this.advice && this.advice.number === this.table.shown?.number ? this.advice : null
  }

  ask(): void {
    const number = this.table.shown?.number ?? -1
    if (this.current || (this.asking && this.wanted === number)) return
    this.wanted = number
    this.asking = true
    this.share = null
    this.problem = ''
    void this.fetch(number)
  }

  /** The table stands elsewhere: what was asked about is of no interest any more. */
  moveOn(number: number): void {
    this.problem = ''
    if (this.wanted !== number) this.stop()
  }

  stop(): void {
    clearTimeout(this.timer)
    this.wanted = -1
    this.asking = false
  }

  private async fetch(number: number): Promise<void> {
    try {
      const advice = await api.advice(this.table.name, this.table.token)
      if (this.wanted !== number) return
      this.share = advice.share
      if (advice.ready && advice.number === number) {
        if (advice.exact || !this.current) this.advice = advice
        if (advice.share !== null) this.timer = setTimeout(() => void this.fetch(number), BETTER)
      } else if (advice.number === number) {
        this.timer = setTimeout(() => void this.fetch(number), AGAIN)
        return
      }
    } catch (error) {
      if (this.wanted !== number) return
      this.problem = error instanceof Trouble ? error.message : 'The coach does not answer; ask again.'
    }
    this.asking = false
  }
}

type Unit = Advice['unit']
type Valued = Pick<Advice['moves'][number], 'value' | 'error'>

/** A value as people read it, as finely as it is known. */
export function amount(value: number, unit: Unit, error = 0): string {
  if (unit === 'win probability') return `${(100 * value).toFixed(error >= 0.005 ? 0 : 1)}%`
  if (unit === 'points') return value.toFixed(error >= 0.5 ? 0 : 1)
  const points = Math.abs(value).toFixed(error >= 0.05 ? 1 : 2)
  return Number(points) ? `${points} ${value < 0 ? 'behind' : 'ahead'}` : 'even'
}

/** How far it may be off. */
export function margin(error: number, unit: Unit): string {
  if (unit === 'win probability') return `± ${(100 * error).toFixed(error >= 0.005 ? 0 : 1)}%`
  return `± ${error.toFixed(error >= 0.5 ? 0 : 1)}`
}

/** How far a move is behind the first, which is known better than both of their values. */
export function behind(move: Pick<Advice['moves'][number], 'behind' | 'behind_error'>, unit: Unit): string {
  const fine = move.behind_error < (unit === 'win probability' ? 0.005 : 0.5)
  const gap = Math.max(0, unit === 'win probability' ? 100 * move.behind : move.behind).toFixed(fine ? 1 : 0)
  return `${gap}${unit === 'win probability' ? '%' : ''} ${margin(move.behind_error, unit)} less`
}

/** What a move loses, so finely that it is never nothing. */
export function lost(loss: number, unit: Unit): string {
  const amount = unit === 'win probability' ? 100 * loss : loss
  const places = amount >= 0.05 ? 1 : amount >= 0.005 ? 2 : 3
  return `${amount.toFixed(places)}${unit === 'win probability' ? '%' : ''}`
}

export const UNITS: Record<string, string> = {
  'win probability': 'chance to win',
  points: 'points in the end, on average',
  'round points': 'points ahead or behind in this round, on average',
}

/** The scale of bars that begin at nothing: from the lowest value below it to the highest above. */
export interface Scale {
  low: number
  high: number
}

export function scaleOf(moves: readonly Valued[], exact: boolean): Scale {
  const off = (move: Valued) => (exact ? 0 : move.error)
  const low = Math.min(0, ...moves.map((move) => move.value - off(move)))
  const high = Math.max(0, ...moves.map((move) => move.value + off(move)))
  return { low, high: high === low ? low + 1 : high }
}

/** Where a value is on a scale, in hundredths of its length. */
export function along(value: number, { low, high }: Scale): number {
  return (100 * (Math.min(Math.max(value, low), high) - low)) / (high - low)
}

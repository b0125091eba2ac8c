// A game that is over, to step through: one table that stands as it did at any moment. All moments are here from the start, so that a
// step asks nobody for anything.
import { Table } from './table.svelte'
import type { Replay } from './review'
import type { Shown, ShownEntry } from './types'

export class Stage {
  readonly table: Table
  /** The table at every moment, from before the first roll to the end. */
  readonly states: readonly Shown[]
  /** What had happened by then, as a number of entries. */
  private readonly lengths: readonly number[]
  private readonly entries: readonly ShownEntry[]
  /** The rolls and moves, in their order. */
  readonly played: readonly ShownEntry[]
  /** The moment that is shown: how many rolls and moves have been played. */
  at = $state(0)

  constructor(name: string, { welcome, updates }: Replay) {
    this.states = [welcome.state, ...updates.map(({ state }) => state)]
    const entries = [...welcome.events]
    const lengths = [entries.length]
    for (const { events } of updates) {
      entries.push(...events)
      lengths.push(entries.length)
    }
    this.entries = entries
    this.lengths = lengths
    this.played = entries.filter(({ entry }) => entry.kind === 'rolled' || entry.kind === 'moved')
    this.table = Table.standing(name, welcome)
  }

  /** How many rolls and moves the game has. */
  get count(): number {
    return this.states.length - 1
  }

  go(at: number): void {
    const to = Math.min(this.count, Math.max(0, at))
    const state = this.states[to]
    if (to === this.at || !state) return
    this.at = to
    this.table.stand(this.entries.slice(0, this.lengths[to]), state)
  }

  /** The dice that had fallen last, as they are typed. */
  facesAt(at: number): readonly string[] {
    const entry = this.played.slice(0, at).findLast((event) => event.entry.kind === 'rolled')?.entry
    return entry?.kind === 'rolled' ? entry.roll.split(' ') : []
  }
}

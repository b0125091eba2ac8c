// Bots can be asked why they chose as they did.
import { api, Trouble } from './api'
import type { Table } from './table.svelte'
import type { ShownEntry } from './types'

const AGAIN = 1200

/** Whether it is a choice that a bot made, for itself or for somebody, and can be asked about. A lesson has no table to ask. */
export function chosenByBot(table: Table, { entry }: ShownEntry): boolean {
  return table.name !== '' && entry.kind === 'moved' && Boolean(entry.by || table.seats[entry.seat]?.kind === 'bot')
}

/** The last choice of a bot in a seat, in the game that is shown. */
export function lastChoice(table: Table, seat: number): ShownEntry | undefined {
  return table.played.findLast((event) => event.entry.kind === 'moved' && event.entry.seat === seat && chosenByBot(table, event))
}

/** Why a bot made a move, as a sentence. It may take the server a while. */
export async function reasonFor(table: string, number: number): Promise<string> {
  try {
    for (;;) {
      const { ready, told } = await api.why(table, number)
      if (ready) return told
      await new Promise((resolve) => setTimeout(resolve, AGAIN))
    }
  } catch (error) {
    return error instanceof Trouble ? error.message : 'It does not say. Ask again.'
  }
}

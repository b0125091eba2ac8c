// Setting a table up: its seats are kept in this browser, and games against bots that were left behind long ago are given up.
import { api, Trouble } from './api'
import { kept } from './kept'
import type { TableMade, TableWish } from './types'

/** Tables that are to begin as soon as their page is connected: whoever is there then has a share in the dice. */
export const toBegin = new Set<string>()

export async function begin(wish: TableWish): Promise<TableMade> {
  const shares = wish.dice !== 'manual' && wish.seats.some((seat) => seat.kind === 'person' || seat.kind === 'local')
  const made = await api.create(shares ? { ...wish, start: false } : wish)
  if (shares && wish.start) toBegin.add(made.table.name)
  kept.take(made)
  void giveUp()
  return made
}

async function giveUp(): Promise<void> {
  for (const { table, tokens } of kept.leftBehind()) {
    try {
      for (const token of tokens) await api.leave(table, token)
    } catch (error) {
      if (!(error instanceof Trouble) || error.kind === 'away') return // another time
    }
    kept.lose(table)
  }
}

// The tables this browser was at, in words.
import { company } from '../../lib/names'
import type { TableCard } from '../../lib/types'
import { plural } from '../../lib/words'

/** A table as lists have it. `actor` is the seat that has to act, counted from 0, where the server says so. */
export type Listed = TableCard & { actor?: number | null }

/** The seats, counted from 0, that are most likely this browser's: it knows its owner's name and how many seats it has. */
export function likelyMine(table: Listed, own: string, tokens: number): number[] {
  return table.seats.flatMap((seat, index) => {
    const mine = seat.kind === 'person' ? seat.name === own || seat.name === 'You' : seat.kind === 'local' && tokens > 1
    return mine ? [index] : []
  })
}

/** “Kismet with Ben” */
export function titled(table: Listed, own: string, tokens: number): string {
  const mine = likelyMine(table, own, tokens)
  const others = table.seats.filter((seat, index) => seat.name && !mine.includes(index)).map((seat) => seat.name)
  const title = table.title.split(',')[0] ?? table.title
  return others.length ? `${title} with ${company(others)}` : title
}

export function standing(table: Listed, own: string, tokens: number): string {
  const open = table.seats.filter((seat) => seat.kind === 'open').length
  if (table.status === 'over') return 'Played to the end'
  if (table.status === 'closed') return 'Given up'
  if (table.status === 'waiting') return open ? `${plural(open, 'seat')} still open` : 'Everybody is here, it can start'
  if (typeof table.actor !== 'number') return 'The game goes on'
  if (likelyMine(table, own, tokens).includes(table.actor)) return 'Your turn is waiting'
  return `${table.seats[table.actor]?.name ?? 'Somebody'} is to play`
}

/** Unfinished ones first, the latest of each first. */
export function sorted<Item extends { card: Listed }>(items: readonly Item[]): Item[] {
  const going = (item: Item) => item.card.status === 'playing' || item.card.status === 'waiting'
  return [...items.filter(going), ...items.filter((item) => !going(item))]
}

// The tables this browser was at, in words. `mine` are its seats there, counted from 0.
import { company } from '../../lib/names'
import type { TableCard } from '../../lib/types'
import { plural } from '../../lib/words'

/** A table as lists have it. Its `actor` is the seat that has to act, if any, by the number that seats have there. */
export type Listed = TableCard

/** The game and the others at the table: “Pig with Ben” */
export function titled(table: Listed, mine: readonly number[]): string {
  const others = table.seats.filter((seat, index) => seat.name && !mine.includes(index)).map((seat) => seat.name)
  const title = table.title.split(',')[0] ?? table.title
  return others.length ? `${title} with ${company(others)}` : title
}

export function standing(table: Listed, mine: readonly number[]): string {
  const open = table.seats.filter((seat) => seat.kind === 'open').length
  if (table.status === 'over') return 'Played to the end'
  if (table.status === 'closed') return 'Given up'
  if (table.status === 'waiting') return open ? `${plural(open, 'seat')} still open` : 'Everybody is here, it can start'
  const actor = table.seats.findIndex(({ seat }) => seat === table.actor)
  if (actor < 0) return 'The game goes on'
  if (mine.includes(actor)) return 'Your turn is waiting'
  return `${table.seats[actor]?.name || 'Somebody'} is to play`
}

/** Unfinished ones first, the latest of each first. */
export function sorted<Item extends { card: Listed }>(items: readonly Item[]): Item[] {
  const going = (item: Item) => item.card.status === 'playing' || item.card.status === 'waiting'
  return [...items.filter(going), ...items.filter((item) => !going(item))]
}

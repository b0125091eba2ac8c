// The tables this browser was at, in words. `mine` are its seats there, counted from 0.
import { company } from '../../lib/names'
import type { TableCard } from '../../lib/types'
import { figure, plural } from '../../lib/words'

/** A table as lists have it. Its `actor` is the seat that has to act, if any, by the number that seats have there. */
export type Listed = TableCard

export function shortTitle(table: Listed): string {
  return table.title.split(',')[0] ?? table.title
}

/** The game and the others at the table: “Pig with Ben” */
export function titled(table: Listed, mine: readonly number[]): string {
  const others = table.seats.filter((seat, index) => seat.name && (table.challenge ? seat.kind === 'bot' : !mine.includes(index))).map((seat) => seat.name)
  const title = shortTitle(table)
  return others.length ? `${title} with ${company(others)}` : title
}

export function standing(table: Listed, mine: readonly number[]): string {
  const open = table.seats.filter((seat) => seat.kind === 'open').length
  if (table.status === 'waiting') return open ? `${plural(open, 'seat')} still open` : 'Everybody is here, it can start'
  if (table.challenge) return 'A challenge, and your one try at it'
  const actor = table.seats.findIndex(({ seat }) => seat === table.actor)
  if (actor < 0) return 'The game goes on'
  if (mine.includes(actor)) return 'Your turn is waiting'
  return `${table.seats[actor]?.name || 'Somebody'} is to play`
}

export interface Finished {
  table: string
  game: string
  number: number
  ended: string
  title: string
  note: string
  /** The challenge that it was played in, if it was: what everybody made of it is there. */
  challenge: string
}

/** Every game that came to its end at these tables, the latest first: who won, the scores, and the day. */
export function finished(tables: readonly Listed[]): Finished[] {
  return tables
    .flatMap((table) =>
      table.games.flatMap(({ number, ended, why, seats }) => {
        if (why) return []
        const order = [...seats].sort((one, other) => one.place - other.place)
        const first = order.filter((seat) => seat.place === 1).map((seat) => seat.name)
        const title = `${shortTitle(table)}${seats.length > 1 ? `: ${company(first)} won` : ''}`
        const scores = order.slice(0, SCORES).map((seat) => `${seat.name} ${figure(seat.score)}`)
        const more = order.length > SCORES ? [`and ${order.length - SCORES} more`] : []
        return [{ table: table.name, game: table.game, number, ended, title, note: `${[...scores, ...more].join(', ')} · ${dayOf(ended)}`, challenge: '' }]
      }),
    )
    .concat(tables.filter((table) => table.challenge && table.status === 'over').map(inChallenge))
    .sort((one, other) => other.ended.localeCompare(one.ended))
}

const SCORES = 4

/** A game of a challenge, of which lists say no more than that it is over. */
function inChallenge(table: Listed): Finished {
  const { name, game, created, challenge } = table
  return {
    table: name,
    game,
    number: 1,
    ended: created,
    title: `${shortTitle(table)}: a challenge`,
    note: `See how everybody did · ${dayOf(created)}`,
    challenge,
  }
}

function dayOf(time: string): string {
  return new Date(time).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' })
}

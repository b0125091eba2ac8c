// The next game at a table: who is asked, who is in, and what that comes to in words.
import type { Invitation, SeriesScore, WireSeat } from './types'
import { listed } from './words'

export interface Asked {
  /** Their number: a seat of the last game, or after those one of the newcomers. */
  seat: number
  name: string
  answer: 'in' | 'out' | 'asked'
  present: boolean
}

/** The people who are asked or came in, in their order; those who left are not among them, and no bots. */
export function askedPeople(seats: readonly WireSeat[], invitation: Invitation, present: readonly number[]): Asked[] {
  return [...seats, ...invitation.newcomers].flatMap((each, seat) => {
    if (each.kind === 'bot' || each.kind === 'open' || each.gone) return []
    const answer = invitation.accepted.includes(seat) ? 'in' : invitation.declined.includes(seat) ? 'out' : 'asked'
    return [{ seat, name: each.name, answer, present: present.includes(seat) }] satisfies Asked[]
  })
}

/** How many would play if it began now, bots among them: whoever is in, but away, is left out. */
export function players(seats: readonly WireSeat[], people: readonly Asked[]): number {
  return seats.filter((seat) => seat.kind === 'bot').length + people.filter((each) => each.answer === 'in' && each.present).length
}

/** What starts the next game, and without whom. */
export function startWords(people: readonly Asked[]): string {
  const missing = people.filter((each) => each.answer === 'in' && !each.present).map((each) => each.name)
  return missing.length ? `Start without ${listed(missing)}` : 'Start the next game'
}

/** “Ann 3, Ben 1” */
export function seriesWords(series: readonly SeriesScore[]): string {
  return series.map(({ name, wins }) => `${name} ${wins}`).join(', ')
}

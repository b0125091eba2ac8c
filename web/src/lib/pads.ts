// The score pads that the server draws, for real dice.
import { browserGame } from './games'
import type { OptionValue } from './types'
import { numberWord } from './words'

export const PAPERS = [
  ['a4', 'A4'],
  ['letter', 'Letter'],
] as const

export type Paper = (typeof PAPERS)[number][0]

/** House rules as the server writes them, “bank_roll=true,target=3000”. */
export function optionsText(values: Record<string, OptionValue>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${value}`)
    .sort()
    .join(',')
}

/** Where a game’s pad is, with the house rules that differ from the printed ones. */
export function padAddress(game: string, options: Record<string, OptionValue>, paper: Paper): string {
  const asked = new URLSearchParams({ paper })
  const text = optionsText(options)
  if (text) asked.set('options', text)
  return `/api/games/${encodeURIComponent(game)}/pad.pdf?${asked.toString()}`
}

/** What to say where one sheet has too few columns for everybody. */
export function sheetsNote(game: string, players: number): string {
  const room = browserGame(game).padSeats ?? players
  return players > room ? `Print it twice: a sheet has room for ${numberWord(room)}.` : ''
}

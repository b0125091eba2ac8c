// What the browser has of each game: the folders of `games/`, found by their names. A game without one, or one that leaves things out,
// gets what is plain: nothing outside its folder knows a game by name.
import type { Component } from 'svelte'

import { plainLooks, type DieLook } from './dice'
import type { Table } from './table.svelte'
import type { GameCard } from './types'

/** What the `index.ts` of a game's folder exports by default. Pages have it from the start, so what is large is imported when it is asked for. */
export interface BrowserGame {
  board?: () => Promise<{ default: Component<{ table: Table }> }>
  /** What the end of a game shows beside who won. */
  settlement?: () => Promise<{ default: Component<{ table: Table }> }>
  /** What is drawn over the result of a game that has just ended, for less than five seconds. */
  celebration?: () => Promise<{ default: Component }>
  /** Its dice, in the order of the game's card. */
  dice?: readonly DieLook[]
  /** What draws the figures of its rules that are not just dice, by their names. */
  figures?: Record<string, () => Promise<{ default: Component<{ lines: readonly string[] }> }>>
  /** The faces of five dice, as they lie on the game's tile. */
  toss?: readonly string[]
  /** What they lie on; it fills the tile. */
  backdrop?: Component
  /** What goes with the accent of the game's card. */
  shades?: { light: Shades; dark: Shades }
  /** Its house rules in plain words, in the order in which they are asked. */
  options?: Record<string, OptionWords>
  /** Who begins, as the seats' order has it. */
  seating?: string
  /** How many find room on one sheet of its score pad, if they are fewer than can play. */
  padSeats?: number
  /** What to ask for whoever begins, where players know it of themselves: the round then starts with their seat. */
  first?: string
}

export interface Shades {
  /** Text on the accent. */
  on: string
  /** The accent as text, on every surface. */
  ink: string
  /** The accent as a surface. */
  soft: string
}

export interface OptionWords {
  title: string
  /** What it is about; for a switch, what happens when it is on. */
  about?: string
  /** Texts of the values, by the value as text. */
  values?: Record<string, string>
  /** How far one press of plus or minus goes. */
  stride?: number
  unit?: string
}

const FOLDERS = Object.fromEntries(
  Object.entries(import.meta.glob<BrowserGame>('../games/*/index.ts', { eager: true, import: 'default' })).map(([path, game]) => [
    path.split('/').at(-2) ?? '',
    game,
  ]),
)
const PLAIN_GAME: BrowserGame = {}

/** The games that have a folder. */
export const FOLDER_NAMES: readonly string[] = Object.keys(FOLDERS)

export function browserGame(name: string): BrowserGame {
  return FOLDERS[name] ?? PLAIN_GAME
}

/** The board of a game: its own, or the one that suits any. */
export async function boardOf(name: string): Promise<Component<{ table: Table }>> {
  const { board = () => import('../components/GenericBoard.svelte') } = browserGame(name)
  return (await board()).default
}

/** The dice of a game, by its folder or else by its card; none if there is neither yet. */
export function looksOf(name: string, card: GameCard | null): readonly DieLook[] {
  return browserGame(name).dice ?? plainLooks(card?.dice ?? [])
}

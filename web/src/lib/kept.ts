// What this browser remembers: the tokens of its seats at each table, the name its owner plays under, and the tables it was at.
import type { TableMade } from './types'

export interface Kept {
  table: string
  game: string
  tokens: string[]
  /** Which seats these open, counted from 0, as far as the server has said. */
  seats?: number[]
  /** When it was last opened, in milliseconds. */
  at: number
}

const KEY = 'hotdice.tables'
const NAME = 'hotdice.name'
const MOST = 20

/** For browsers that keep nothing: it lasts until the page is closed. */
const memory = new Map<string, string>()

function fetched(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return memory.get(key) ?? null
  }
}

function write(key: string, value: string): void {
  memory.set(key, value)
  try {
    localStorage.setItem(key, value)
  } catch {
    // Then it is in memory alone.
  }
}

function read(): Kept[] {
  try {
    const found: unknown = JSON.parse(fetched(KEY) ?? '[]')
    return Array.isArray(found) ? (found as Kept[]) : []
  } catch {
    return []
  }
}

export const clean = (table: string) => table.toLowerCase().replace(/[^a-z0-9]/g, '')

export const kept = {
  /** The tables this browser was at, the latest first. */
  all: (): Kept[] => read().sort((one, other) => other.at - one.at),

  tokens: (table: string): string[] => read().find((entry) => entry.table === clean(table))?.tokens ?? [],

  /** Keep tokens of a table's seats, besides those that are kept; and once it is known, which seats these are. */
  keep(table: string, game: string, tokens: readonly string[], seats?: readonly number[]): void {
    const name = clean(table)
    const entries = read()
    const before = entries.find((entry) => entry.table === name)
    const all = [...new Set([...(before?.tokens ?? []), ...tokens])]
    const latest: Kept = { table: name, game, tokens: all, seats: [...(seats ?? before?.seats ?? [])], at: Date.now() }
    write(KEY, JSON.stringify([latest, ...entries.filter((entry) => entry.table !== name)].slice(0, MOST)))
  },

  /** Keep the seats that the server has given out at a table. */
  take({ table, tokens }: TableMade): void {
    kept.keep(
      table.name,
      table.game,
      tokens.map((each) => each.token),
    )
  },

  forget(table: string): void {
    write(KEY, JSON.stringify(read().filter((entry) => entry.table !== clean(table))))
  },

  get name(): string {
    return fetched(NAME) ?? ''
  },

  set name(name: string) {
    write(NAME, name)
  },
}

// What this browser remembers: the tokens of its seats at each table, the name its owner plays under, and the tables it was at.
import type { Drawn } from './fair'
import { fetched, write } from './storage'
import type { TableMade } from './types'

export interface Kept {
  table: string
  game: string
  tokens: string[]
  /** Which seats these open, counted from 0, as far as the server has said. */
  seats?: number[]
  /** When it was last opened, in milliseconds. */
  at: number
  /** Whether its last game was over when it was last looked at. */
  over?: boolean
  /** Whether one person plays there against bots. */
  alone?: boolean
  /** The challenge that is played there, if one is. */
  challenge?: string
  /** Its games that are taken off the list of those played before. */
  hidden?: number[]
}

const KEY = 'hotdice.tables'
const NAME = 'hotdice.name'
const LESSONS = 'hotdice.lessons'
const STRINGS = 'hotdice.strings'
/** Tables with unfinished games are all kept; of the others so many. */
const MOST = 100
/** Of so many games it is kept what was drawn for their dice. */
const DRAWN = 200
/** So many unfinished games against bots stay when another one begins. */
const ALONE = 5

/** How far somebody has come in a lesson. */
export interface LessonPlace {
  scene: number
  step: number
  /** Whether they have been through to the end once. */
  done: boolean
}

function save(entries: readonly Kept[]): void {
  let over = 0
  write(KEY, JSON.stringify(entries.filter((entry) => !entry.over || (over += 1) <= MOST)))
}

function change(table: string, alter: (entry: Kept) => Kept): void {
  save(read().map((entry) => (entry.table === clean(table) ? alter(entry) : entry)))
}

function read(): Kept[] {
  try {
    const found: unknown = JSON.parse(fetched(KEY) ?? '[]')
    return Array.isArray(found) ? (found as Kept[]) : []
  } catch {
    return []
  }
}

function lessons(): Record<string, LessonPlace> {
  try {
    return (JSON.parse(fetched(LESSONS) ?? '{}') ?? {}) as Record<string, LessonPlace>
  } catch {
    return {}
  }
}

function strings(): [string, Drawn[]][] {
  try {
    const found: unknown = JSON.parse(fetched(STRINGS) ?? '[]')
    return Array.isArray(found) ? (found as [string, Drawn[]][]) : []
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
    const latest: Kept = { ...before, table: name, game, tokens: all, seats: [...(seats ?? before?.seats ?? [])], at: Date.now() }
    save([latest, ...entries.filter((entry) => entry.table !== name)])
  },

  /** Keep the seats that the server has given out at a table. */
  take({ table, tokens }: TableMade): void {
    kept.keep(
      table.name,
      table.game,
      tokens.map((each) => each.token),
    )
    const alone = table.seats.filter((seat) => seat.kind !== 'bot').length === 1 && tokens.length === 1
    change(table.name, (entry) => ({ ...entry, alone, ...(table.challenge ? { challenge: table.challenge } : {}) }))
  },

  /** What opens this browser's seat in a challenge; nothing if it has not played it. */
  tokenIn: (challenge: string): string => (challenge && read().find((entry) => entry.challenge === challenge)?.tokens[0]) || '',

  /** Some tokens open nothing any more. */
  drop: (table: string, tokens: readonly string[]): void =>
    change(table, (entry) => ({ ...entry, tokens: entry.tokens.filter((token) => !tokens.includes(token)) })),

  /** The unfinished games of one person against bots that are to be given up when another one begins: all but the latest few. */
  leftBehind: (): Kept[] =>
    kept
      .all()
      .filter((entry) => entry.alone && !entry.challenge && !entry.over && entry.tokens.length)
      .slice(ALONE),

  /** Nobody here has a seat there any more; what was played there stays. */
  lose: (table: string): void => change(table, (entry) => ({ ...entry, tokens: [], seats: [] })),

  /** Whether a table's last game is over. */
  note: (table: string, over: boolean): void => change(table, (entry) => ({ ...entry, over })),

  /** Take a game off the list of those played before. */
  hide: (table: string, game: number): void => change(table, (entry) => ({ ...entry, hidden: [...(entry.hidden ?? []), game] })),

  forget(table: string): void {
    save(read().filter((entry) => entry.table !== clean(table)))
  },

  /** How far this browser has come in the lesson of a game; null before its first step. */
  lesson: (game: string): LessonPlace | null => lessons()[game] ?? null,

  keepLesson(game: string, place: LessonPlace): void {
    write(LESSONS, JSON.stringify({ ...lessons(), [game]: place }))
  },

  /** What this browser drew for the dice of a game, by the name that these have. */
  drawn: (dice: string): Drawn[] => strings().find(([name]) => name === dice)?.[1] ?? [],

  /** What it drew for the dice of all games at a table. */
  drawnAt: (table: string): Drawn[] => strings().flatMap(([name, drawn]) => (name.replace(/-\d+$/, '') === table ? drawn : [])),

  /** Keep a string for the dice of a game, with the promise that it was drawn after; or what was seen since. */
  draw(dice: string, drawn: Drawn): void {
    const others = strings().filter(([name]) => name !== dice)
    const before = kept.drawn(dice).filter((one) => one.promise !== drawn.promise || one.seat !== drawn.seat || one.string !== drawn.string)
    write(STRINGS, JSON.stringify([[dice, [...before, drawn]], ...others].slice(0, DRAWN)))
  },

  get name(): string {
    return fetched(NAME) ?? ''
  },

  set name(name: string) {
    write(NAME, name)
  },
}

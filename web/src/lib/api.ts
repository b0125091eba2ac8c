// The lobby over HTTP. Every failure is a `Trouble` with a sentence that a person can act on.
import { kept } from './kept'
import type { Replay, Reviewed, WhatIf } from './review'
import type {
  Advice,
  BookShown,
  Challenge,
  ColumnShown,
  Games,
  LessonShown,
  Mistakes,
  Moments,
  NameDeleted,
  OfferMade,
  PlayerShown,
  PracticeAnswer,
  PracticeCard,
  PracticeDeck,
  PracticeWhy,
  Problem,
  SeatToken,
  ShownEntry,
  TableCard,
  TableMade,
  TableWish,
  Welcome,
  Why,
} from './types'

export class Trouble extends Error {
  constructor(
    /** The server's word for it; `away` if the server did not answer. */
    readonly kind: string,
    message: string,
    readonly status = 0,
  ) {
    super(message)
  }
}

const AWAY = 'The server does not answer. Check that it is running and that this device is on its network, then try again.'

/** What the server answers, read to its end: it can go away in the middle, too. */
async function ask(path: string, init: RequestInit = {}): Promise<string> {
  let response: Response
  let body: string
  try {
    response = await fetch(path, init)
    body = await response.text()
  } catch {
    throw new Trouble('away', AWAY)
  }
  if (response.ok) return body
  const problem = parsed<Problem>(body)
  throw new Trouble(problem?.error ?? 'unknown', problem?.message ?? AWAY, response.status)
}

async function json<T>(path: string, init?: RequestInit): Promise<T> {
  const answer = parsed<T>(await ask(path, init))
  if (answer === null) throw new Trouble('away', AWAY) // something else answers at this address
  return answer
}

function parsed<T>(body: string): T | null {
  try {
    return JSON.parse(body) as T
  } catch {
    return null
  }
}

function post(body: unknown, token = ''): RequestInit {
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (token) headers.authorization = `Bearer ${token}`
  return { method: 'POST', headers, body: body === undefined ? undefined : JSON.stringify(body) }
}

function bearing(token: string): RequestInit {
  return token ? { headers: { authorization: `Bearer ${token}` } } : {}
}

/** A game of a challenge is shown to whoever has its seat, and to others once the challenge is over. */
const own = (table: string) => bearing(kept.tokens(table)[0] ?? '')
const in_ = (challenge: string) => `/api/challenges/${encodeURIComponent(challenge)}`
const at = (table: string) => `/api/tables/${encodeURIComponent(table)}`
let shelf: Promise<Games> | null = null

export const api = {
  /** The games and the bots, asked for once. */
  games(): Promise<Games> {
    shelf ??= json<Games>('/api/games').catch((error: unknown) => {
      shelf = null
      throw error
    })
    return shelf
  },
  rules: (game: string) => ask(`/api/games/${encodeURIComponent(game)}/rules`),
  lesson: (game: string, name: string) => json<LessonShown>(`/api/games/${encodeURIComponent(game)}/lesson?name=${encodeURIComponent(name)}`),
  decks: () => json<{ decks: PracticeDeck[] }>('/api/practice/decks'),
  /** The deck of one game, which is made first where there is none. */
  deck: (game: string) => json<{ ready: boolean; share: number | null; cards: PracticeDeck['cards'] }>(`/api/practice/decks/${encodeURIComponent(game)}`),
  /** The names of a day's five. */
  daily: (day: string) => json<{ ids: string[] }>(`/api/practice/daily?day=${day}`),
  /** The mistakes in a game that is over, of some seats counted from 1 or of all. */
  mistakes: (name: string, game: number, seats: readonly number[]) =>
    json<Mistakes>(`${at(name)}/mistakes?game=${game}${seats.map((seat) => `&seat=${seat}`).join('')}`),
  card: async (id: string, name: string): Promise<PracticeCard> => {
    const { cards } = await json<{ cards: PracticeCard[] }>(`/api/practice/cards?${new URLSearchParams({ id, name })}`)
    if (!cards[0]) throw new Trouble('no_card', 'This position is not there any more.')
    return cards[0]
  },
  answer: (id: string, move: string, box: number) => json<PracticeAnswer>('/api/practice/answers', post({ id, move, box })),
  practiceWhy: (id: string, move: string) => json<PracticeWhy>(`/api/practice/why?${new URLSearchParams({ id, move })}`),
  book: () => json<BookShown>('/api/book'),
  bookOf: (name: string) => json<PlayerShown>(`/api/book/player?${new URLSearchParams({ name })}`),
  /** Take a name out of the book for good. */
  deleteFromBook: (name: string) => json<NameDeleted>(`/api/book/player?${new URLSearchParams({ name })}`, { method: 'DELETE' }),
  reach: () => json<{ address: string }>('/api/reach'),
  tables: (status = 'waiting') => json<{ tables: TableCard[] }>(`/api/tables?status=${status}`),
  /** Tables by their names, those left out of which there are none; up to 50 at a time. */
  tablesNamed: (names: readonly string[]) => json<{ tables: TableCard[] }>(`/api/tables?${new URLSearchParams(names.map((name) => ['name', name]))}`),
  table: (name: string) => json<TableCard>(at(name)),
  create: (wish: TableWish) => json<TableMade>('/api/tables', post(wish)),
  join: (name: string, who: string, id: string, seat: number | null = null) => json<TableMade>(`${at(name)}/join`, post({ name: who, id, seat })),
  leave: (name: string, token: string) => json<TableCard>(`${at(name)}/leave`, post(undefined, token)),
  /** Let another device take seats over, counted from 1. */
  offer: (name: string, token: string, seats: readonly number[]) => json<OfferMade>(`${at(name)}/offer`, post({ seats }, token)),
  take: (name: string, code: string, id: string) => json<TableMade>(`${at(name)}/take`, post({ code, id })),
  /** Ask those at a table for the seat of somebody whose device is gone, counted from 1. */
  ask: (name: string, seat: number, id: string) => json<SeatToken>(`${at(name)}/ask`, post({ seat, id })),
  start: (name: string, token: string, bots: string, withoutAbsent = false) =>
    json<TableCard>(`${at(name)}/start`, post({ bots, without_absent: withoutAbsent }, token)),
  /** Be in the next game at a table, or not. */
  rematch: (name: string, token: string, yes: boolean) => json<TableCard>(`${at(name)}/rematch`, post({ yes }, token)),
  /** A game of a table that is over, as a table's welcome had it. */
  game: (name: string, game: number) => json<Welcome>(`${at(name)}/games/${game}`, own(name)),
  /** What happened at a table before the entry of that number, as much of it as makes a page. */
  history: (name: string, before: number) => json<{ events: ShownEntry[] }>(`${at(name)}/history?before=${before}`, own(name)),
  record: (name: string, game = 0) => ask(`${at(name)}/record?game=${game}`, own(name)),
  takeRecord: (record: string) => json<TableMade>('/api/records', post({ record })),
  advice: (name: string, token: string) => json<Advice>(`${at(name)}/advice`, bearing(token)),
  moments: (name: string, game = 0) => json<Moments>(`${at(name)}/moments?game=${game}`, own(name)),
  why: (name: string, number: number) => json<Why>(`${at(name)}/why?number=${number}`, own(name)),
  /** A game that is over, as it stood when so many of its rolls and moves had been played. */
  position: (name: string, game: number, played: number) => json<Welcome>(`${at(name)}/position?game=${game}&played=${played}`, own(name)),
  /** A challenge, or that of `today`, as somebody sees it who has that seat in it. */
  challenge: (name: string, token: string) => json<Challenge>(in_(name), bearing(token)),
  /** Play a challenge: a table of one's own. */
  tryChallenge: (name: string, who: string, id: string) => json<TableMade>(`${in_(name)}/tries`, post({ name: who, id })),
  closeChallenge: (name: string, token: string) => json<Challenge>(`${in_(name)}/close`, post(undefined, token)),
  /** What somebody made of the dice; of the best play, which is number 0. */
  column: (name: string, number: number, token: string) => json<ColumnShown>(`${in_(name)}/columns/${number}`, bearing(token)),
  review: (name: string, game: number) => json<Reviewed>(`${at(name)}/review?game=${game}`, own(name)),
  /** A game that is over, moment by moment. */
  replay: (name: string, game: number) => json<Replay>(`${at(name)}/replay?game=${game}`, own(name)),
  /** How it might have gone on after another move. */
  whatIf: (name: string, game: number, played: number, move: string, seed: number) =>
    json<WhatIf>(`${at(name)}/what-if?${new URLSearchParams({ game: `${game}`, played: `${played}`, move, seed: `${seed}` })}`, own(name)),
  /** Play it on from a moment, in one of its seats, counted from 1, against bots. */
  playOn: (name: string, game: number, played: number, seat: number, bot: string) =>
    json<TableMade>(`${at(name)}/play-on`, post({ game, played, seat, bot }, kept.tokens(name)[0] ?? '')),
}

/** A random name of 24 letters: for a wish that may be repeated, or somebody's share in the dice. */
export function randomName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

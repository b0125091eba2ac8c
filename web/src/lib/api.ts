// The lobby over HTTP. Every failure is a `Trouble` with a sentence that a person can act on.
import type { Advice, Games, Moments, Problem, TableCard, TableMade, TableWish } from './types'

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
  reach: () => json<{ address: string }>('/api/reach'),
  tables: (status = 'waiting') => json<{ tables: TableCard[] }>(`/api/tables?status=${status}`),
  table: (name: string) => json<TableCard>(at(name)),
  create: (wish: TableWish) => json<TableMade>('/api/tables', post(wish)),
  join: (name: string, who: string, id: string, string: string, seat: number | null = null) =>
    json<TableMade>(`${at(name)}/join`, post({ name: who, id, string, seat })),
  leave: (name: string, token: string) => json<TableCard>(`${at(name)}/leave`, post(undefined, token)),
  start: (name: string, token: string, bots: string) => json<TableCard>(`${at(name)}/start`, post({ bots }, token)),
  rematch: (name: string, token: string) => json<TableCard>(`${at(name)}/rematch`, post(undefined, token)),
  record: (name: string, game = 0) => ask(`${at(name)}/record?game=${game}`),
  takeRecord: (record: string) => json<TableMade>('/api/records', post({ record })),
  advice: (name: string, token: string) => json<Advice>(`${at(name)}/advice`, { headers: { authorization: `Bearer ${token}` } }),
  moments: (name: string, game = 0) => json<Moments>(`${at(name)}/moments?game=${game}`),
}

/** A random name of 24 letters: for a wish that may be repeated, or somebody's share in the dice. */
export function randomName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

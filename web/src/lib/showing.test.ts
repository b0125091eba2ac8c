// A table shows what happens one thing after the other, and lets nobody act before it shows the newest.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { TIMES } from './motion.svelte'
import { prefs } from './prefs.svelte'
import { Table } from './table.svelte'
import type { Shown, ShownEntry, View, Welcome } from './types'

let say: (message: unknown) => void = () => {}
let sent: { do: string; id: string; move?: string; on?: number }[] = []

class Socket {
  static readonly OPEN = 1
  readyState = 1
  onopen: (() => void) | null = null
  onmessage: ((event: { data: string }) => void) | null = null
  onclose: (() => void) | null = null

  constructor() {
    say = (message) => this.onmessage?.({ data: JSON.stringify(message) })
  }

  send(text: string): void {
    sent.push(JSON.parse(text) as (typeof sent)[number])
  }

  close(): void {}
}

const view = (roller: number, moves: string[] = []): View => ({
  game: 'bj',
  options: '',
  position: '',
  players: 2,
  seat: moves.length ? roller : -1,
  roller,
  prompt: '{0} rolls.',
  scores: [0, 0],
  dice: [],
  moves: moves.map((text) => ({ text, effect: null, label: `{0} does ${text}` })),
  grids: [],
  board: null,
  result: null,
})
const state = (number: number, actor: number, more: Partial<Shown> = {}): Shown => ({
  number,
  status: 'playing',
  round: 1,
  actor,
  rolls: true,
  undo: null,
  asked: null,
  waiting: [],
  deadline: null,
  now: 0,
  promise: '',
  seats: [
    { kind: 'person', name: 'Ann' },
    { kind: 'bot', name: 'Robo', bot: 'casual' },
  ],
  strings: [],
  view: view(actor),
  due: [6],
  fresh: true,
  ...more,
})
const welcome: Welcome = {
  type: 'welcome',
  table: 'k3x9w7fm',
  game: 'bj',
  dice: 'fair',
  public: false,
  clock: 'off',
  seconds: 0,
  stand_in: '',
  coach: 'off',
  seats: [0],
  events: [],
  state: state(4, 0),
}
const rolled = (number: number, seat: number): ShownEntry => ({
  number,
  at: 0,
  told: `Seat ${seat} rolls.`,
  fresh: true,
  places: ['frozen', 'rolled'],
  entry: { kind: 'rolled', seat, roll: '1 3' },
})
const update = (event: ShownEntry, after: Shown) => say({ type: 'update', events: [event], state: after })

let table: Table
beforeEach(() => {
  vi.useFakeTimers()
  const store = new Map<string, string>()
  vi.stubGlobal('localStorage', { getItem: (key: string) => store.get(key) ?? null, setItem: (key: string, value: string) => store.set(key, value) })
  vi.stubGlobal('location', { protocol: 'http:', host: 'table' })
  vi.stubGlobal('document', { hidden: false, addEventListener() {}, removeEventListener() {} })
  vi.stubGlobal('fetch', () => new Promise(() => {}))
  vi.stubGlobal('WebSocket', Socket)
  sent = []
  prefs.pace = 'calm'
  table = new Table('k3x9w7fm')
  say(welcome)
})
afterEach(() => {
  table.close()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('lets those act whose turn it is', () => {
  expect(table.acting).toBe(0)
  expect(table.rolling).toBe(true)
  expect(table.prompt).toBe('Ann rolls.')
})

it('lets nobody act before an answer has come', () => {
  table.roll()
  expect(sent.at(-1)).toMatchObject({ do: 'roll', on: 4 })
  expect(table.acting).toBeNull()
  table.roll()
  expect(sent.filter((message) => message.do === 'roll')).toHaveLength(1)
})

it('shows dice in the air before what they lead to', async () => {
  update(rolled(5, 0), state(5, 0, { rolls: false, fresh: false, view: view(0, ['roll', 'pass']) }))
  expect(table.phase).toBe('tumbling')
  expect(table.toss?.faces).toEqual(['1', '3'])
  expect(table.shown?.number).toBe(4)
  expect(table.acting).toBeNull()
  await vi.advanceTimersByTimeAsync(TIMES.calm.tumble)
  expect(table.phase).toBe('still')
  expect(table.trail).toHaveLength(1)
  expect(table.news).toBe('Seat 0 rolls.')
  expect(table.deciding).toBe(true)
  expect(table.legal('pass')).toBe(true)
  expect(table.label('pass')).toBe('Ann does pass')
})

it('shows how a turn ended before the next one begins', async () => {
  update(rolled(5, 0), state(5, 1))
  await vi.advanceTimersByTimeAsync(TIMES.calm.tumble)
  expect(table.phase).toBe('landed')
  expect(table.view?.roller).toBe(0)
  await vi.advanceTimersByTimeAsync(TIMES.calm.turn)
  expect(table.view?.roller).toBe(1)
  expect(table.trail).toEqual([])
  expect(table.before).toHaveLength(1)
})

it('shows one thing after the other, or all at once to who has seen enough', async () => {
  update(rolled(5, 1), state(5, 1, { fresh: false }))
  update(rolled(6, 1), state(6, 1, { fresh: false }))
  update(rolled(7, 1), state(7, 0))
  await vi.advanceTimersByTimeAsync(100)
  expect(table.events).toHaveLength(0)
  expect(table.acting).toBeNull()
  table.skip()
  await vi.advanceTimersByTimeAsync(0)
  expect(table.events.map((event) => event.number)).toEqual([5, 6, 7])
  expect(table.acting).toBe(0)
  expect(table.showing).toBe(false)
})

it('asks for a choice and the roll after it in one message, and shows both', async () => {
  say({ ...welcome, state: state(5, 0, { rolls: false, fresh: false, view: view(0, ['roll', 'pass']) }) })
  table.move('roll', { roll: true })
  expect(sent.at(-1)).toMatchObject({ do: 'move', on: 5, move: 'roll', then_roll: true })
  const { id = '' } = sent.at(-1) ?? {}
  const moved: ShownEntry = { number: 6, at: 0, told: 'Seat 0 goes on.', entry: { kind: 'moved', seat: 0, move: 'roll' } }
  say({ type: 'accepted', id, number: 6 })
  say({ type: 'update', events: [moved, rolled(7, 0)], state: state(7, 0, { rolls: false, fresh: false, view: view(0, ['roll', 'pass']) }) })
  expect(table.news).toBe('Seat 0 goes on.')
  expect(table.phase).toBe('tumbling')
  await vi.advanceTimersByTimeAsync(TIMES.calm.tumble)
  expect(table.shown?.number).toBe(7)
  expect(table.deciding).toBe(true)
  expect(sent.filter((message) => message.do !== 'hello')).toHaveLength(1)
})

it('tells a refusal, but not that the table had moved on', () => {
  table.roll()
  say({ type: 'stale', id: sent.at(-1)?.id, message: 'The table has moved on.', number: 9 })
  expect(table.problem).toBe('')
  table.roll()
  say({ type: 'illegal', id: sent.at(-1)?.id, message: 'The dice are to be rolled first.' })
  expect(table.problem).toBe('The dice are to be rolled first.')
  expect(table.acting).toBe(0)
})

it('drops what it was showing when it is welcomed anew', async () => {
  update(rolled(5, 0), state(5, 1))
  say({ ...welcome, events: [rolled(5, 0), rolled(6, 1)], state: state(6, 0) })
  expect(table.shown?.number).toBe(6)
  await vi.advanceTimersByTimeAsync(5000)
  expect(table.shown?.number).toBe(6)
  expect(table.events.map((event) => event.number)).toEqual([5, 6])
})

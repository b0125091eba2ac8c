// A table shows what happens one thing after the other, and lets nobody act before it shows the newest.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { api } from './api'
import { toBegin } from './begin'
import { sealOf } from './fair'
import { kept } from './kept'
import { motion, TIMES } from './motion.svelte'
import { prefs } from './prefs.svelte'
import { Table } from './table.svelte'
import type { Shown, ShownEntry, View, Welcome } from './types'

let say: (message: unknown) => void = () => {}
let open: () => void = () => {}
let sent: { do: string; id: string; move?: string; on?: number }[] = []

class Socket {
  static readonly OPEN = 1
  readyState = 1
  onopen: (() => void) | null = null
  onmessage: ((event: { data: string }) => void) | null = null
  onclose: (() => void) | null = null

  constructor() {
    open = () => this.onopen?.()
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
  shares: [],
  dealing: '',
  dice_name: 'k3x9w7fm',
  view: view(actor),
  due: [6],
  fresh: true,
  series: [],
  invitation: null,
  since: [0, 0],
  droppable: [],
  proposal: null,
  resuming: false,
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
  patience: 20,
  seats: [0],
  opens: [0],
  events: [],
  state: state(4, 0),
}
const rolled = (number: number, seat: number, by = ''): ShownEntry => ({
  number,
  at: 0,
  told: `Seat ${seat} rolls.`,
  fresh: true,
  places: ['frozen', 'rolled'],
  entry: { kind: 'rolled', seat, roll: '1 3', ...(by && { by }) },
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

// What bots do is shown at somebody's own pace

it('shows one step of a bot after the other', async () => {
  say({ ...welcome, state: state(4, 1) })
  update(rolled(5, 1, 'casual'), state(5, 1, { fresh: false }))
  update(rolled(6, 1, 'casual'), state(6, 1, { fresh: false }))
  const { tumble, read } = TIMES.calm
  await vi.advanceTimersByTimeAsync(tumble + read - 1)
  expect(table.events.map((event) => event.number)).toEqual([5])
  await vi.advanceTimersByTimeAsync(1 + tumble)
  expect(table.events.map((event) => event.number)).toEqual([5, 6])
})

it('skips one step, or all of them', async () => {
  for (const number of [5, 6, 7]) update(rolled(number, 1, 'casual'), state(number, 1, { fresh: false }))
  update(rolled(8, 1, 'casual'), state(8, 0))
  await vi.advanceTimersByTimeAsync(100)
  expect(table.events).toHaveLength(0)
  table.skip()
  await vi.advanceTimersByTimeAsync(0)
  expect(table.events.map((event) => event.number)).toEqual([5])
  expect(table.phase).toBe('tumbling')
  expect(motion.times).toEqual(TIMES.calm)
  await vi.advanceTimersByTimeAsync(TIMES.calm.tumble)
  expect(table.events.map((event) => event.number)).toEqual([5, 6])
  table.skip() // nobody has to read this
  await vi.advanceTimersByTimeAsync(0)
  expect(table.phase).toBe('tumbling')
  expect(table.acting).toBeNull()
  table.skip({ all: true })
  await vi.advanceTimersByTimeAsync(0)
  expect(table.events.map((event) => event.number)).toEqual([5, 6, 7, 8])
  expect(table.acting).toBe(0)
  expect(table.showing).toBe(false)
  expect(motion.times).toEqual(TIMES.calm)
})

it('gives a board the time that it asks for before a bot rolls, and none before somebody here does', async () => {
  const { tumble, read } = TIMES.calm
  const moved = (number: number): ShownEntry => ({ number, at: 0, told: '', entry: { kind: 'moved', seat: 0, move: 'pass' } })
  update(moved(5), state(5, 1))
  table.pause(4 * read)
  update(rolled(6, 1, 'casual'), state(6, 1, { fresh: false }))
  await vi.advanceTimersByTimeAsync(4 * read - 1)
  expect(table.phase).toBe('still')
  await vi.advanceTimersByTimeAsync(1)
  expect(table.phase).toBe('tumbling')
  await vi.advanceTimersByTimeAsync(tumble + read)
  update(moved(7), state(7, 0))
  table.pause(4 * read)
  await vi.advanceTimersByTimeAsync(0)
  expect(table.rolling).toBe(true)
})

it('gives a board no time while somebody hurries, nor while a person goes on', async () => {
  const moved: ShownEntry = { number: 5, at: 0, told: '', entry: { kind: 'moved', seat: 0, move: 'pass' } }
  update(moved, state(5, 1))
  table.pause(9000)
  await vi.advanceTimersByTimeAsync(0)
  update(rolled(6, 1, 'casual'), state(6, 1, { fresh: false }))
  await vi.advanceTimersByTimeAsync(1000)
  expect(table.phase).toBe('still')
  table.skip()
  await vi.advanceTimersByTimeAsync(0)
  expect(table.phase).toBe('tumbling')
})

// What people do is shown within a second

it('gives no time to read while something that a person did is waiting', async () => {
  say({ ...welcome, seats: [] })
  update(rolled(5, 0), state(5, 0, { fresh: false }))
  await vi.advanceTimersByTimeAsync(300)
  update(rolled(6, 0), state(6, 0, { fresh: false }))
  await vi.advanceTimersByTimeAsync(TIMES.calm.tumble - 300)
  expect(table.toss?.key).toBe(6)
  expect(table.phase).toBe('tumbling')
})

it('stops reading when a person goes on, though not when a bot does', async () => {
  say({ ...welcome, seats: [] })
  update(rolled(5, 0), state(5, 1))
  await vi.advanceTimersByTimeAsync(TIMES.calm.tumble + 200)
  expect(table.phase).toBe('landed')
  update(rolled(6, 1, 'casual'), state(6, 1, { fresh: false }))
  await vi.advanceTimersByTimeAsync(200)
  expect(table.toss?.key).toBe(5)
  update(rolled(7, 0), state(7, 0, { fresh: false }))
  await vi.advanceTimersByTimeAsync(0)
  expect(table.events.map((event) => event.number)).toEqual([5, 6]) // the bot has no time left
  expect(table.toss?.key).toBe(7)
})

it.each(['calm', 'quick', 'instant'] as const)('is never more than a second behind, however briskly somebody rolls (%s)', async (pace) => {
  say({ ...welcome, seats: [] })
  prefs.pace = pace
  const came = new Map<number, number>()
  const waits = [0, 90, 400, 250, 10, 700, 1300, 333, 0, 0, 120, 500, 500, 500, 60, 900, 200]
  const unseen = () => [...came].filter(([number]) => !table.events.some((event) => event.number === number))
  const pass = async (milliseconds: number) => {
    for (let at = 0; at < milliseconds; at += 10) {
      await vi.advanceTimersByTimeAsync(10)
      for (const [number, at] of unseen()) expect(performance.now() - at, `${number}`).toBeLessThanOrEqual(710)
    }
  }
  for (const [index, wait] of waits.entries()) {
    await pass(wait)
    came.set(5 + index, performance.now())
    update(rolled(5 + index, 0), state(5 + index, 0, { fresh: index % 3 === 0 }))
  }
  await pass(1000)
  expect(unseen()).toEqual([])
})

// The end

it('shows the deciding move before the result, and then there is something to celebrate', async () => {
  const moved: ShownEntry = { number: 5, at: 0, told: 'Seat 0 passes.', entry: { kind: 'moved', seat: 0, move: 'pass' } }
  const ended: ShownEntry = { number: 6, at: 0, told: 'The game is over.', entry: { kind: 'ended', result: '' } }
  say({ type: 'update', events: [moved, ended], state: state(6, 0, { status: 'over', actor: null }) })
  await vi.advanceTimersByTimeAsync(1999)
  expect(table.status).toBe('over')
  expect(table.finale).toBe(true)
  expect(table.cheering).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(table.finale).toBe(false)
  expect(table.cheering).toBe(true)
  table.skip()
  expect(table.cheering).toBe(false)
})

it('stops at the deciding move even for who skips everything, and skips it too if they insist', async () => {
  update(rolled(5, 1, 'casual'), state(5, 1, { fresh: false }))
  update(rolled(6, 1, 'casual'), state(6, 1, { status: 'over', actor: null }))
  table.skip({ all: true })
  await vi.advanceTimersByTimeAsync(0)
  expect(table.finale).toBe(true)
  await vi.advanceTimersByTimeAsync(1000)
  expect(table.finale).toBe(true)
  table.skip()
  await vi.advanceTimersByTimeAsync(0)
  expect(table.finale).toBe(false)
})

it('celebrates nothing that ended while nobody looked, nor for who wants stillness', async () => {
  say({ ...welcome, state: state(6, 0, { status: 'over', actor: null }) })
  expect([table.finale, table.cheering]).toEqual([false, false])
  prefs.still = true
  say(welcome)
  update(rolled(5, 0), state(5, 0, { status: 'over', actor: null }))
  await vi.advanceTimersByTimeAsync(9000)
  expect([table.status, table.finale, table.cheering]).toEqual(['over', false, false])
  prefs.still = false
})

// Taking back

it('has bots wait after a choice, and lets somebody go on before', async () => {
  say({ ...welcome, state: state(5, 0, { rolls: false, fresh: false, view: view(0, ['pass']) }) })
  table.move('pass')
  expect(sent.at(-1)).toMatchObject({ do: 'move', move: 'pass', grace: TIMES.calm.grace })
  say({ type: 'accepted', id: sent.at(-1)?.id ?? '', number: 6 })
  expect(table.lingering).toBe(false)
  const moved: ShownEntry = { number: 6, at: 0, told: 'Seat 0 passes.', entry: { kind: 'moved', seat: 0, move: 'pass' } }
  update(moved, state(6, 1, { undo: 0 }))
  await vi.advanceTimersByTimeAsync(0)
  expect(table.undoable).toBe(0)
  expect(table.lingering).toBe(true)
  table.skip()
  expect(sent.at(-1)).toEqual({ do: 'proceed' })
  update(rolled(7, 1, 'casual'), state(7, 1, { fresh: false }))
  expect(table.lingering).toBe(false)
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

const handed = (number: number, seat: number): ShownEntry => ({ number, at: 0, told: 'A seat moves.', entry: { kind: 'handed', seats: [seat] } })

it('forgets the token of a seat that is played on another device, and says so', () => {
  kept.keep('k3x9w7fm', 'bj', ['mine', 'theirs'])
  open()
  expect(sent.at(-1)).toMatchObject({ do: 'hello', tokens: ['mine', 'theirs'] })
  say({ ...welcome, opens: [0, -1], events: [handed(5, 1)] })
  expect(kept.tokens('k3x9w7fm')).toEqual(['mine'])
  expect(table.notice).toBe('This seat is played on another device now. The other seats here stay.')
  expect(table.tokenOf(0)).toBe('mine')
  say({ ...welcome, seats: [], opens: [-1, -1] })
  expect(kept.tokens('k3x9w7fm')).toEqual([])
  expect(table.watching).toBe(true)
})

it('stays at the result while a game goes on that nobody here is in', async () => {
  say({ ...welcome, state: state(9, 0, { status: 'over', actor: null }) })
  say({ ...welcome, seats: [], opens: [-1], state: state(12, 1, { round: 2 }) })
  say({ type: 'update', events: [rolled(13, 1)], state: state(13, 1, { round: 2 }) })
  await vi.advanceTimersByTimeAsync(10_000)
  expect([table.later, table.status]).toEqual([2, 'over'])
})

describe('a share in the dice', () => {
  const PROMISE = 'ab'.repeat(32)
  const dealing = (phase: string, shares: Shown['shares'] = [], more: Partial<Shown> = {}): Welcome => ({
    ...welcome,
    state: state(9, 0, { status: 'waiting', actor: null, promise: PROMISE, dealing: phase, shares, ...more }),
  })
  const said = (what: string) => sent.filter((message) => message.do === what) as unknown as { id: string; seal: string; string: string; seat: number }[]
  const started: ShownEntry = { number: 12, at: 0, told: 'The game begins.', entry: { kind: 'started' } }

  it('is sealed first, and revealed once all seals are there', () => {
    say(dealing('sealing'))
    expect(table.beginning).toBe(true)
    const [{ seal = '' } = {}] = said('seal')
    const [drawn] = kept.drawn('k3x9w7fm')
    expect(seal).toBe(sealOf('k3x9w7fm', PROMISE, 0, drawn?.string ?? ''))
    expect(said('reveal')).toEqual([])
    say(dealing('sealing', [{ seat: 1, seal: 'theirs' }])) // somebody else was quicker: it is the same string
    expect(new Set(said('seal').map((message) => message.seal)).size).toBe(1)
    const seals = [
      { seat: 0, seal },
      { seat: 1, seal: 'theirs' },
    ]
    say(dealing('revealing', seals))
    expect(said('reveal')[0]).toMatchObject({ string: drawn?.string, seat: 0 })
    expect(kept.drawn('k3x9w7fm')).toEqual([{ ...drawn, seals }])
    say(dealing('revealing', [{ seat: 0, seal }])) // a server that changes its mind does not change what was seen
    expect(kept.drawn('k3x9w7fm')).toEqual([{ ...drawn, seals }])
    expect(table.acting).toBeNull()
  })

  it('is not revealed if the seal was exchanged', () => {
    say(dealing('sealing'))
    say(dealing('revealing', [{ seat: 0, seal: 'another' }]))
    expect(said('reveal')).toEqual([])
  })

  it('is kept with the signature under the promise', () => {
    const promised: ShownEntry = { number: 9, at: 1794700000000, told: '', entry: { kind: 'promised', promise: PROMISE, key: 'ab', signature: 'cd' } }
    say({ ...dealing('sealing'), events: [promised] })
    expect(kept.drawn('k3x9w7fm')[0]?.signed).toBe('signed:1794700000000:ab:cd')
  })

  it('is missed at once if this device was never asked for it', () => {
    say({ ...welcome, state: state(4, 0, { status: 'waiting', actor: null }) })
    say({ type: 'update', events: [started], state: state(12, 0, { promise: PROMISE, shares: [{ seat: 1, string: 'theirs' }] }) })
    expect(table.notice).toContain('was not asked to draw')
  })

  it('is missed at once if the game begins without it, or after another promise', () => {
    say(dealing('sealing'))
    const string = kept.drawn('k3x9w7fm')[0]?.string
    say({ type: 'update', events: [started], state: state(12, 0, { promise: PROMISE, shares: [{ seat: 0, string }] }) })
    expect(table.notice).toBe('')
    say({ type: 'update', events: [started], state: state(12, 0, { promise: PROMISE, shares: [{ seat: 0, seal: 'mine' }] }) })
    expect(table.notice).toContain('is not in them')
    table.notice = ''
    say({ type: 'update', events: [started], state: state(12, 0, { promise: 'cd'.repeat(32), shares: [{ seat: 0, string }] }) })
    expect(table.notice).toContain('is not in them')
  })
})

it('begins a game that was just set up as soon as it is connected', () => {
  const start = vi.spyOn(api, 'start').mockResolvedValue({} as never)
  toBegin.add('k3x9w7fm')
  const waiting = { ...welcome, state: state(4, 0, { status: 'waiting', actor: null }) }
  say(waiting)
  say(waiting)
  expect(start).toHaveBeenCalledTimes(1)
  expect(table.beginning).toBe(true)
})

it('shows who is away and what is being decided at once, and answers for all who play here', () => {
  const proposal = { number: 5, what: 'end', asker: 1, about: -1, waiting: [0] }
  say({ type: 'presence', present: [0], since: [0, 1000], droppable: [1], proposal })
  expect(table.droppable).toEqual([1])
  expect(table.since[1]).toBeGreaterThan(0)
  table.vote(true)
  expect(sent.at(-1)).toMatchObject({ do: 'vote', proposal: 5, yes: true, seat: 0 })
  say({ type: 'presence', present: [0, 1], since: [0, 0], droppable: [] })
  expect(table.proposal).toBeNull()
})

it('sits down with the seat that it asked for as soon as the others agree', () => {
  const proposed = (number: number): ShownEntry => ({ number, at: 0, told: 'Is it Robo?', entry: { kind: 'proposed', seat: -1, what: 'seat', about: 1 } })
  const waits = state(4, 0, { proposal: { number: 5, what: 'seat', asker: -1, about: 1, waiting: [0] } })
  table.asking = { seat: 1, token: 'asked', after: 4 }
  say({ type: 'update', events: [], state: state(4, 0) }) // what was on its way before
  update(proposed(5), waits)
  expect(table.asking).not.toBeNull()
  update(handed(6, 1), state(4, 0))
  expect(table.asking).toBeNull()
  expect(kept.tokens('k3x9w7fm')).toEqual(['asked'])
  say(welcome)
  table.asking = { seat: 1, token: 'again', after: 6 }
  update(proposed(7), waits)
  update({ number: 8, at: 0, told: 'No.', entry: { kind: 'voted', seat: 0, yes: false } }, state(4, 0))
  expect(table.asking).toBeNull()
  expect(table.notice).toBe('Those at the table did not agree.')
})

it('sits down though the others agreed before it heard that they were asked', async () => {
  const answer: { give?: (response: unknown) => void } = {}
  vi.stubGlobal('fetch', () => new Promise((resolve) => (answer.give = resolve)))
  const asked = table.askFor(1)
  update(handed(6, 1), state(4, 0))
  answer.give?.({ ok: true, text: () => Promise.resolve(JSON.stringify({ seat: 2, token: 'late' })) })
  await asked
  expect(table.asking).toBeNull()
  expect(kept.tokens('k3x9w7fm')).toEqual(['late'])
})

it('knows a table as it once stood from one that goes on', () => {
  expect([table.past, table.watching]).toEqual([0, false])
  const stood = Table.standing('k3x9w7fm', { ...welcome, seats: [], state: state(9, 0, { status: 'over', round: 2 }) })
  expect([stood.past, stood.watching]).toEqual([2, false])
})

// Long histories come in pages

const pages = (asked: string[]) => (path: string) => {
  asked.push(path)
  const before = Number(new URL(path, 'http://table').searchParams.get('before'))
  const first = Math.max(1, before - 3)
  const events = Array.from({ length: before - first }, (_, index) => rolled(first + index, 0))
  return Promise.resolve(new Response(JSON.stringify({ events })))
}

it('shows the newest of a long history at once, and has the rest when it is needed', async () => {
  say({ ...welcome, events: [rolled(9, 0), rolled(10, 1)], missing: 8, state: state(10, 0) })
  expect(table.events.map((event) => event.number)).toEqual([9, 10])
  expect(table.rolling).toBe(true)
  const asked: string[] = []
  vi.stubGlobal('fetch', pages(asked))
  await Promise.all([table.whole(), table.whole()])
  expect(table.events.map((event) => event.number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  expect(new Set(asked)).toEqual(new Set([9, 6, 3].map((before) => `/api/tables/k3x9w7fm/history?before=${before}`)))
  asked.length = 0
  await table.whole()
  expect(asked).toEqual([])
  update(rolled(11, 0), state(11, 0))
  await vi.advanceTimersByTimeAsync(TIMES.calm.tumble)
  expect(table.events.map((event) => event.number).slice(-2)).toEqual([10, 11])
})

it('has no gap in what it knows after a long absence', async () => {
  say({ ...welcome, events: [rolled(1, 0), rolled(2, 0)], state: state(2, 0) })
  say({ ...welcome, events: [rolled(7, 0), rolled(8, 1)], missing: 4, state: state(8, 0) })
  expect(table.events.map((event) => event.number)).toEqual([7, 8])
  vi.stubGlobal('fetch', pages([]))
  await table.whole()
  expect(table.events.map((event) => event.number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
})

it('asks for no more where nothing is missing', async () => {
  const asked: string[] = []
  vi.stubGlobal('fetch', pages(asked))
  say({ ...welcome, events: [rolled(5, 0)], state: state(5, 0) })
  await table.whole()
  expect(asked).toEqual([])
})

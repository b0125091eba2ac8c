import { beforeEach, describe, expect, it, vi } from 'vitest'

import { api, Trouble } from './api'
import { Drill } from './drill.svelte'
import { add, practised } from './practised'
import type { PracticeAnswer, PracticeCard, Welcome } from './types'

vi.mock('./motion.svelte', () => ({ motion: { rush: true, most: Infinity, times: { tumble: 0, read: 0, turn: 0, end: 0, grace: 0 } } }))
vi.mock('./shelf.svelte', () => ({ shelf: { games: { games: [], bots: [] }, card: () => null } }))
vi.mock('./games', () => ({ boardOf: () => Promise.resolve(() => undefined) }))

function card(id: string): PracticeCard {
  const view = {
    prompt: '',
    roller: 0,
    scores: [0],
    moves: [
      { text: 'hold', label: '' },
      { text: 'go', label: '' },
    ],
    dice: [],
    grids: [],
    board: null,
    result: null,
  }
  const state = {
    number: 3,
    round: 1,
    status: 'playing',
    seats: [{ kind: 'local', name: 'You', present: true }],
    actor: 0,
    rolls: false,
    view,
    undo: null,
    now: 0,
    promise: '',
    shares: [],
  }
  const welcome = { type: 'welcome', table: 'stage', game: 'some', dice: 'fair', seats: [0], opens: [], coach: 'off', events: [], state } as unknown as Welcome
  return { id, game: 'some', grade: 'hard', phase: 'late', played: '', welcome }
}

function answer(move: string): PracticeAnswer {
  const right = move === 'hold'
  const moves = ['hold', 'go'].map((text, at) => ({ text, doing: text, value: 1 - at, error: 0, tied: !at, behind: at, behind_error: 0 }))
  return {
    id: '',
    move,
    right,
    loss: right ? 0 : 1,
    points: right ? 100 : 0,
    mark: '',
    box: right ? 0 : 1,
    days: right ? 0 : 1,
    told: '',
    unit: 'points',
    exact: true,
    moves,
    misses: [],
  }
}

const settled = (drill: Drill, id: string) => vi.waitFor(() => expect([drill.card?.id, drill.table?.deciding]).toEqual([id, true]))

beforeEach(() => {
  const store = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => store.get(key) ?? null,
    setItem: (key: string, value: string) => store.set(key, value),
  })
  vi.spyOn(api, 'card').mockImplementation((id) => (id === 'gone' ? Promise.reject(new Trouble('no_card', 'Gone.', 404)) : Promise.resolve(card(id))))
  vi.spyOn(api, 'answer').mockImplementation((id, move) => Promise.resolve({ ...answer(move), id }))
  vi.spyOn(api, 'practiceWhy').mockResolvedValue({ ready: true, share: null, against: 'go', told: '+1 point' })
})

describe('a set of positions', () => {
  it('takes the first move for the answer, and no other', async () => {
    const drill = new Drill(['a', 'b'])
    await settled(drill, 'a')
    drill.table?.move('go')
    await vi.waitFor(() => expect(drill.answer?.points).toBe(0))
    expect([drill.looked, drill.table?.advised, drill.points]).toEqual(['go', 'hold', [0]])
    await vi.waitFor(() => expect(drill.table?.deciding).toBe(true))
    drill.table?.move('hold') // to see what it is worth
    await vi.waitFor(() => expect(drill.looked).toBe('hold'))
    expect([drill.points, practised().answered, practised().boxed.map(({ id }) => id)]).toEqual([[0], 1, ['a']])
    drill.goOn()
    await settled(drill, 'b')
    expect([drill.answer, drill.number, drill.count]).toEqual([null, 2, 2])
    drill.table?.move('hold')
    await vi.waitFor(() => expect(drill.answer?.right).toBe(true))
    drill.goOn()
    await vi.waitFor(() => expect(drill.over).toBe(true))
    expect(drill.points).toEqual([0, 100])
  })

  it('keeps the board as it was where an answer does not come through', async () => {
    const drill = new Drill(['a'])
    await settled(drill, 'a')
    vi.spyOn(api, 'answer').mockRejectedValueOnce(new Trouble('away', 'The server does not answer.'))
    drill.table?.move('go')
    await vi.waitFor(() => expect(drill.table?.problem).toBe('The server does not answer.'))
    expect([drill.answer, drill.points, drill.table?.deciding, practised().answered]).toEqual([null, [], true, 0])
  })

  it('leaves out positions that are not there any more, for good', async () => {
    add('gone', 'some', '2026-11-18')
    const drill = new Drill(['gone', 'a'])
    await settled(drill, 'a')
    expect([drill.count, practised().boxed]).toEqual([1, []])
  })

  it('says that the server is away, and goes on when it is back', async () => {
    vi.spyOn(api, 'card').mockRejectedValueOnce(new Trouble('away', 'The server does not answer.'))
    const drill = new Drill(['a'])
    await vi.waitFor(() => expect(drill.trouble?.kind).toBe('away'))
    await drill.open()
    await settled(drill, 'a')
    expect(drill.trouble).toBeNull()
  })

  it('counts those of the day that were answered before, and notes the rest with them', async () => {
    const drill = new Drill(['e'], '2026-11-18', [100, 0, 50, 100])
    await settled(drill, 'e')
    expect([drill.number, drill.count]).toEqual([5, 5])
    drill.table?.move('hold')
    await vi.waitFor(() => expect(practised().daily['2026-11-18']).toEqual({ e: 100 }))
  })

  it('says nothing of why where nobody can', async () => {
    vi.spyOn(api, 'practiceWhy').mockRejectedValue(new Trouble('no_solver', 'Install it.'))
    const drill = new Drill(['a'])
    await settled(drill, 'a')
    drill.table?.move('go')
    await vi.waitFor(() => expect(drill.answer).not.toBeNull())
    expect(drill.why).toBeNull()
  })
})

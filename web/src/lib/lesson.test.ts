import { beforeEach, describe, expect, it, vi } from 'vitest'

import { kept } from './kept'
import { Lesson } from './lesson.svelte'
import type { LessonScene, LessonShown, LessonStep, Shown, ShownEntry } from './types'

function state(number: number, actor: number | null, rolls: boolean): Shown {
  const seats = [
    { kind: 'local', name: 'Ann', present: true },
    { kind: 'bot', name: 'Ben', bot: 'greedy', present: true },
  ]
  const view = { prompt: '', roller: actor ?? 0, scores: [0, 0], moves: [], dice: [], grids: [], board: null, result: null }
  const rest = {
    round: 1,
    undo: null,
    asked: null,
    waiting: [],
    deadline: null,
    now: 0,
    promise: '',
    shares: [],
    dealing: '',
    dice_name: '',
    due: [],
    fresh: false,
  }
  return { number, status: 'playing', seats, actor, rolls, view, ...rest } as unknown as Shown
}

const rolled = (number: number, seat: number): ShownEntry => ({ number, at: 0, told: `${number}`, entry: { kind: 'rolled', seat, roll: '1' } })
const moved = (number: number, seat: number, move: string): ShownEntry => ({ number, at: 0, told: `${number}`, entry: { kind: 'moved', seat, move } })

function step(says: string, more: Partial<LessonStep> = {}): LessonStep {
  return { says, hint: '', learner: false, move: '', updates: [], ...more }
}

function lesson(): LessonShown {
  const steps = [
    step('Roll.', { learner: true, updates: [{ type: 'update', events: [rolled(3, 0)], state: state(3, 0, false) }] }),
    step('Pass.', {
      learner: true,
      move: 'pass',
      hint: 'Try passing.',
      updates: [{ type: 'update', events: [moved(4, 0, 'pass')], state: state(4, 1, true) }],
    }),
    step('Now Ben.', { updates: [{ type: 'update', events: [rolled(5, 1)], state: state(5, 0, true) }] }),
    step('That was it.'),
  ]
  const welcome = { type: 'welcome', table: '', game: 'some', dice: 'fair', seats: [0], coach: 'off', events: [], state: state(2, 0, true) }
  const scene = { title: 'First', welcome, steps } as unknown as LessonScene
  return { game: 'some', rules: [{ name: 'pass', text: 'Passing ends the turn.' }], scenes: [scene, { ...scene, title: 'Second' }] }
}

/** Until what was said is on the table; nothing takes time at this pace. */
const settled = (open: Lesson) => vi.waitFor(() => expect(open.table.shown && !open.table.showing).toBe(true))

async function opened(): Promise<Lesson> {
  const open = new Lesson(lesson())
  await settled(open)
  return open
}

vi.mock('./motion.svelte', () => ({ motion: { rush: true, most: Infinity, times: { tumble: 0, read: 0, turn: 0, end: 0, grace: 0 } } }))
vi.mock('./shelf.svelte', () => ({ shelf: { games: { games: [], bots: [] }, card: () => null } }))

beforeEach(() => {
  kept.keepLesson('some', { scene: 0, step: 0, done: false })
})

describe('a lesson', () => {
  it('goes on when the learner does what it asks for', async () => {
    const open = await opened()
    expect([open.said, open.pausing, open.table.rolling]).toEqual(['Roll.', false, true])
    open.table.roll()
    await settled(open)
    expect([open.said, open.table.shown?.number, open.table.deciding]).toEqual(['Pass.', 3, true])
    open.table.move('pass')
    await settled(open)
    expect([open.said, open.pausing]).toEqual(['Now Ben.', true])
    open.goOn()
    await settled(open)
    expect([open.said, open.table.events.map((event) => event.number)]).toEqual(['That was it.', [3, 4, 5]])
  })

  it('answers another move with a hint, and nothing has happened', async () => {
    const open = await opened()
    open.table.roll()
    await settled(open)
    open.table.move('roll')
    expect([open.table.problem, open.step, open.table.shown?.number]).toEqual(['Try passing.', 1, 3])
    expect(open.table.deciding).toBe(true)
    open.table.move('pass')
    expect([open.table.problem, open.step]).toEqual(['', 2])
  })

  it('goes on where it was left', async () => {
    const left = await opened()
    left.table.roll()
    await settled(left)
    left.close()
    const back = await opened()
    expect([back.said, back.table.shown?.number]).toEqual(['Pass.', 3])
    expect(back.table.events.map((event) => event.number)).toEqual([3])
    back.table.move('pass')
    await settled(back)
    expect(back.said).toBe('Now Ben.')
  })

  it('ends after its last scene, and begins anew the next time', async () => {
    kept.keepLesson('some', { scene: 1, step: 3, done: false })
    const open = await opened()
    expect(open.part.title).toBe('Second')
    open.goOn()
    expect([open.over, open.share, kept.lesson('some')]).toEqual([true, 1, { scene: 0, step: 0, done: true }])
    open.turnTo(0)
    await settled(open)
    expect([open.over, open.said, kept.lesson('some')?.done]).toEqual([false, 'Roll.', true])
  })

  it('begins anew where what is kept is not of this lesson', async () => {
    kept.keepLesson('some', { scene: 5, step: 1, done: false })
    const open = await opened()
    expect([open.scene, open.step]).toEqual([0, 0])
  })
})

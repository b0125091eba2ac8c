import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { api } from './api'
import { CoachModel } from './coach.svelte'
import type { Table } from './table.svelte'
import type { Advice } from './types'

const READY: Advice = {
  number: 7,
  ready: true,
  share: null,
  seat: 1,
  rolls: false,
  unit: 'points',
  exact: true,
  value: 1,
  told: 'exactly',
  moves: [],
}
const ROUGH: Advice = { ...READY, exact: false, share: 0.4, told: 'about' }

function coachAt(number: number, answers: Advice[]): [CoachModel, { number: number }] {
  vi.spyOn(api, 'advice').mockImplementation(() => Promise.resolve(answers.shift()!))
  const shown = { number }
  return [new CoachModel({ name: 't', token: 'secret', shown } as unknown as Table), shown]
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test('an exact answer is asked for once', async () => {
  const [coach] = coachAt(7, [READY])
  coach.ask()
  coach.ask()
  await vi.runAllTimersAsync()
  expect(coach.current?.told).toBe('exactly')
  expect(coach.asking).toBe(false)
  expect(api.advice).toHaveBeenCalledTimes(1)
})

test('an answer that is not ready is asked for again, and says how far it is', async () => {
  const [coach] = coachAt(7, [{ ...READY, ready: false, share: 0.2 }, READY])
  coach.ask()
  await vi.advanceTimersByTimeAsync(0)
  expect([coach.asking, coach.share, coach.current]).toEqual([true, 0.2, null])
  await vi.runAllTimersAsync()
  expect(coach.current?.told).toBe('exactly')
})

test('an estimate stays, and gives way to exact values once they are there', async () => {
  const [coach] = coachAt(7, [ROUGH, { ...ROUGH, told: 'about, but otherwise' }, READY])
  coach.ask()
  await vi.advanceTimersByTimeAsync(0)
  expect([coach.current?.told, coach.asking]).toEqual(['about', false])
  await vi.advanceTimersToNextTimerAsync()
  expect(coach.current?.told).toBe('about')
  await vi.advanceTimersToNextTimerAsync()
  expect(coach.current?.told).toBe('exactly')
  expect(vi.getTimerCount()).toBe(0)
})

test('nothing more is asked for once the table stands elsewhere', async () => {
  const [coach, shown] = coachAt(7, [ROUGH])
  coach.ask()
  await vi.advanceTimersByTimeAsync(0)
  shown.number = 8
  coach.moveOn(8)
  expect(coach.current).toBeNull()
  expect(vi.getTimerCount()).toBe(0)
})

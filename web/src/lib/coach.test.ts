import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { api } from './api'
import { along, amount, behind, CoachModel, margin, scaleOf } from './coach.svelte'
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
  short: 'exactly',
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

test('values are as fine as they are known, and in plain words', () => {
  expect(amount(0.6234, 'win probability')).toBe('62.3%')
  expect(amount(0.6234, 'win probability', 0.02)).toBe('62%')
  expect(amount(212.34, 'points')).toBe('212.3')
  expect([0.351, -0.351, 0.001].map((value) => amount(value, 'round points'))).toEqual(['0.35 ahead', '0.35 behind', 'even'])
  expect([margin(0.02, 'win probability'), margin(0.003, 'win probability'), margin(0.4, 'round points')]).toEqual(['± 2%', '± 0.3%', '± 0.4'])
})

test('bars begin at nothing, so that close values look close', () => {
  const close = scaleOf([{ value: 0.62, error: 0.01 }, { value: 0.58, error: 0.01 }], true) // prettier-ignore
  expect([close.low, along(0.62, close), Math.round(along(0.58, close))]).toEqual([0, 100, 94])
  const below = scaleOf([{ value: 0.5, error: 0.5 }, { value: -1, error: 0 }], false) // prettier-ignore
  expect(below).toEqual({ low: -1, high: 1 })
  expect([along(0, below), along(-1, below), along(5, below)]).toEqual([50, 0, 100])
  expect(scaleOf([{ value: 0, error: 0 }], true)).toEqual({ low: 0, high: 1 })
})

test('how far a move is behind has an error of its own', () => {
  expect(behind({ behind: 0.0213, behind_error: 0.0034 }, 'win probability')).toBe('2.1% ± 0.3% less')
  expect(behind({ behind: -0.001, behind_error: 0.02 }, 'win probability')).toBe('0% ± 2% less')
  expect(behind({ behind: 1.26, behind_error: 0.2 }, 'points')).toBe('1.3 ± 0.2 less')
})

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { api, Trouble } from './api'
import type { Table } from './table.svelte'
import type { ShownEntry } from './types'
import { chosenByBot, lastChoice, reasonFor } from './why'

const entry = (number: number, entry: ShownEntry['entry']): ShownEntry => ({ number, at: 0, told: '', entry })
const played = [
  entry(3, { kind: 'moved', seat: 0, move: 'roll' }),
  entry(4, { kind: 'rolled', seat: 1, roll: '1' }),
  entry(5, { kind: 'moved', seat: 1, move: 'roll' }),
  entry(7, { kind: 'moved', seat: 1, move: 'pass' }),
  entry(8, { kind: 'moved', seat: 0, move: 'pass', by: 'casual' }),
]
const table = { seats: [{ kind: 'person' }, { kind: 'bot' }], played } as unknown as Table

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test('a bot chooses for itself, or for somebody who is away', () => {
  expect(played.map((event) => chosenByBot(table, event))).toEqual([false, false, true, true, true])
  expect(lastChoice(table, 1)?.number).toBe(7)
  expect(lastChoice(table, 0)?.number).toBe(8)
  expect(lastChoice({ ...table, played: [] } as unknown as Table, 1)).toBeUndefined()
})

test('nobody is asked in a lesson, which has no table', () => {
  const lesson = { ...table, name: '' } as unknown as Table
  expect(played.some((event) => chosenByBot(lesson, event))).toBe(false)
})

test('a reason that takes long is asked for again', async () => {
  const why = vi.spyOn(api, 'why').mockResolvedValueOnce({ ready: false, told: '' }).mockResolvedValueOnce({ ready: true, told: 'Two dice bust 4 times in 9.' })
  const told = reasonFor('t', 7)
  await vi.runAllTimersAsync()
  expect(await told).toBe('Two dice bust 4 times in 9.')
  expect(why).toHaveBeenCalledTimes(2)
})

test('a refusal is told', async () => {
  vi.spyOn(api, 'why').mockRejectedValue(new Trouble('unknown', 'There is no such move in this game.', 422))
  expect(await reasonFor('t', 7)).toBe('There is no such move in this game.')
})

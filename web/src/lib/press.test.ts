import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { LONG, Press } from './press'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('tells a tap from a press that lasts', () => {
  const long = vi.fn()
  const press = new Press(long)
  press.begin()
  vi.advanceTimersByTime(LONG - 1)
  expect(press.end()).toBe(false)
  vi.advanceTimersByTime(LONG)
  expect(long).not.toHaveBeenCalled()
  press.begin()
  vi.advanceTimersByTime(LONG)
  expect(long).toHaveBeenCalledOnce()
  expect(press.end()).toBe(true)
})

import { expect, it } from 'vitest'

import { dayTicks, range, scaled, ticks } from './axis'

it('puts values in their places', () => {
  const x = scaled(10, 20, 0, 100)
  expect([x(10), x(15), x(20)]).toEqual([0, 50, 100])
  expect(scaled(3, 3, 0, 100)(3)).toBe(0)
})

it('names round values', () => {
  expect(ticks(0, 1)).toEqual([0, 0.5, 1])
  expect(ticks(3550, 7050)).toEqual([4000, 5000, 6000, 7000])
  expect(ticks(-0.3, 0.3)).toEqual([-0.2, 0, 0.2])
  expect(ticks(5, 5)).toEqual([5])
})

it('leaves some room, but not beyond what has to be there', () => {
  expect(range([50, 100], [100])).toEqual({ low: 47, high: 100 })
  expect(range([])).toEqual({ low: 0, high: 1 })
  const { low, high } = range([7])
  expect(low < 7 && 7 < high).toBe(true)
})

it('names days once each, with years where there are several', () => {
  const [first, last] = [Date.UTC(2026, 8, 1, 12), Date.UTC(2026, 10, 1, 12)]
  expect(dayTicks(first, last, 2).map(({ text }) => text)).toEqual(['1 Sept', '1 Nov'])
  expect(dayTicks(first, first, 4)).toHaveLength(1)
  expect(dayTicks(first, first + 1000, 4)).toHaveLength(1)
  expect(dayTicks(Date.UTC(2025, 5, 5), last, 2).map(({ text }) => text)).toEqual(['Jun 2025', 'Nov 2026'])
})

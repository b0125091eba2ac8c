import { expect, it } from 'vitest'

import { rosette, waves } from './guilloche'

const numbers = (path: string) => path.match(/-?\d+(\.\d+)?/g)?.map(Number) ?? []

it('draws waves that stay in their field', () => {
  const path = waves(160, 40, 5, 3)
  expect(path.match(/M/g)).toHaveLength(5)
  const found = numbers(path)
  expect(Math.max(...found.filter((_, at) => at % 2))).toBeLessThanOrEqual(40)
  expect(Math.min(...found)).toBeGreaterThanOrEqual(0)
  expect(Math.max(...found)).toBe(160)
})

it('draws rosettes that stay in their circle', () => {
  const path = rosette(50, 50, 30, 8, 3)
  expect(path.match(/Z/g)).toHaveLength(3)
  const found = numbers(path)
  for (let at = 0; at < found.length; at += 2) expect(Math.hypot((found[at] ?? 0) - 50, (found[at + 1] ?? 0) - 50)).toBeLessThanOrEqual(30.01)
})

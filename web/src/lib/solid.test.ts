import { expect, it } from 'vitest'

import { shade, TURNS, visible } from './solid'

const SIDES = TURNS.map((_, side) => side)

it('shows the side that was rolled, and two others beside it', () => {
  for (const [side, [x, y]] of TURNS.entries()) {
    const seen = SIDES.filter((other) => visible(other, x, y))
    expect(seen).toHaveLength(3)
    expect(seen).toContain(side)
    expect(seen).not.toContain(5 - side) // its back
  }
})

it('is lit from above: what was rolled is the brightest of what is seen, whichever side it is', () => {
  for (const [side, [x, y]] of TURNS.entries()) {
    const front = shade(side, x, y)
    expect(front).toBeLessThan(0.05)
    for (const other of SIDES.filter((one) => one !== side && visible(one, x, y))) expect(shade(other, x, y)).toBeGreaterThan(front + 0.1)
  }
})

it('is lit by how it is turned, not by which side it is', () => {
  const lights = TURNS.map(([x, y], side) => shade(side, x, y).toFixed(6))
  expect(new Set(lights).size).toBe(1)
  expect(shade(0, 60, 0)).not.toBeCloseTo(shade(0, -60, 0))
})

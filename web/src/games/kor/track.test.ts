import { describe, expect, it } from 'vitest'

import { placeOf, scaleOf } from './track'

describe('scaleOf', () => {
  it('runs from the start to the target', () => {
    expect(scaleOf([0, 25], 6000)).toEqual({ low: 0, high: 6000, ticks: [0, 2000, 4000, 6000] })
  })

  it('makes room behind the start and beyond the target', () => {
    const scale = scaleOf([-1225, 6350], 6000)
    expect(scale.low).toBe(-1225)
    expect(scale.high).toBe(6350)
    expect(scale.ticks).toEqual([0, 2000, 4000, 6000])
  })

  it('has round lines for any target', () => {
    expect(scaleOf([], 500).ticks).toEqual([0, 100, 200, 300, 400, 500])
    expect(scaleOf([], 1000).ticks).toEqual([0, 200, 400, 600, 800, 1000])
    expect(scaleOf([], 25).ticks.at(-1)).toBe(25)
    expect(scaleOf([], 2025).ticks).toEqual([0, 500, 1000, 1500, 2025])
  })
})

describe('placeOf', () => {
  it('is in percent of the whole track', () => {
    const scale = scaleOf([-2000], 6000)
    expect(placeOf(-2000, scale)).toBe(0)
    expect(placeOf(0, scale)).toBe(25)
    expect(placeOf(6000, scale)).toBe(100)
  })
})

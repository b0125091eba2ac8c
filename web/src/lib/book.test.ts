import { describe, expect, it } from 'vitest'

import { accuracyOver, linkOf, luckOver, luckText, pText, ratingOver, recordText, totalsOver, verdict, wilson, type GamePoint } from './book'

const point = (more: Partial<GamePoint>): GamePoint => ({
  id: 'aaaaaaaa/1',
  ended: 1000,
  options: '',
  players: 2,
  place: 1,
  score: 100,
  others: ['Ben'],
  rated: true,
  mean: 25,
  deviation: 8,
  accuracy: null,
  decisions: 0,
  luck: null,
  luck_error: null,
  unit: '',
  ...more,
})

it('gives the range of a share by Wilson', () => {
  // 15 of 50, by hand: the centre (0.3 + 0.0384) / 1.0768 = 0.3143, and 1.96 √(0.0042 + 0.000384) / 1.0768 = 0.1233 to either side.
  const { low, high } = wilson(15, 50)
  expect(low).toBeCloseTo(0.191, 3)
  expect(high).toBeCloseTo(0.4375, 3)
  expect(wilson(0, 0)).toEqual({ low: 0, high: 1 })
  expect(wilson(0, 3).low).toBe(0)
  expect(wilson(3, 3).high).toBe(1)
})

describe('whether the dice are rigged', () => {
  it('is said plainly, and with how many looks were taken', () => {
    expect(verdict({ p: 0.43, rolled: 900 }, 10)).toBe('No sign that the dice are rigged. Fair dice are at least this uneven in 43 of 100 such counts.')
    expect(verdict({ p: 0.03, rolled: 900 }, 40)).toContain('among 40 tests of the book 2 such ones are to be expected by chance alone')
    expect(verdict({ p: 0.0001, rolled: 900 }, 40)).toMatch(/^More uneven than chance explains.*fewer than 1 of 1,000/)
    expect(verdict({ p: 0.004, rolled: 900 }, 1)).toContain('in 4 of 1,000 such counts')
    expect(verdict({ p: null, rolled: 1 }, 0)).toBe('Too few rolls to tell: 1 die so far.')
  })

  it('has a p-value that is never nothing', () => {
    expect([pText(0.5), pText(0.0456), pText(0.00001)]).toEqual(['p = 0.50', 'p = 0.046', 'p < 0.001'])
  })
})

it('links games that have a page, and no others', () => {
  expect(linkOf('aaaaaaaa/2')).toBe('/t/aaaaaaaa/2')
  for (const id of ['private/0123456789ab', 'saves/a.hotdice', 'saves/7', 'aaaaaaaa', 'aaaaaaaa/0', 'a/1/2']) expect(linkOf(id)).toBeNull()
})

it('tells luck in wins and in points', () => {
  expect([luckText(0.561, 'win probability'), luckText(-1.86, 'win probability'), luckText(121.38, 'points')]).toEqual([
    '+56% of a win',
    '−1.9 wins',
    '+121.4 points',
  ])
})

it('tells a record with its unit, and luck with its sign', () => {
  expect([recordText(1234, 'points', false), recordText(1, 'turns', false), recordText(99.94, '%', false)]).toEqual(['1,234 points', '1 turn', '99.9%'])
  expect([recordText(121.38, 'points', true), recordText(-0.56, 'win probability', true)]).toEqual(['+121.4 points', '−56% of a win'])
})

describe('charts over time', () => {
  it('have totals under one set of house rules', () => {
    const points = [point({}), point({ options: 'x=1' }), point({ ended: 2000, score: 80, place: 2 })]
    expect(totalsOver(points, '')).toEqual([
      { at: 1000, value: 100, told: '100 points, place 1 of 2' },
      { at: 2000, value: 80, told: '80 points, place 2 of 2' },
    ])
  })

  it('leave out what is not there', () => {
    expect(ratingOver([point({ mean: null, deviation: null })])).toEqual([])
    expect(ratingOver([point({})])).toEqual([{ at: 1000, value: 25, low: 9, high: 41, told: '25.0 ± 16.0' }])
    expect(accuracyOver([point({}), point({ accuracy: 0, decisions: 1 })])).toEqual([{ at: 1000, value: 0, told: '0.0% over 1 decision' }])
  })

  it('add luck up, and its errors in squares', () => {
    const points = [
      point({ luck: 3, luck_error: 3, unit: 'points' }),
      point({ ended: 2000, luck: 9, unit: 'win probability' }),
      point({ ended: 3000, luck: -1, luck_error: 4, unit: 'points' }),
    ]
    expect(luckOver(points, 'points').map(({ value, low, high }) => [value, low, high])).toEqual([
      [3, -3, 9],
      [2, -8, 12],
    ])
  })
})

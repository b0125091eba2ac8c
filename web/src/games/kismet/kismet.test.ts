import { describe, expect, it } from 'vitest'

import { BOXES, heightOf, sumOf } from './boxes'
import { columnsFor, lookedAt } from './columns'
import { BARE, keeping, keepMove, lying, released, tossed, type Slot } from './slots'

const faces = (slots: readonly Slot[]) => slots.map((slot) => slot.face).join('')
const held = (slots: readonly Slot[]) => slots.map((slot) => (slot.held ? 'h' : '.')).join('')
const hold = (slots: readonly Slot[], ...at: number[]) => slots.map((slot, index) => ({ ...slot, held: at.includes(index) }))

describe('the five places', () => {
  const first = tossed(BARE, [...'13346'], 5, [...'13346'])

  it('are filled by the first toss', () => {
    expect(faces(first)).toBe('13346')
    expect(held(first)).toBe('.....')
    expect(first.every((slot) => slot.toss === 5)).toBe(true)
  })

  it('keep what is kept where it is', () => {
    const second = tossed(keeping(hold(first, 1, 2), [...'33']), [...'136'], 9, [...'13336'])
    expect(faces(second)).toBe('13336')
    expect(held(second)).toBe('.hh..')
    expect(second.map((slot) => slot.toss)).toEqual([9, 5, 5, 9, 9])
  })

  it('follow a keep that somebody else made, and forget nothing', () => {
    const kept = keeping(first, [...'36'])
    expect(faces(kept)).toBe('13346')
    expect(held(kept)).toBe('.h..h')
    expect(held(lying(kept, [...'13346'], null))).toBe('.h..h')
  })

  it('can be told from nothing but the state', () => {
    expect(faces(keeping(BARE, [...'44']))).toBe('44')
    expect(held(lying(BARE, [...'11345'], [...'345']))).toBe('hh...')
    expect(held(lying(BARE, [...'11345'], null))).toBe('.....')
    expect(faces(tossed(BARE, [...'24'], 7, [...'24666']))).toBe('66624')
    expect(held(released(keeping(BARE, [...'44'])))).toBe('.....')
  })

  it('find their legal keep', () => {
    const moves = [{ text: 'keep none' }, { text: 'keep 3 3' }, { text: 'keep 3 6' }, { text: 'score fours' }]
    expect(keepMove(moves, first)).toBe('keep none')
    expect(keepMove(moves, hold(first, 4, 1))).toBe('keep 3 6')
    expect(keepMove(moves, hold(first, 0, 1, 2, 3, 4))).toBe(null)
  })
})

describe('the sheet', () => {
  it('has fifteen boxes', () => expect(new Set(BOXES.map((box) => box.word)).size).toBe(15))

  it('adds up what is written', () => expect(sumOf([3, -1, 0, 12])).toBe(15))

  it('has a ladder that rises', () => {
    const heights = [0, 10, 63, 64, 71, 78, 90, 105].map(heightOf)
    expect(heights).toEqual([...heights].sort((a, b) => a - b))
    expect(heights[2]).toBe(0.58)
    expect(heights.at(-1)).toBe(1)
  })

  it('shows as many columns as there is room for', () => {
    expect(columnsFor(336, 4, 0, 1)).toMatchObject({ choosing: false, seats: [0, 1, 2, 3] })
    expect(columnsFor(366, 8, 5, 6)).toMatchObject({ choosing: true, seats: [5, 6] })
    expect(columnsFor(700, 8, 5, 6)).toMatchObject({ choosing: false })
    expect(columnsFor(400, 1, 0, 0)).toMatchObject({ choosing: false, seats: [0] })
  })

  it('shows the sheet that was chosen, or the own one', () => {
    expect(lookedAt(3, [0], 1, 5)).toBe(3)
    expect(lookedAt(1, [0], 1, 5)).toBe(0)
    expect(lookedAt(null, [0, 1], 4, 5)).toBe(0)
  })
})

import { describe, expect, it } from 'vitest'

import type { Toss } from '../../lib/table.svelte'
import { diceOf, frozenIn, iceOf } from './turn'

const toss = (key: number, faces: string, frozen: string, stake = 0, fresh = false): Toss => ({
  key,
  seat: 0,
  faces: faces.split(' '),
  places: [...frozen].map((sign) => (sign === 'f' ? 'frozen' : 'rolled')),
  fresh,
  stake,
})

const FIRST = toss(3, '1 2 3 4 5 6', 'f...f.', 150, true)
const SECOND = toss(5, '2 2 2 6', 'fff.', 350)
const THIRD = toss(7, '5', 'f', 400)
const FOURTH = toss(9, '1 2 3 4 6 6', 'f.....', 500)

describe('the ice', () => {
  it('holds what every toss froze, with its points', () => {
    const ice = iceOf([FIRST, SECOND])
    expect(ice.now.map((lump) => lump.dice.map((die) => die.face).join(' '))).toEqual(['1 5', '2 2 2'])
    expect(ice.now.map((lump) => lump.points)).toEqual([150, 200])
    expect(ice).toMatchObject({ full: [], count: 5 })
  })

  it('leaves open what a toss brought that followed on others which nobody here saw', () => {
    expect(iceOf([SECOND]).now.map((lump) => lump.points)).toEqual([null])
  })

  it('is cleared when all dice are frozen', () => {
    const ice = iceOf([FIRST, SECOND, THIRD, FOURTH])
    expect(ice.full).toHaveLength(1)
    expect(ice.full[0]).toHaveLength(3)
    expect(ice).toMatchObject({ count: 1 })
    expect(ice.now[0]?.dice).toEqual([{ id: '9-0', face: '1', frozen: true }])
  })

  it('has nothing of a toss without points', () => {
    expect(iceOf([FIRST, toss(5, '2 3 4 6', '....')]).now).toHaveLength(1)
    expect(frozenIn(FIRST)).toBe(2)
    expect(diceOf(THIRD)).toEqual([{ id: '7-0', face: '5', frozen: true }])
  })
})

import { describe, expect, it } from 'vitest'

import type { Toss } from '../../lib/table.svelte'
import type { Told } from '../../lib/types'
import { diceOf, frozenIn, iceOf, keptIn, lastRound, pointsIn, restOf } from './turn'

const toss = (key: number, faces: string, frozen: string): Toss => ({
  key,
  seat: 0,
  faces: faces.split(' '),
  lie: [...frozen].map((sign) => (sign === 'f' ? 'frozen' : 'rolled')),
})
const event = (number: number, told: string): Told => ({ number, told, at: 0, entry: { kind: 'rolled', seat: 0, roll: '1' } })

const FIRST = toss(3, '1 2 3 4 5 6', 'f...f.')
const SECOND = toss(5, '2 2 2 6', 'fff.')
const THIRD = toss(7, '5', 'f')
const FOURTH = toss(9, '1 2 3 4 6 6', 'f.....')

describe('the ice', () => {
  it('holds what every toss froze, with its points', () => {
    const ice = iceOf([FIRST, SECOND], [event(3, 'Ann rolls 1 2 3 4 5 6: 150 points freeze 2 dice, 150 at risk.')])
    expect(ice.now.map((lump) => lump.dice.map((die) => die.face).join(' '))).toEqual(['1 5', '2 2 2'])
    expect(ice.now.map((lump) => lump.points)).toEqual([150, null])
    expect(ice).toMatchObject({ full: [], count: 5 })
  })

  it('is cleared when all dice are frozen', () => {
    const ice = iceOf([FIRST, SECOND, THIRD, FOURTH], [])
    expect(ice.full).toHaveLength(1)
    expect(ice.full[0]).toHaveLength(3)
    expect(ice).toMatchObject({ count: 1 })
    expect(ice.now[0]?.dice).toEqual([{ id: '9-0', face: '1', frozen: true }])
  })

  it('has nothing of a toss without points', () => {
    expect(iceOf([FIRST, toss(5, '2 3 4 6', '....')], []).now).toHaveLength(1)
    expect(frozenIn(FIRST)).toBe(2)
    expect(diceOf(THIRD)).toEqual([{ id: '7-0', face: '5', frozen: true }])
  })
})

describe('sentences', () => {
  it('tell their points', () => {
    expect(pointsIn('Ann rolls 1 1 1: 1,300 points freeze 3 dice, the last: 500 more are safe.')).toBe(1300)
    expect(pointsIn('Ann rolls 2 3: nothing scores, the turn ends with 0, and 450 are lost.')).toBeNull()
    expect(keptIn('Ann passes and keeps 950, for 3400 in all.')).toBe(950)
    expect(keptIn('Ann rolls 2 dice.')).toBeNull()
  })

  it('tell what else follows', () => {
    expect(restOf('passes and keeps 950, for 5400 in all. The last round begins: everybody else has one more turn.')).toBe(
      'The last round begins: everybody else has one more turn.',
    )
    expect(restOf('passes and keeps 950, for 3400 in all.')).toBe('')
  })
})

describe('the last round', () => {
  it('goes round from its starter', () => {
    expect(lastRound(2, 0, 4, false)).toEqual(['playing', 'to play', 'started', 'played'])
    expect(lastRound(0, 1, 3, false)).toEqual(['started', 'playing', 'to play'])
  })

  it('is over when the game is', () => {
    expect(lastRound(2, 1, 4, true)).toEqual(['played', 'played', 'started', 'played'])
  })
})

import { describe, expect, it } from 'vitest'

import type { Toss } from '../../lib/table.svelte'
import type { ShownEntry } from '../../lib/types'
import type { Sign } from './schema'
import { endingOf, endOf, followedAfter, groupsOf, outcomeOf, roadOf, sentAfter, sentBy, setAside, stakeOf } from './turn'

const toss = (faces: string, places: string): Toss => ({ key: 1, seat: 0, faces: faces.split(' '), places: places.split(' '), fresh: false, stake: 0 })
const rolled = (number: number): ShownEntry => ({ number, at: 0, told: '', entry: { kind: 'rolled', seat: 0, roll: 'S' } })
const moved = (number: number, seat: number, move: string, effect: ShownEntry['effect']): ShownEntry => ({
  number,
  at: 0,
  told: '',
  entry: { kind: 'moved', seat, move },
  effect,
})
const SIGNS: Sign[] = [
  { face: 'S', counts: true, sends: false },
  { face: 'D', counts: false, sends: false },
  { face: 'U', counts: true, sends: true },
]

describe('roadOf', () => {
  it('lays the dice set aside one after the other', () => {
    expect(setAside([toss('25 100 S', 'rolled aside rolled'), toss('50 U', 'aside rolled')])).toEqual(['100', '50'])
    expect(roadOf(['100', '50'], 4, 6)).toEqual({ places: 6, laps: [], lap: ['100', '50'] })
  })

  it('starts again after the sixth', () => {
    const six = ['25', '50', '100', '25', '50', '100']
    expect(roadOf(six, 6, 6)).toEqual({ places: 6, laps: [six], lap: [] })
    expect(roadOf([...six, '25'], 5, 6)).toEqual({ places: 6, laps: [six], lap: ['25'] })
  })

  it('leaves open what it cannot know', () => {
    expect(roadOf([], 4, 6)).toEqual({ places: 6, laps: [], lap: ['', ''] })
    expect(roadOf(['50'], 4, 6)).toEqual({ places: 6, laps: [], lap: ['', '50'] })
    expect(roadOf(['50', '25'], 5, 6)).toEqual({ places: 6, laps: [['50']], lap: ['25'] })
  })
})

describe('groupsOf', () => {
  it('puts dice of one sign together', () => {
    expect(groupsOf(toss('S S S U U U', 'sign sign sign sign sign sign'))).toEqual([
      { start: 0, count: 3, face: 'S', place: 'sign' },
      { start: 3, count: 3, face: 'U', place: 'sign' },
    ])
    expect(groupsOf(toss('S 25 50 100', 'rolled counted counted aside'))).toEqual([
      { start: 1, count: 2, face: '25', place: 'counted' },
      { start: 3, count: 1, face: '100', place: 'aside' },
    ])
  })
})

describe('endingOf', () => {
  it('reads how the dice lie', () => {
    expect(endingOf(undefined)).toBeNull()
    expect(endingOf(toss('100 S', 'aside rolled'))).toBeNull()
    expect(endingOf(toss('S S S 100', 'sign sign sign rolled'))).toEqual({ sign: 'S' })
    expect(endingOf(toss('S D', 'rolled rolled'))).toBe('none')
    expect(endingOf(toss('25 25 25 25 25 25', 'counted counted counted counted counted counted'))).toBe('banked')
  })

  it('waits for the choice of two signs', () => {
    const split = toss('S S S U U U', 'sign sign sign sign sign sign')
    expect(endingOf(split)).toBeNull()
    expect(endingOf(split, 'U')).toEqual({ sign: 'U' })
  })
})

describe('what was decided', () => {
  const played = [rolled(3), rolled(4), moved(5, 0, 'follow u-turn', { sign: 'U' }), moved(6, 0, 'target 2', { seat: 1 }), rolled(7)]

  it('is found after the toss', () => {
    expect(followedAfter(played, 4)).toBe('U')
    expect(followedAfter(played, 7)).toBe('')
    expect(sentAfter(played, 4)).toBe(1)
    expect(sentBy(played, 1)).toBe(0)
    expect(sentBy(played, 0)).toBe(-1)
  })

  it('may end the turn', () => {
    expect(endOf(played, 4)?.number).toBe(5)
    expect(endOf(played, 7)?.number).toBe(7)
    expect(endOf(played, 99)).toBeUndefined()
  })
})

describe('outcomeOf', () => {
  it('is the change of the score', () => {
    expect(outcomeOf({ sign: 'S' }, 325, 325, SIGNS)).toBe('325 points scored.')
    expect(outcomeOf('banked', 1175, 825, SIGNS)).toBe('1,175 points banked at once.')
    expect(outcomeOf('none', -50, 50, SIGNS)).toBe('50 points subtracted.')
    expect(outcomeOf({ sign: 'S' }, 0, 0, SIGNS)).toBe('No points.')
    expect(outcomeOf({ sign: 'S' }, null, 325, SIGNS)).toBe('')
  })

  it('is what a DEAD END leaves uncounted', () => {
    expect(outcomeOf({ sign: 'D' }, 0, 325, SIGNS)).toBe('325 points do not count.')
    expect(outcomeOf({ sign: 'D' }, 0, 0, SIGNS)).toBe('No points.')
  })

  it('knows what was at stake before the last toss, or by it where two signs were to choose from', () => {
    const first = { ...toss('25 100', 'rolled aside'), stake: 100 }
    expect(stakeOf([first, toss('D D D', 'sign sign sign')])).toBe(100)
    expect(stakeOf([first, { ...toss('S S S D D D', 'sign sign sign sign sign sign'), stake: 350 }])).toBe(350)
    expect(stakeOf([])).toBe(0)
  })
})

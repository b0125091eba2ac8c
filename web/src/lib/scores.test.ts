import { describe, expect, it } from 'vitest'

import { changeBy } from './scores'
import { playedOf } from './table.svelte'
import type { ShownEntry } from './types'

const event = (number: number, entry: ShownEntry['entry'], scores?: number[]): ShownEntry => ({ number, at: 0, told: '', entry, ...(scores ? { scores } : {}) })
const rolled = (number: number, scores?: number[]) => event(number, { kind: 'rolled', seat: 0, roll: '4' }, scores)
const moved = (number: number, scores?: number[]) => event(number, { kind: 'moved', seat: 0, move: 'hold' }, scores)
const change = (events: ShownEntry[], number: number, seat: number) => changeBy(events, playedOf(events), number, seat)

describe('the change of a score', () => {
  const started = event(1, { kind: 'started' }, [10, 0])
  const events = [started, rolled(2), moved(3, [14, 0]), rolled(4), rolled(5, [14, -50])]

  it('is from the start of the game, or from what it was last', () => {
    expect(change(events, 3, 0)).toBe(4)
    expect(change(events, 3, 1)).toBe(0)
    expect(change(events, 5, 1)).toBe(-50)
    expect(change(events, 4, 0)).toBe(0)
  })

  it('does not count what was taken back', () => {
    const again = [started, rolled(2), moved(3, [14, 0]), event(4, { kind: 'undone', seat: 0 }), moved(5, [14, 0])]
    expect(change(again, 5, 0)).toBe(4)
  })

  it('is not known without the scores before', () => {
    expect(change([moved(3, [14, 0])], 3, 0)).toBeNull()
    expect(change(events, 99, 0)).toBeNull()
  })
})

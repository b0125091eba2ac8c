import { describe, expect, it } from 'vitest'

import { merged, playedOf, tossesOf } from './table.svelte'
import type { ShownEntry } from './types'

const rolled = (number: number, roll: string, more: Partial<ShownEntry> = {}): ShownEntry => ({
  number,
  at: 0,
  told: '',
  entry: { kind: 'rolled', seat: 0, roll },
  ...more,
})
const moved = (number: number, move: string): ShownEntry => ({ number, at: 0, told: '', entry: { kind: 'moved', seat: 0, move } })
const other = (number: number, kind: 'started' | 'undone'): ShownEntry => ({
  number,
  at: 0,
  told: '',
  entry: kind === 'started' ? { kind } : { kind, seat: 0 },
})

describe('what was played', () => {
  it('leaves out what was taken back', () => {
    const events = [other(1, 'started'), rolled(2, '1 2'), moved(3, 'keep 1'), other(4, 'undone'), moved(5, 'keep 2')]
    expect(playedOf(events).map((event) => event.number)).toEqual([2, 5])
  })

  it('leaves out what bots chose since, too', () => {
    const undone: ShownEntry = { number: 5, at: 0, told: '', entry: { kind: 'undone', seat: 0, events: 2 } }
    const events = [other(1, 'started'), rolled(2, '1 2'), rolled(3, '5'), moved(4, 'hold'), undone]
    expect(playedOf(events).map((event) => event.number)).toEqual([2])
  })

  it('begins anew with a rematch', () => {
    const events = [other(1, 'started'), rolled(2, '1'), other(3, 'started'), rolled(4, '2')]
    expect(playedOf(events).map((event) => event.number)).toEqual([4])
  })

  it('takes an event once, however often it comes', () => {
    const first = [rolled(1, '1'), rolled(2, '2')]
    expect(merged(first, [rolled(2, '2'), rolled(3, '3')]).map((event) => event.number)).toEqual([1, 2, 3])
  })
})

describe('the tosses of a turn', () => {
  it('are those since the one it began with', () => {
    const played = [
      rolled(1, 'S S 25', { fresh: true }),
      rolled(2, '25 50', { fresh: true, places: ['rolled', 'aside'], stake: 50 }),
      rolled(3, '100', { stake: 150 }),
    ]
    expect(tossesOf(played).map((toss) => toss.key)).toEqual([2, 3])
    expect(tossesOf(played)[0]?.places).toEqual(['rolled', 'aside'])
    expect(tossesOf(played)[1]?.places).toEqual(['rolled'])
    expect(tossesOf(played).map((toss) => [toss.fresh, toss.stake])).toEqual([
      [true, 50],
      [false, 150],
    ])
  })

  it('are none before the first', () => {
    expect(tossesOf([])).toEqual([])
  })
})

import { describe, expect, it } from 'vitest'

import type { RollersEffect, RoundEnd } from './schema'
import { deed, gains, reasons, sequel, shortDeed } from './words'

const does = (change: Partial<RollersEffect>): RollersEffect => ({ opens: [], closes: [], paid: [], round_end: null, ...change })

describe('what an application does', () => {
  it.each([
    [does({ opens: [2] }), 'opens the 2s', 'opens'],
    [does({ closes: [5] }), 'closes the 5s', 'closes'],
    [does({ opens: [1], closes: [1] }), 'opens and closes the 1s', 'opens and closes'],
    [does({ paid: [0, 3, 2] }), 'collects 5', 'collects 5'],
    [does({ paid: [0, 0] }), 'collects 0', 'collects 0'],
    [does({ closes: [5], paid: [0, 5] }), 'closes the 5s and collects 5', 'closes, collects 5'],
    [does({ opens: [1], closes: [1], paid: [0, 1] }), 'opens and closes the 1s and collects 1', 'opens and closes, collects 1'],
  ])('is said on a button, and shorter on its section', (effect, long, short) => {
    expect(deed(effect)).toBe(long)
    expect(shortDeed(effect)).toBe(short)
  })

  it('goes by the numbers of the sections', () => {
    expect(deed(does({ opens: [2, 4], closes: [1, 4], paid: [6, 0] }))).toBe('closes the 1s, opens the 2s, opens and closes the 4s and collects 6')
  })
})

describe('how a round ends', () => {
  const names = ['J. Smith', '{0}', 'Dr. No. 1: a']
  const ends = (change: Partial<RoundEnd>): RoundEnd => ({ points: [2, 1, 0], richest: [1], richest_points: 1, starter: 2, winners: [], ...change })

  it('is said with any names', () => {
    expect(gains(ends({}), names)).toBe('J. Smith 2 and {0} 1')
    expect(reasons(ends({}), 0, names)).toBe('J. Smith gets 2 points for the full board, {0} 1 for the most chips.')
    expect(sequel(ends({}), names)).toBe('Dr. No. 1: a starts the next round.')
  })

  it('says who has the most chips, and what that brings', () => {
    expect(reasons(ends({ points: [3, 0, 0], richest: [0] }), 0, names)).toBe('J. Smith gets 2 points for the full board and 1 for the most chips.')
    expect(reasons(ends({ points: [1, 0, 1], richest: [2] }), 0, names)).toBe('J. Smith gets 1 point for the full board, Dr. No. 1: a 1 for the most chips.')
    expect(reasons(ends({ points: [2, 0, 0], richest: [0, 1], richest_points: 0 }), 0, names)).toBe(
      'J. Smith gets 2 points for the full board. J. Smith and {0} tie for the most chips, so nobody gets a point for them.',
    )
    expect(reasons(ends({ points: [3, 1, 0], richest: [0, 1] }), 0, names)).toBe(
      'J. Smith gets 2 points for the full board. J. Smith and {0} tie for the most chips and get 1 each.',
    )
  })

  it('says who wins the match', () => {
    expect(sequel(ends({ starter: -1, winners: [0] }), names)).toBe('J. Smith wins!')
    expect(sequel(ends({ starter: -1, winners: [0, 1] }), names)).toBe('J. Smith and {0} share the win!')
  })
})

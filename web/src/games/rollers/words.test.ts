import { describe, expect, it } from 'vitest'

import type { RollersEffect, RoundEnd } from './schema'
import { aboutChips, deed, gains, leaving, sequel, shortDeed } from './words'

const does = (change: Partial<RollersEffect>): RollersEffect => ({ opens: [], closes: [], paid: [], round_end: null, unused: 0, ...change })

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

describe('dice that are left lying', () => {
  it.each([
    [0, ''],
    [1, 'leaves 1 usable die'],
    [3, 'leaves 3 usable dice'],
  ])('are said where they could be used', (unused, says) => {
    expect(leaving(does({ unused }))).toBe(says)
  })
})

describe('how a round ends', () => {
  const names = ['J. Smith', '{0}', 'Dr. No. 1: a']
  const ends = (change: Partial<RoundEnd>): RoundEnd => ({
    points: [2, 1, 0],
    richest: [1],
    richest_points: 1,
    starter: 2,
    winners: [],
    board_points: 2,
    chips: [50, 60, 55],
    ...change,
  })

  it('is said with any names', () => {
    expect(gains(ends({}), names)).toBe('J. Smith 2 and {0} 1')
    expect(aboutChips(ends({}), names)).toBe('{0} has the most chips.')
    expect(sequel(ends({}), names)).toBe('Dr. No. 1: a starts the next round.')
  })

  it('says what a tie for the most chips brings', () => {
    expect(aboutChips(ends({ richest: [0, 1], richest_points: 0 }), names)).toBe('J. Smith and {0} tie for the most chips, so nobody gets a point for them.')
    expect(aboutChips(ends({ richest: [0, 1] }), names)).toBe('J. Smith and {0} tie for the most chips and get 1 point each.')
  })

  it('says who wins the match', () => {
    expect(sequel(ends({ starter: -1, winners: [0] }), names)).toBe('J. Smith wins!')
    expect(sequel(ends({ starter: -1, winners: [0, 1] }), names)).toBe('J. Smith and {0} share the win!')
  })
})

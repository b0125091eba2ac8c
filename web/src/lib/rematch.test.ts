import { describe, expect, it } from 'vitest'

import { askedPeople, players, seriesWords, startWords } from './rematch'
import type { Invitation, WireSeat } from './types'

const seats: WireSeat[] = [
  { kind: 'person', name: 'Ann' },
  { kind: 'person', name: 'Ben' },
  { kind: 'bot', name: 'Otto', bot: 'casual' },
  { kind: 'person', name: 'Dev', gone: true },
]
const invitation: Invitation = { by: 0, accepted: [0, 4], declined: [1], newcomers: [{ kind: 'person', name: 'Cleo' }], room: 3, fewest: 2 }

describe('the next game at a table', () => {
  it('asks the people of the last one who are still here, and counts newcomers after them', () => {
    expect(askedPeople(seats, invitation, [0, 1]).map(({ seat, name, answer, present }) => [seat, name, answer, present])).toEqual([
      [0, 'Ann', 'in', true],
      [1, 'Ben', 'out', true],
      [4, 'Cleo', 'in', false],
    ])
  })

  it('is played by bots and by those who are in and present', () => {
    expect(players(seats, askedPeople(seats, invitation, [0]))).toBe(2)
    expect(players(seats, askedPeople(seats, invitation, [0, 4]))).toBe(3)
  })

  it('says whom it would leave out', () => {
    expect(startWords(askedPeople(seats, invitation, [0]))).toBe('Start without Cleo')
    expect(startWords(askedPeople(seats, invitation, [0, 4]))).toBe('Start the next game')
  })

  it('has a score over all games', () => {
    expect(
      seriesWords([
        { name: 'Ann', wins: 3 },
        { name: 'Ben', wins: 1 },
      ]),
    ).toBe('Ann 3, Ben 1')
  })
})

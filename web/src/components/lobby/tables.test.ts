import { describe, expect, it } from 'vitest'

import { finished, standing, titled, type Listed } from './tables'

function table(status: Listed['status'], names: [Listed['seats'][number]['kind'], string][], actor: number | null = null): Listed {
  return {
    name: 'k3x9w7fm',
    code: 'k3x9-w7fm',
    game: 'kismet',
    title: 'Kismet',
    options: '',
    status,
    public: false,
    dice: 'fair',
    clock: { kind: 'off', seconds: 0 },
    stand_in: '',
    coach: 'off',
    challenge: '',
    round: 1,
    created: '',
    promise: '',
    games: [],
    series: [],
    actor,
    seats: names.map(([kind, name], index) => ({ seat: index + 1, kind, name, bot: '', present: false, away: '' })),
  }
}

describe('a table that this browser was at', () => {
  it('is the one try of somebody, where it is a challenge', () => {
    const challenge = { ...table('playing', [['person', 'Ann'], ['bot', 'Otto']]), challenge: 'k3x9w7fm' } // prettier-ignore
    expect(titled(challenge, [])).toBe('Kismet with Otto')
    expect(standing(challenge, [])).toBe('A challenge, and your one try at it')
    const over = { ...challenge, status: 'over' as const, created: '2026-11-18T20:00:00Z' }
    expect(finished([over])).toMatchObject([{ challenge: 'k3x9w7fm', title: 'Kismet: a challenge' }])
    expect(finished([challenge])).toEqual([])
  })

  it('is told by the others', () => {
    expect(
      titled(
        table('playing', [
          ['person', 'Ann'],
          ['person', 'Ben'],
        ]),
        [0],
      ),
    ).toBe('Kismet with Ben')
    expect(
      titled(
        table('playing', [
          ['person', 'Ann'],
          ['local', 'Ben'],
        ]),
        [0, 1],
      ),
    ).toBe('Kismet')
    expect(
      titled(
        table('playing', [
          ['person', 'Player'],
          ['bot', 'Casual bot'],
        ]),
        [0],
      ),
    ).toBe('Kismet with Casual bot')
  })

  it('says whom it waits for', () => {
    const names: [Listed['seats'][number]['kind'], string][] = [
      ['person', 'Ann'],
      ['person', 'Ben'],
      ['open', ''],
    ]
    expect(standing(table('playing', names, 1), [0])).toBe('Your turn is waiting')
    expect(standing(table('playing', names, 2), [0])).toBe('Ben is to play')
    expect(standing(table('playing', names), [0])).toBe('The game goes on')
    expect(standing(table('waiting', names), [0])).toBe('1 seat still open')
  })
})

describe('a game that is over', () => {
  const seat = (name: string, score: number, place: number) => ({ name, kind: 'person' as const, bot: '', score, place })

  it('is told by its winner, scores and day, the latest first', () => {
    const games = [
      { number: 1, ended: '2026-11-15T20:00:00Z', why: '', seats: [seat('Ann', 90, 2), seat('Ben', 1200, 1)] },
      { number: 2, ended: '2026-11-16T12:00:00Z', why: '', seats: [seat('Ann', 70, 1), seat('Ben', 70, 1)] },
      { number: 3, ended: '2026-11-16T13:00:00Z', why: 'Ben left.', seats: [seat('Ann', 0, 0), seat('Ben', 0, 0)] },
    ]
    expect(finished([{ ...table('closed', []), games }]).map(({ number, title, note }) => [number, title, note])).toEqual([
      [2, 'Kismet: Ann and Ben won', 'Ann 70, Ben 70 · 16 November 2026'],
      [1, 'Kismet: Ben won', 'Ben 1,200, Ann 90 · 15 November 2026'],
    ])
  })

  it('names four players and counts the others', () => {
    const seats = ['Ann', 'Ben', 'Cleo', 'Dev', 'Eve', 'Flo'].map((name, index) => seat(name, 60 - index, index + 1))
    const [game] = finished([{ ...table('over', []), games: [{ number: 1, ended: '2026-11-16T12:00:00Z', why: '', seats }] }])
    expect(game?.note).toBe('Ann 60, Ben 59, Cleo 58, Dev 57, and 2 more · 16 November 2026')
  })
})

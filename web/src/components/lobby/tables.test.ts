import { describe, expect, it } from 'vitest'

import { sorted, standing, titled, type Listed } from './tables'

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
    round: 1,
    created: '',
    promise: '',
    actor,
    seats: names.map(([kind, name], index) => ({ seat: index + 1, kind, name, bot: '', present: false, away: '' })),
  }
}

describe('a table that this browser was at', () => {
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
    expect(standing(table('over', names), [0])).toBe('Played to the end')
  })

  it('comes first while it goes on', () => {
    const [over, going] = [{ card: table('over', []) }, { card: table('playing', []) }]
    expect(sorted([over, going])).toEqual([going, over])
  })
})

import { beforeEach, describe, expect, it, vi } from 'vitest'

import { add, bar, boxOf, dealt, drop, due, fresh, keepLevel, later, level, practised, resultLine, score, sound, streak, take, today } from './practised'

const DAY = '2026-11-18'
const right = (id: string) => ({ id, points: 100, right: true, box: 0, days: 0 })
const missed = (id: string, points = 40) => ({ id, points, right: false, box: 1, days: 1 })

beforeEach(() => {
  const store = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => store.get(key) ?? null,
    setItem: (key: string, value: string) => store.set(key, value),
  })
})

it('counts days where the browser is, over the ends of months and years', () => {
  expect(today(new Date(2026, 0, 5, 23, 59))).toBe('2026-01-05')
  expect(later('2026-12-30', 3)).toBe('2027-01-02')
  expect(later('2026-03-29', 1)).toBe('2026-03-30') // when clocks change
  expect(later('2026-03-01', -1)).toBe('2026-02-28')
})

describe('what comes back', () => {
  it('is what was missed, in the box and on the day that the server says', () => {
    take(missed('a'), 'pig', DAY)
    take(right('b'), 'pig', DAY)
    expect(practised()).toMatchObject({
      boxed: [{ id: 'a', game: 'pig', box: 1, due: '2026-11-19' }],
      seen: ['a', 'b'],
      latest: [40, 100],
      answered: 2,
      right: 1,
    })
    expect([due(practised(), DAY), due(practised(), '2026-11-19')]).toEqual([[], ['a']])
    expect([boxOf(practised(), 'a'), boxOf(practised(), 'b')]).toEqual([1, 0])
    take({ id: 'a', points: 100, right: true, box: 2, days: 3 }, 'pig', '2026-11-19')
    expect(practised().boxed).toEqual([{ id: 'a', game: 'pig', box: 2, due: '2026-11-22' }])
    take(right('a'), 'pig', '2026-11-22') // out of the last box: it is known
    expect(practised().boxed).toEqual([])
  })

  it('is asked the longest overdue first, and of one game if one is chosen', () => {
    take({ ...missed('late'), days: 3 }, 'pig', DAY)
    take(missed('soon'), 'bluff', DAY)
    expect(due(practised(), '2027-01-01')).toEqual(['soon', 'late'])
    expect(due(practised(), '2027-01-01', 'pig')).toEqual(['late'])
  })

  it('has mistakes of somebody’s own from today on, each once, until they are gone', () => {
    add('table.1.5', 'pig', DAY)
    take({ id: 'table.1.5', points: 100, right: true, box: 2, days: 3 }, 'pig', DAY)
    add('table.1.5', 'pig', DAY)
    expect(practised().boxed).toEqual([{ id: 'table.1.5', game: 'pig', box: 2, due: '2026-11-21' }])
    drop('table.1.5')
    expect(practised().boxed).toEqual([])
  })
})

describe('a set', () => {
  it('goes on with the deck, and begins anew with what was answered longest ago', () => {
    take(right('a'), 'pig', DAY)
    take(right('b'), 'pig', DAY)
    expect(fresh(practised(), ['a', 'b', 'c'], 2)).toEqual(['c', 'a'])
  })

  it('has what is due first, then the decks by turns, and nothing twice', () => {
    add('b', 'pig', DAY)
    expect(dealt(practised(), [['a', 'b', 'c'], ['x', 'y'], []], DAY)).toEqual(['b', 'a', 'x', 'c', 'y'])
    expect(dealt(practised(), [['a', 'b', 'c', 'd', 'e', 'f']], DAY, 'bluff')).toEqual(['a', 'c', 'd', 'e', 'f'])
  })
})

describe('the score and the streak', () => {
  it('is the average of the latest fifty answers', () => {
    for (let number = 0; number < 60; number += 1) take(number < 10 ? missed(`${number}`, 0) : right(`${number}`), 'pig', DAY)
    expect([practised().latest.length, score(practised().latest), practised().answered]).toEqual([50, 100, 60])
    expect(score([])).toBe(0)
  })

  it('is days in a row, up to today, or to yesterday while today is open', () => {
    for (const day of ['2026-11-16', '2026-11-17']) for (const id of 'abcde') take(right(id), 'pig', day, true)
    expect(streak(practised(), DAY)).toBe(2)
    for (const id of 'abcd') take(right(id), 'pig', DAY, true)
    expect(streak(practised(), DAY)).toBe(2)
    take(missed('e', 20), 'pig', DAY, true)
    expect(streak(practised(), DAY)).toBe(3)
    expect(streak(practised(), '2026-11-20')).toBe(0)
  })

  it('of a day counts the first answer alone, whatever another tab adds', () => {
    take(missed('a', 20), 'pig', DAY, true)
    take(right('a'), 'pig', DAY, true)
    expect(practised().daily[DAY]).toEqual({ a: 20 })
  })

  it('goes into a line as that of the terminal does', () => {
    expect(resultLine(DAY, [84, 30, 100, 100, 100], 3)).toBe('Hotdice daily five 2026-11-18: 83 of 100 (▇▃███), 3 days in a row')
    expect(resultLine(DAY, [0, 0, 0, 0, 0], 1)).toBe('Hotdice daily five 2026-11-18: 0 of 100 (▁▁▁▁▁)')
    expect([bar(0), bar(12), bar(13), bar(99), bar(100)].join('')).toBe('▁▁▂██')
  })
})

describe('what is kept', () => {
  it('is begun anew where it is none of ours, and keeps what is sound of it', () => {
    for (const broken of [null, 7, 'x', [], { boxed: 7, seen: {}, latest: 'x', daily: [1] }]) {
      expect(sound(broken)).toEqual({ boxed: [], seen: [], latest: [], answered: 0, right: 0, daily: {} })
    }
    const found = sound({
      boxed: [{ id: 'a', game: 'pig', box: 1, due: DAY }, { id: 'b', game: 'pig', box: 0, due: DAY }, { id: 'c', game: 'pig', box: 1, due: 'soon' }, null],
      latest: [50, 900, 'x'],
      daily: { [DAY]: { a: 50, b: 'x' }, soon: { a: 1 } },
    })
    expect(found.boxed.map((one) => one.id)).toEqual(['a'])
    expect([found.latest, found.daily]).toEqual([[50], { [DAY]: { a: 50 } }])
    localStorage.setItem('hotdice.practice', '{broken')
    expect(practised().answered).toBe(0)
  })

  it('lasts as long as the page without storage', () => {
    const denied = () => {
      throw new Error('denied')
    }
    vi.stubGlobal('localStorage', { getItem: denied, setItem: denied })
    take(missed('a'), 'pig', DAY)
    keepLevel('hard')
    expect([practised().boxed.length, level()]).toEqual([1, 'hard'])
  })

  it('takes what another tab has kept meanwhile as it is', () => {
    take(missed('a'), 'pig', DAY)
    const other = JSON.parse(localStorage.getItem('hotdice.practice') ?? '') as { seen: string[] }
    localStorage.setItem('hotdice.practice', JSON.stringify({ ...other, seen: [...other.seen, 'z'] }))
    take(right('b'), 'pig', DAY)
    expect(practised().seen).toEqual(['a', 'z', 'b'])
  })
})

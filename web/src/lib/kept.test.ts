import { beforeEach, expect, it, vi } from 'vitest'

import { clean, kept } from './kept'
import type { TableMade } from './types'

beforeEach(() => {
  const store = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => store.get(key) ?? null,
    setItem: (key: string, value: string) => store.set(key, value),
  })
})

it('keeps the tokens of a table under any spelling of its name', () => {
  kept.keep('K3X9-W7FM', 'kor', ['a'])
  kept.keep('k3x9w7fm', 'kor', ['b', 'a'])
  expect(kept.tokens('k3x9 w7fm')).toEqual(['a', 'b'])
  expect(clean('K3X9-W7FM')).toBe('k3x9w7fm')
})

it('knows which seats they open, once it was told', () => {
  kept.keep('aaaa', 'kor', ['a', 'b'])
  kept.keep('aaaa', 'kor', [], [0, 2])
  kept.keep('aaaa', 'kor', ['c'])
  expect(kept.all()[0]).toMatchObject({ tokens: ['a', 'b', 'c'], seats: [0, 2] })
})

it('knows its seat in a challenge, which it never gives up by itself', () => {
  const seat = { seat: 1, kind: 'person', name: 'Ann', bot: '', present: false, away: '' } as const
  const made = (name: string, challenge: string) =>
    ({ table: { name, game: 'kor', challenge, seats: [seat] }, tokens: [{ seat: 1, token: `of ${name}` }] }) as unknown as TableMade
  for (const name of ['aaaa', 'bbbb', 'cccc', 'dddd', 'eeee', 'ffff']) kept.take(made(name, ''))
  const before = kept.leftBehind().length
  for (const name of ['gggg', 'hhhh', 'jjjj', 'kkkk', 'mmmm', 'nnnn']) kept.take(made(name, '2026-11-18'))
  expect(kept.tokenIn('2026-11-18')).toMatch(/^of /)
  expect(kept.tokenIn('k3x9w7fm')).toBe('')
  expect(kept.tokenIn('')).toBe('')
  expect(kept.leftBehind()).toHaveLength(before)
})

it('forgets one table and no other', () => {
  kept.keep('aaaa', 'kor', ['a'])
  kept.keep('bbbb', 'bj', ['b'])
  kept.forget('aaaa')
  expect(kept.all().map((entry) => entry.table)).toEqual(['bbbb'])
})

it('keeps what was played where nobody here has a seat any more', () => {
  kept.keep('aaaa', 'kor', ['a'], [0])
  kept.note('aaaa', true)
  kept.hide('aaaa', 2)
  kept.lose('aaaa')
  expect(kept.all()).toMatchObject([{ table: 'aaaa', tokens: [], seats: [], over: true, hidden: [2] }])
})

it('keeps every unfinished game, and the latest of the others', () => {
  for (let number = 0; number < 130; number += 1) {
    kept.keep(`over${number}`, 'kor', ['a'])
    kept.note(`over${number}`, true)
    kept.keep(`open${number}`, 'kor', ['a'])
  }
  const names = kept.all().map((entry) => entry.table)
  expect(names.filter((name) => name.startsWith('open'))).toHaveLength(130)
  expect(names.filter((name) => name.startsWith('over'))).toHaveLength(100)
  expect(names).toContain('over129')
})

it('lasts as long as the page without storage', () => {
  vi.stubGlobal('localStorage', {
    getItem: () => {
      throw new Error('denied')
    },
    setItem: () => {
      throw new Error('full')
    },
  })
  kept.keep('aaaa', 'kor', ['a'])
  expect(kept.tokens('aaaa')).toEqual(['a'])
  kept.name = 'Ann'
  expect(kept.name).toBe('Ann')
})

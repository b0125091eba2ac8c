import { describe, expect, it } from 'vitest'

import { alone, applicationOf, applications, fullest, home, inColumns, keepOf, missing, most, struckRuns } from './moves'
import type { RollersEffect, RollersFacts } from './schema'

const move = (text: string, effect: RollersEffect | null = null) => ({ text, label: '', effect: effect as never })
const does = (change: Partial<RollersEffect> = {}): RollersEffect => ({ opens: [], closes: [], paid: [], round_end: null, unused: 0, ...change })
const sections = [1, 2, 3, 4, 5].map((number) => ({ number, opening: number, closing: 1, faces: [`${number}`, `b${number}`] }))

describe('keeps', () => {
  const moves = [move('stop'), move('keep none'), move('keep 3 3 *'), move('keep 3 b3')]

  it('are found by the set of faces, in any order', () => {
    expect(keepOf(moves, ['*', '3', '3'])).toBe('keep 3 3 *')
    expect(keepOf(moves, ['b3', '3'])).toBe('keep 3 b3')
    expect(keepOf(moves, [])).toBe('keep none')
  })

  it('are not found where they are not legal', () => {
    expect(keepOf(moves, ['3', '3'])).toBe('')
  })
})

describe('applications', () => {
  const all = applications(
    [
      move('stop'),
      move('apply none', does()),
      move('apply 2 2', does({ opens: [2] })),
      move('apply 2 2 2', does({ opens: [2], closes: [2] })),
      move('apply 3', does({ paid: [0, 3, 3] })),
      move('apply 2 2 3', does({ opens: [2], paid: [0, 3, 3] })),
    ],
    sections,
  )

  it('are found by their uses', () => {
    expect(applicationOf(all, [0, 2, 1, 0, 0])?.text).toBe('apply 2 2 3')
    expect(applicationOf(all, [0, 0, 0, 0, 0])?.text).toBe('apply none')
    expect(applicationOf(all, [0, 1, 0, 0, 0])).toBeUndefined()
  })

  it('say what is missing', () => {
    expect(missing(all, [0, 1, 1, 0, 0])).toEqual([0, 1, 0, 0, 0])
    expect(missing(all, [0, 3, 1, 0, 0])).toBeNull()
  })

  it('say how many dice a section takes, and what they do there alone', () => {
    expect(most(all)).toEqual([0, 3, 1, 0, 0])
    expect(alone(all, 2)).toEqual([
      { count: 2, effect: does({ opens: [2] }) },
      { count: 3, effect: does({ opens: [2], closes: [2] }) },
    ])
    expect(alone(all, 5)).toEqual([])
  })

  it('are offered by the most dice, and none that another goes beyond', () => {
    const texts = ['apply none', 'apply 1', 'apply 4', 'apply 1 4', 'apply 1 5', 'apply 3 3 3']
    const some = applications(
      texts.map((text) => move(text, does())),
      sections,
    )
    expect(fullest(some).map((one) => one.text)).toEqual(['apply 3 3 3', 'apply 1 5', 'apply 1 4'])
    expect(fullest(applications([move('apply none', does())], sections))).toEqual([])
  })
})

describe('dice in columns', () => {
  const rolled = (text: string) => ({ text, place: 'rolled' })
  const kept = (text: string) => ({ text, place: 'kept' })
  const faces = (slots: ReturnType<typeof inColumns>) => slots.map((slot) => slot?.face ?? '').join(' ')

  it('know where a face goes', () => {
    const facts = { sections } as RollersFacts
    expect(['3', 'b4', '*', 'zap'].map((face) => home(facts, face))).toEqual([3, 4, 0, 0])
  })

  it('stay where they are while others are rolled', () => {
    const first = inColumns([], ['1', '3', '3', '5', '*', 'b2'].map(rolled), 7, 6)
    expect(faces(first)).toBe('1 3 3 5 * b2')
    const chosen = first.map((slot, at) => slot && { ...slot, place: at === 2 || at === 4 ? 'kept' : 'rolled' })
    const between = inColumns(chosen, [kept('3'), kept('*')], 7, 6)
    expect(faces(between)).toBe('  3  * ')
    const second = inColumns(between, [kept('3'), kept('*'), ...['2', '2', '4', 'zap'].map(rolled)], 9, 6)
    expect(faces(second)).toBe('2 2 3 4 * zap')
    expect(inColumns(second, [kept('3'), kept('*'), ...['2', '2', '4', 'zap'].map(rolled)], 9, 6)).toEqual(second)
  })
})

describe('a ZAP', () => {
  const slots = (places: string) => [...places].map((place) => (place === '-' ? null : { face: '3', place: place === 'x' ? 'cancelled' : 'kept', toss: 1 }))

  it('strikes the dice of its roll, and none that was kept between them', () => {
    expect(struckRuns(slots('xxxxxx'))).toEqual([{ from: 0, to: 5 }])
    expect(struckRuns(slots('xkkxkx'))).toEqual([
      { from: 0, to: 0 },
      { from: 3, to: 3 },
      { from: 5, to: 5 },
    ])
    expect(struckRuns(slots('kxx-x-'))).toEqual([
      { from: 1, to: 2 },
      { from: 4, to: 4 },
    ])
    expect(struckRuns(slots('kkkkkk'))).toEqual([])
  })
})

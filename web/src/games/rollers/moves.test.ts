import { describe, expect, it } from 'vitest'

import { aftermath, alone, applicationOf, applications, deed, fullest, home, inColumns, keepOf, missing, most, shortDeed } from './moves'

const move = (text: string, label = '') => ({ text, label, effect: null })

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
  const all = applications([
    move('stop'),
    move('apply none', 'applies nothing.'),
    move('apply 2 2', 'opens the 2s.'),
    move('apply 2 2 2', 'opens and closes the 2s.'),
    move('apply 3', 'collects 6.'),
    move('apply 2 2 3', 'opens the 2s and collects 6.'),
  ])

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
      { count: 2, label: 'opens the 2s.' },
      { count: 3, label: 'opens and closes the 2s.' },
    ])
    expect(alone(all, 5)).toEqual([])
  })

  it('are offered by the most dice, and none that another goes beyond', () => {
    const some = applications([...['apply none', 'apply 1', 'apply 4', 'apply 1 4', 'apply 1 5', 'apply 3 3 3'].map((text) => move(text))])
    expect(fullest(some).map((one) => one.text)).toEqual(['apply 3 3 3', 'apply 1 5', 'apply 1 4'])
    expect(fullest(applications([move('apply none')]))).toEqual([])
  })
})

describe('labels', () => {
  const end = 'closes the 5s and collects 5. The board is full, and the round is over. Points: {0} 3.'

  it('are cut into what is done and what follows', () => {
    expect(deed(end)).toBe('closes the 5s and collects 5')
    expect(shortDeed(end)).toBe('closes, collects 5')
    expect(aftermath(end)).toBe('The board is full, and the round is over. Points: {0} 3.')
    expect(aftermath('opens the 2s.')).toBe('')
  })
})

describe('dice in columns', () => {
  const rolled = (text: string) => ({ text, place: 'rolled' })
  const kept = (text: string) => ({ text, place: 'kept' })
  const faces = (slots: ReturnType<typeof inColumns>) => slots.map((slot) => slot?.face ?? '').join(' ')

  it('know where a face goes', () => {
    expect(['3', 'b4', '*'].map(home)).toEqual([3, 4, 0])
  })

  it('stay where they are while others are rolled', () => {
    const first = inColumns([], ['1', '3', '3', '5', '*', 'b2'].map(rolled), 7)
    expect(faces(first)).toBe('1 3 3 5 * b2')
    const chosen = first.map((slot, at) => slot && { ...slot, place: at === 2 || at === 4 ? 'kept' : 'rolled' })
    const between = inColumns(chosen, [kept('3'), kept('*')], 7)
    expect(faces(between)).toBe('  3  * ')
    const second = inColumns(between, [kept('3'), kept('*'), ...['2', '2', '4', 'zap'].map(rolled)], 9)
    expect(faces(second)).toBe('2 2 3 4 * zap')
    expect(inColumns(second, [kept('3'), kept('*'), ...['2', '2', '4', 'zap'].map(rolled)], 9)).toEqual(second)
  })
})

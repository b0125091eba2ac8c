import { describe, expect, it } from 'vitest'

import { canPick, diceOf, found, groupsOf, pickedMove } from './moves'

const moves = (...texts: string[]) => texts.map((text) => ({ text, label: `does ${text}.`, effect: null }))
const KEEPS = moves('keep none', 'keep 1', 'keep 5', 'keep 1 5', 'keep 5 5', 'keep 1 5 5')

describe('groupsOf', () => {
  it('sorts moves by their first words', () => {
    const groups = groupsOf([...moves('stop'), ...KEEPS, ...moves('score fives')], ['1', '5', '5'])
    expect(groups.map(({ verb, moves, picks }) => [verb, moves.length, picks])).toEqual([
      ['stop', 1, false],
      ['keep', 6, true],
      ['score', 1, false],
    ])
  })

  it('has dice tapped only where every move names dice that lie there', () => {
    expect(groupsOf(KEEPS, ['1', '5'])[0]?.picks).toBe(false)
    expect(groupsOf(moves('use 1', 'use 2', 'use 3', 'use 4', 'use 5'), ['1', '*'])[0]?.picks).toBe(false)
    expect(groupsOf(moves('roll', 'hold'), ['1'])[0]?.picks).toBe(false)
    expect(groupsOf(moves('keep 1', 'keep 5'), ['1', '5'])[0]?.picks).toBe(false)
  })
})

it('finds the move that names exactly the tapped dice, in any order', () => {
  const [group] = groupsOf(KEEPS, ['1', '5', '5'])
  expect(pickedMove(group, ['5', '1', '5'])?.text).toBe('keep 1 5 5')
  expect(pickedMove(group, [])?.text).toBe('keep none')
  expect(pickedMove(group, ['1', '1'])).toBeUndefined()
  expect(pickedMove(undefined, [])).toBeUndefined()
})

it('knows which dice a move names, and which dice any of them does', () => {
  const [group] = groupsOf(KEEPS, ['1', '5', '5', '6'])
  expect(diceOf(group?.moves[3], ['6', '5', '1', '5'])).toEqual([false, true, true, false])
  expect(diceOf(undefined, ['1'])).toEqual([false])
  expect(canPick(group, '5')).toBe(true)
  expect(canPick(group, '6')).toBe(false)
})

it('finds moves by what they are called and by what they do', () => {
  const all = [{ text: 'score fours', label: 'takes 12 in Fours.', effect: null }, ...moves('score aces')]
  expect(found(all, 'TAKES four').map((move) => move.text)).toEqual(['score fours'])
  expect(found(all, ' ')).toHaveLength(2)
  expect(found(all, 'sixes')).toEqual([])
})

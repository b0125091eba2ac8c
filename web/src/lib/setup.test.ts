import { describe, expect, it } from 'vitest'

import {
  changed,
  firstSeats,
  houseRules,
  levelsOf,
  moved,
  nameBots,
  optionSentence,
  optionTexts,
  parseOptions,
  printedNote,
  seatTitle,
  seatTroubles,
  seatWishes,
  startedAt,
  strideFrom,
  usualBot,
  within,
  type SeatDraft,
} from './setup'
import type { GameCard, OptionCard } from './types'

const number = (name: string, value: number, low: number, high: number, step: number): OptionCard => ({
  name,
  default: value,
  meaning: `What ${name} means.`,
  accepts: '',
  choices: [value],
  low,
  high,
  step,
})
const target = number('target', 6000, 25, 100000, 25)
const bank: OptionCard = { name: 'bank_roll', default: false, meaning: '', accepts: '', choices: [false, true], low: 0, high: 0, step: 1 }
const scoring: OptionCard = { name: 'scoring', default: 'highest', meaning: '', accepts: '', choices: ['highest', 'all'], low: 0, high: 0, step: 1 }
const other: GameCard = {
  name: 'other',
  title: 'Another game',
  pitch: '',
  minutes: 30,
  min_players: 2,
  max_players: 8,
  options: [bank, scoring, target],
  dice: [],
  accent: { light: '#3a6ea5', dark: '#8fb8e8' },
  lesson: false,
  coach: true,
  bots: ['greedy', 'casual'],
}
const seat = (id: number, kind: SeatDraft['kind'], name = ''): SeatDraft => ({ id, kind, name, bot: 'casual', called: '' })

describe('house rules', () => {
  it('say what is printed, and a switch says which way', () => {
    expect(printedNote(bank, false)).toBe('(printed: off)')
    expect(printedNote({ ...bank, default: true }, true)).toBe('(printed: on)')
    expect([printedNote(target, 6000), printedNote(target, 3000)]).toEqual(['(as printed)', '(printed: 6,000)'])
  })

  it('are told in a sentence or two', () => {
    const told = (option: OptionCard) => optionSentence(option, optionTexts('other', option))
    expect(told({ ...bank, meaning: 'Six numbers are banked.' })).toBe('Six numbers are banked. Not in the printed rules.')
    expect(told({ ...bank, default: true })).toBe('Printed, and can be switched off.')
    expect(told(target)).toBe('What target means. Printed: 6,000.')
    expect(told(scoring)).toBe('Highest (printed); or all.')
  })

  it('fall back to what the server says', () => {
    expect(optionTexts('other', number('lucky_number', 7, 1, 9, 1))).toMatchObject({
      title: 'Lucky number',
      about: 'What lucky_number means.',
      ask: 'number',
      stride: 1,
    })
    expect(optionTexts('other', { ...number('dice', 6, 0, 0, 1), choices: [6, 5] })).toMatchObject({ ask: 'choice' })
    expect(optionTexts('other', bank)).toMatchObject({ ask: 'switch', title: 'Bank roll' })
  })

  it('have a stride that goes with their size', () => {
    expect(optionTexts('other', target).stride).toBe(500)
    expect(optionTexts('other', number('target', 100, 1, 10_000, 1)).stride).toBe(10)
    expect(optionTexts('other', number('target', 21, 1, 100, 1)).stride).toBe(2)
    expect(optionTexts('other', number('target', 100, 1, 10_000, 25)).stride).toBe(25)
  })

  it('go up and down on a grid, within bounds', () => {
    expect(strideFrom(6000, 1, 500, target)).toBe(6500)
    expect(strideFrom(6025, -1, 500, target)).toBe(6000)
    expect(strideFrom(500, -1, 500, target)).toBe(25)
    expect(within(6010, target)).toBe(6000)
    expect(within(9e9, target)).toBe(100000)
  })

  it('are told where they differ from the printed ones', () => {
    expect(parseOptions('other(bank_roll=true,target=500)')).toEqual({ bank_roll: 'true', target: '500' })
    expect(parseOptions('other')).toEqual({})
    expect(houseRules(other, 'other(bank_roll=true,scoring=all,target=500)')).toEqual(['Bank roll', 'Scoring: all', 'Target: 500'])
    expect(houseRules(other, 'other(target=6000)')).toEqual([])
    expect(changed(other, { target: 6000, bank_roll: true, unknown: 1 })).toEqual({ bank_roll: true })
  })
})

describe('seats', () => {
  it('change places', () => {
    expect(moved(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a'])
    expect(moved(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b'])
    expect(moved(['a', 'b'], 0, 5)).toEqual(['a', 'b'])
  })

  it('need names that differ, where people sit', () => {
    const troubles = seatTroubles([seat(0, 'person', 'Ann'), seat(1, 'local', ' Ann '), seat(2, 'open'), seat(3, 'bot'), seat(4, 'local')])
    expect(troubles.map(Boolean)).toEqual([false, true, false, false, true])
  })

  it('begin with another seat, and stay the same round', () => {
    expect(startedAt(['Ann', 'Ben', 'Cleo', 'Dev'], 2)).toEqual(['Cleo', 'Dev', 'Ann', 'Ben'])
    expect(startedAt(['Ann', 'Ben'], 0)).toEqual(['Ann', 'Ben'])
  })

  it('have titles before they have names', () => {
    const seats = [seat(0, 'person', ' Ann '), seat(1, 'local'), seat(2, 'open'), seat(3, 'bot'), { ...seat(4, 'bot'), called: 'Otto' }]
    expect(seats.map(seatTitle)).toEqual(['Ann', 'Seat 2', 'Seat 3, with a link', 'Seat 4, a bot', 'Otto, a bot'])
  })

  it('become what the server wants', () => {
    expect(seatWishes([seat(0, 'person', ' Ann '), { ...seat(1, 'bot', 'x'), called: 'Otto' }, seat(2, 'open', 'y')])).toEqual([
      { kind: 'person', name: 'Ann' },
      { kind: 'bot', bot: 'casual', name: 'Otto' },
      { kind: 'open' },
    ])
  })

  it('begin as last time, if that still fits', () => {
    expect(firstSeats(other, 'Ann', { seats: {}, people: [] }).map((each) => [each.kind, each.name])).toEqual([
      ['person', 'Ann'],
      ['open', ''],
    ])
    const known = [seat(0, 'local', 'Ben'), seat(1, 'bot')]
    expect(firstSeats(other, 'Ann', { seats: { other: known }, people: [] }).map((each) => each.kind)).toEqual(['local', 'bot'])
    expect(firstSeats(other, 'Ann', { seats: { other: known.slice(1) }, people: [] })).toHaveLength(2)
  })

  it('have bots with names of the server, which they keep unless somebody’s begins alike', () => {
    const names = ['Otto', 'Pixel', 'Momo', 'Gizmo']
    const seats = [seat(0, 'person', 'Ann'), seat(1, 'bot'), seat(2, 'local'), seat(3, 'bot'), seat(4, 'open', 'Momo')]
    const called = () => {
      nameBots(seats, names)
      return seats.map((each) => each.called)
    }
    expect(called()).toEqual(['', 'Otto', '', 'Pixel', ''])
    seats.reverse()
    expect(called()).toEqual(['', 'Pixel', '', 'Otto', ''])
    seats[2]!.name = ' peter'
    expect(called()).toEqual(['', 'Momo', '', 'Otto', ''])
    seats[2]!.name = ''
    expect(called()).toEqual(['', 'Momo', '', 'Otto', ''])
    expect(firstSeats(other, 'Ann', { seats: { other: seats }, people: [] }).map((each) => each.called)).toEqual(['', 'Momo', '', 'Otto', ''])
  })

  it('have bots in a sensible order', () => {
    expect(usualBot(['random', 'casual', 'beginner'])).toBe('casual')
    expect(usualBot(['random', 'greedy'])).toBe('greedy')
    expect(usualBot([])).toBe('')
    expect(levelsOf(['random', 'optimal', 'casual', 'mcts']).map((each) => each.name)).toEqual(['Casual', 'Optimal', 'Random', 'Mcts'])
  })
})

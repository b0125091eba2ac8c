import { expect, it } from 'vitest'

import { firstQuestion, houseRules, optionsOf, optionTexts, seatingHint } from '../../lib/setup'
import type { GameCard, OptionCard } from '../../lib/types'

const option = (name: string, value: OptionCard['default'], choices: OptionCard['choices'], high = 0): OptionCard => ({
  name,
  default: value,
  meaning: '',
  accepts: '',
  choices,
  low: 0,
  high,
  step: 1,
})
const bank = option('bank_roll', false, [false, true])
const scoring = option('scoring', 'highest', ['highest', 'all'])
const target = option('target', 6000, [6000], 100_000)
const card = { name: 'kor', options: [bank, scoring, target] } as unknown as GameCard

it('has plain words for its house rules, and an order of its own', () => {
  expect(optionsOf(card).map(({ name }) => name)).toEqual(['target', 'scoring', 'bank_roll'])
  expect(optionTexts('kor', bank)).toMatchObject({ ask: 'switch', title: 'Bank Roll' })
  expect(optionTexts('kor', scoring).values[1]?.text).toBe('Every number on the dice')
  expect(optionTexts('kor', target)).toMatchObject({ ask: 'number', stride: 500 })
  expect(houseRules(card, 'kor(bank_roll=true,scoring=all,target=500)')).toEqual([
    'Points to win: 500',
    'What a toss scores: every number on the dice',
    'Bank Roll',
  ])
  expect(seatingHint('kor')).toMatch(/^Youngest first/)
  expect(firstQuestion('kor')).toBe('Who is the youngest?')
})

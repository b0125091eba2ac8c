import { describe, expect, it } from 'vitest'

import { capital, emphasised, figure, listed, named, plural, signed } from './words'

it('puts names in, and leaves alone what is no seat', () => {
  expect(named('{0} sends {1} on a U-TURN, not {9}.', ['Ann', 'Ben'])).toBe('Ann sends Ben on a U-TURN, not {9}.')
})

it('counts as people do', () => {
  expect(plural(1, 'die', 'dice')).toBe('1 die')
  expect(plural(3, 'die', 'dice')).toBe('3 dice')
  expect(plural(0, 'player')).toBe('0 players')
})

it('lists as people do', () => {
  expect(listed([])).toBe('')
  expect(listed(['Ann'])).toBe('Ann')
  expect(listed(['Ann', 'Ben', 'Eve'])).toBe('Ann, Ben and Eve')
  expect(listed(['Ann', 'Ben'], 'or')).toBe('Ann or Ben')
})

it('sets figures', () => {
  expect(figure(6000)).toBe('6,000')
  expect(figure(-1250)).toBe('−1,250')
  expect(signed(25)).toBe('+25')
  expect(signed(-25)).toBe('−25')
  expect(signed(0)).toBe('0')
  expect(capital('keep 3 3')).toBe('Keep 3 3')
})

it('says to somebody what they do themselves', () => {
  const text = '{0|You} {0:rolls|roll} a 6 and {0:sends|send} {1|you} home. {1} waits.'
  expect(named(text, ['Ann', 'Ben'])).toBe('Ann rolls a 6 and sends Ben home. Ben waits.')
  expect(named(text, ['Ann', 'Ben'], 0)).toBe('You roll a 6 and send Ben home. Ben waits.')
  expect(named(text, ['Ann', 'Ben'], 1)).toBe('Ann rolls a 6 and sends you home. Ben waits.')
})

describe('emphasised', () => {
  it('sets numbers that are known apart, and no others', () => {
    const told = 'Ann rolls 1 4 4: 500 points freeze 4 dice, 1,500 at risk.'
    expect(emphasised(told, [500, 1500])).toEqual(['Ann rolls 1 4 4: ', '500', ' points freeze 4 dice, ', '1,500', ' at risk.'])
    expect(emphasised('J. Smith 15 takes 5.', [5])).toEqual(['J. Smith 15 takes ', '5', '.'])
    expect(emphasised('Ann keeps 3 3.', [])).toEqual(['Ann keeps 3 3.'])
  })

  it('takes no die for what comes of it', () => {
    const told = 'Ann tosses STOP, 25, 100 and sets 100 aside: 100 so far, 1,100 in all.'
    expect(emphasised(told, [100])).toEqual(['Ann tosses STOP, 25, 100 and sets 100 aside: ', '100', ' so far, 1,100 in all.'])
  })
})

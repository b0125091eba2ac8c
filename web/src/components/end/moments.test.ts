import { describe, expect, it } from 'vitest'

import { byScore, causeWords, lengths, matters, playedBy, swingWords, type Moment } from './moments'

const moment = (part: Partial<Moment>): Moment => ({
  first: 0,
  last: 3,
  event: 2,
  seat: 0,
  told: 'Ann rolls 1.',
  kind: 'luck',
  swing: 0.124,
  error: 0,
  unit: 'win probability',
  better: '',
  ...part,
})

describe('a moment', () => {
  it('says what it changed', () => {
    expect(swingWords(moment({}))).toBe('+12.4% to win')
    expect(swingWords(moment({ swing: -0.031 }))).toBe('−3.1% to win')
    expect(swingWords(moment({ swing: -0.00001 }))).toBe('±0.0% to win')
    expect(swingWords(moment({ swing: 2.25, unit: 'points' }))).toBe('+2.3 points')
    expect(swingWords(moment({ swing: -1, unit: 'round points' }))).toBe('−1.0 points of the round')
    expect(swingWords(moment({ swing: 1950, unit: 'points of the score' }))).toBe('+1,950 points')
  })

  it('says why', () => {
    expect(causeWords(moment({}))).toBe('good luck')
    expect(causeWords(moment({ swing: -0.2 }))).toBe('bad luck')
    expect(causeWords(moment({ kind: 'choice', swing: -0.03, better: 'passing' }))).toBe('by choice; passing was better')
    expect(causeWords(moment({ kind: 'choice', swing: 0 }))).toBe('by choice')
    expect(causeWords(moment({ unit: 'points of the score' }))).toBe('')
  })

  it('says how sure that is', () => {
    expect(causeWords(moment({ error: 1e-9 }))).toBe('good luck')
    expect(causeWords(moment({ error: 0.04 }))).toBe('good luck, give or take 4%')
    expect(causeWords(moment({ error: 0.3, unit: 'points' }))).toBe('good luck, give or take 0.3')
    expect(causeWords(moment({ error: 0, unit: 'points' }))).toBe('good luck')
    expect(causeWords(moment({ error: 0.04, kind: 'choice', swing: -0.1, better: 'passing' }))).toBe('by choice, give or take 4%; passing was better')
    expect(byScore([moment({ unit: 'points of the score' })])).toBe(true)
    expect(byScore([moment({})])).toBe(false)
    expect(byScore([])).toBe(false)
    expect([moment({}), moment({ swing: 1e-6 })].map(matters)).toEqual([true, false])
  })

  it('is seen when its dice lie, or before its choice was made', () => {
    expect(playedBy(moment({}))).toBe(3)
    expect(playedBy(moment({ kind: 'choice', swing: -0.1, better: 'passing' }))).toBe(2)
    expect(playedBy(moment({ kind: 'choice', unit: 'points of the score' }))).toBe(3)
  })

  it('is drawn beside the largest', () => {
    expect(lengths([moment({ swing: 0.2 }), moment({ swing: -0.1 })])).toEqual([1, -0.5])
    expect(lengths([moment({ swing: 0 })])).toEqual([0])
  })
})

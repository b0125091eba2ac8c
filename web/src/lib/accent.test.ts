import { describe, expect, it } from 'vitest'

import { accented, contrast, shadesOf } from './accent'
import type { GameCard } from './types'

const PAGES = { light: ['#fffdf8', '#f5f0e6'], dark: ['#1c222a', '#13171c'] } as const

describe('contrast', () => {
  it('is what WCAG says', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21)
    expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
    expect(contrast('#ff0000', '#ff0000')).toBe(1)
  })
})

describe('shadesOf', () => {
  const colours = ['#3a6ea5', '#8fb8e8', '#ffff00', '#000000', '#ffffff', '#ff00ff', '#7f7f7f', '#0a0a60']
  it.each(colours.flatMap((colour) => [[colour, 'light'] as const, [colour, 'dark'] as const]))('makes %s readable on %s pages', (colour, page) => {
    const { on, ink, soft } = shadesOf(colour, page)
    expect(contrast(on, colour)).toBeGreaterThan(4.5)
    for (const under of [...PAGES[page], soft]) expect(contrast(ink, under)).toBeGreaterThan(4.5)
  })
})

it('gives an element the accent of a card, and none without one', () => {
  const card = { name: 'unheard-of', accent: { light: '#3a6ea5', dark: '#8fb8e8' } } as GameCard
  expect(accented(null)).toEqual({})
  expect(accented(card)['data-accent']).toBe('unheard-of')
  expect(accented(card).style).toContain('--light: #3a6ea5; --light-on: #ffffff; ')
  expect(accented(card).style).toContain('--dark: #8fb8e8; ')
})

import { describe, expect, it } from 'vitest'

import { columnsFor, lookedAt } from './columns'
import type { BoxFacts, Scoring } from './schema'
import { heightOf, hintOf, linesOf, scoringsOf, sumOf } from './boxes'
import { bare, keeping, keepMove, lying, released, tossed, type Slot } from './slots'

const faces = (slots: readonly Slot[]) => slots.map((slot) => slot.face).join('')
const held = (slots: readonly Slot[]) => slots.map((slot) => (slot.held ? 'h' : '.')).join('')
const hold = (slots: readonly Slot[], ...at: number[]) => slots.map((slot, index) => ({ ...slot, held: at.includes(index) }))

describe('the places of the dice', () => {
  const BARE = bare(5)
  const first = tossed(BARE, [...'13346'], 5, [...'13346'])

  it('are filled by the first toss', () => {
    expect(faces(first)).toBe('13346')
    expect(held(first)).toBe('.....')
    expect(first.every((slot) => slot.toss === 5)).toBe(true)
  })

  it('keep what is kept where it is', () => {
    const second = tossed(keeping(hold(first, 1, 2), [...'33']), [...'136'], 9, [...'13336'])
    expect(faces(second)).toBe('13336')
    expect(held(second)).toBe('.hh..')
    expect(second.map((slot) => slot.toss)).toEqual([9, 5, 5, 9, 9])
  })

  it('follow a keep that somebody else made, and forget nothing', () => {
    const kept = keeping(first, [...'36'])
    expect(faces(kept)).toBe('13346')
    expect(held(kept)).toBe('.h..h')
    expect(held(lying(kept, [...'13346'], null))).toBe('.h..h')
  })

  it('can be told from nothing but the state', () => {
    expect(faces(keeping(BARE, [...'44']))).toBe('44')
    expect(held(lying(BARE, [...'11345'], [...'345']))).toBe('hh...')
    expect(held(lying(BARE, [...'11345'], null))).toBe('.....')
    expect(faces(tossed(BARE, [...'24'], 7, [...'24666']))).toBe('66624')
    expect(held(released(keeping(BARE, [...'44'])))).toBe('.....')
  })

  it('find their legal keep', () => {
    const moves = [{ text: 'keep none' }, { text: 'keep 3 3' }, { text: 'keep 3 6' }, { text: 'score fours' }]
    expect(keepMove(moves, first)).toBe('keep none')
    expect(keepMove(moves, hold(first, 4, 1))).toBe('keep 3 6')
    expect(keepMove(moves, hold(first, 0, 1, 2, 3, 4))).toBe(null)
  })
})

// The numbers are not those of the game: the page draws any.
const BOX: BoxFacts = { word: '', title: '', section: 'kismet', face: 0, fits: '', sum: true, plus: 0 }
const BOXES: BoxFacts[] = [
  { ...BOX, word: 'sevens', section: 'basic', face: 7, fits: 'sevens' },
  { ...BOX, word: 'trio', plus: 4 },
  { ...BOX, word: 'nines', section: 'basic', face: 9, fits: 'nines' },
  { ...BOX, word: 'rainbow', fits: 'no two alike', sum: false, plus: 11 },
  { ...BOX, word: 'rest', fits: 'whatever' },
]
const STEPS = [
  { least: 20, bonus: 1 },
  { least: 21, bonus: 2 },
  { least: 25, bonus: 3 },
  { least: 40, bonus: 4 },
]

describe('the sheet', () => {
  it('has the boxes of each section where their entries are', () => {
    expect(linesOf(BOXES, 'basic').map(({ box, at }) => [box.word, at])).toEqual([
      ['sevens', 0],
      ['nines', 2],
    ])
    expect(linesOf(BOXES, 'kismet').map(({ at }) => at)).toEqual([1, 3, 4])
  })

  it('says what a box counts', () => {
    expect(BOXES.map(hintOf)).toEqual(['sum of sevens', 'sum + 4', 'sum of nines', 'no two alike: 11', 'whatever: sum'])
  })

  it('knows by the moves what the dice do in each box', () => {
    const scoring: Scoring = { points: 13, bonus: 2, strikes: [], slip: false }
    const moves = [
      { text: 'keep none', effect: null },
      { text: 'score nines', effect: scoring },
    ]
    expect(scoringsOf(BOXES, moves)).toEqual([null, null, scoring, null, null])
    expect(scoringsOf(BOXES, [])).toEqual([null, null, null, null, null])
  })

  it('adds up what is written in a section', () => {
    expect(sumOf(linesOf(BOXES, 'basic'), [7, 100, 18, -1, 100])).toBe(25)
    expect(sumOf(linesOf(BOXES, 'kismet'), [7, 9, 18, -1, 0])).toBe(9)
  })

  it('has a ladder with its steps equally far apart', () => {
    const heights = STEPS.map((step) => heightOf(step.least, STEPS))
    expect(heights.map((height) => height.toFixed(2))).toEqual(['0.58', '0.70', '0.82', '0.94'])
    expect([0, 10, 60, 99].map((sum) => heightOf(sum, STEPS))).toEqual([0, 0.29, 1, 1])
    const all = Array.from({ length: 61 }, (_, sum) => heightOf(sum, STEPS))
    for (const [at, height] of all.entries()) expect(height).toBeGreaterThan(all[at - 1] ?? -1)
  })

  it('shows as many columns as there is room for', () => {
    expect(columnsFor(183, 2, 0, 1)).toMatchObject({ choosing: false, seats: [0, 1], name: 95, turn: 44, other: 44 })
    expect(columnsFor(183, 3, 0, 1)).toMatchObject({ choosing: false, seats: [0, 1, 2], turn: 44, other: 25 })
    expect(columnsFor(183, 8, 5, 6)).toMatchObject({ choosing: true, seats: [5, 6] })
    expect(columnsFor(320, 8, 5, 6)).toMatchObject({ choosing: false })
    expect(columnsFor(300, 2, 0, 1)).toMatchObject({ turn: 66, other: 66, roomy: true })
    expect(columnsFor(0, 1, 0, 0)).toMatchObject({ seats: [0] })
  })

  it('shows the sheet that was chosen, or the own one', () => {
    expect(lookedAt(3, [0], 1, 5)).toBe(3)
    expect(lookedAt(1, [0], 1, 5)).toBe(0)
    expect(lookedAt(null, [0, 1], 4, 5)).toBe(0)
  })
})

describe('what the sheet prints', () => {
  const sources = Object.entries(import.meta.glob<string>('./*.{ts,svelte}', { eager: true, query: '?raw', import: 'default' })).filter(
    ([path]) => !path.endsWith('.test.ts'),
  )

  it.each(sources)('comes from the server, not from %s', (_, source) => {
    const code = source.replace(/<style>[^]*<\/style>|<svg[^]*<\/svg>|<!--[^]*?-->/g, '')
    expect(code).not.toMatch(/\b(63|71|78|35|55|75|30|fifteen|length: \d|of \d|sum \+ \d)\b/i)
    expect(code).not.toMatch(/\b(aces|deuces|treys|two.pair|(three|four).of.a.kind|straight|flush|yarborough|three rolls|five dice)\b/i)
  })
})

import { describe, expect, it } from 'vitest'

import { figureLine } from './figures'
import { blocksOf, plain, spansOf } from './markdown'

describe('blocks', () => {
  it('are headings, paragraphs and lists', () => {
    const blocks = blocksOf('# KOR\n\nTwo lines\nof one paragraph.\n\n## A turn\n1. First\n   goes on.\n2. Second\n- a\n- b\n')
    expect(blocks.map((block) => block.kind)).toEqual(['heading', 'paragraph', 'heading', 'list', 'list'])
    expect(blocks[1]).toEqual({ kind: 'paragraph', spans: [{ kind: 'text', text: 'Two lines of one paragraph.' }] })
    const [steps, points] = [blocks[3], blocks[4]]
    if (steps?.kind !== 'list' || points?.kind !== 'list') throw new Error('no lists')
    expect(steps.ordered).toBe(true)
    expect(steps.items.map(plain)).toEqual(['First goes on.', 'Second'])
    expect(points.ordered).toBe(false)
    expect(points.items).toHaveLength(2)
  })

  it('are tables, with a cell for every heading', () => {
    const [table] = blocksOf('| Dice | Points |\n| --- | ---: |\n| each 1 | **100** |\n| nothing |\n\nafter')
    if (table?.kind !== 'table') throw new Error('no table')
    expect(table.head.map(plain)).toEqual(['Dice', 'Points'])
    expect(table.rows.map((row) => row.map(plain))).toEqual([
      ['each 1', '100'],
      ['nothing', ''],
    ])
    expect(table.rows[0]?.[1]?.[0]?.kind).toBe('strong')
  })

  it('end in whatever comes, and never hang', () => {
    expect(blocksOf('')).toEqual([])
    expect(blocksOf('```\n<b>\n')).toEqual([{ kind: 'code', text: '<b>\n' }])
    expect(blocksOf('text\n- item\n1. other').map((block) => block.kind)).toEqual(['paragraph', 'list', 'list'])
  })

  it('keep markup as the text that it is', () => {
    expect(blocksOf('<script>alert(1)</script>')).toEqual([{ kind: 'paragraph', spans: [{ kind: 'text', text: '<script>alert(1)</script>' }] }])
  })
})

describe('spans', () => {
  it('are strong, emphasised and code words', () => {
    expect(spansOf('a **b c** *d* _e_ `f_g_h` i')).toEqual([
      { kind: 'text', text: 'a ' },
      { kind: 'strong', text: 'b c' },
      { kind: 'text', text: ' ' },
      { kind: 'em', text: 'd' },
      { kind: 'text', text: ' ' },
      { kind: 'em', text: 'e' },
      { kind: 'text', text: ' ' },
      { kind: 'code', text: 'f_g_h' },
      { kind: 'text', text: ' i' },
    ])
  })

  it('leave lone stars and names with underscores alone', () => {
    expect(plain(spansOf('2 * 3 * 4'))).toBe('2 * 3 * 4')
    expect(spansOf('see kismet_is_full_house there')).toEqual([{ kind: 'text', text: 'see kismet_is_full_house there' }])
  })
})

describe('figures', () => {
  it('are code blocks with a name', () => {
    expect(blocksOf('```dice\n[1] 5 = 100\n```\ntext')).toEqual([
      { kind: 'figure', name: 'dice', lines: ['[1] 5 = 100'] },
      { kind: 'paragraph', spans: [{ kind: 'text', text: 'text' }] },
    ])
  })

  it('have lines with a label, dice of which some count, and a caption', () => {
    const die = (face: string, counts = false) => ({ face, counts })
    expect(figureLine('First toss: [1] [*] b4 = 300 points: well done')).toEqual({
      label: 'First toss',
      dice: [die('1', true), die('*', true), die('b4')],
      caption: '300 points: well done',
    })
    expect(figureLine('1 zap')).toEqual({ label: '', dice: [die('1'), die('zap')], caption: '' })
    expect(figureLine('1 6 = black')).toEqual({ label: '', dice: [die('1'), die('6')], caption: 'black' })
  })
})

import { describe, expect, it } from 'vitest'

import { NoRecord, readRecord } from './record'

const HASH = '630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd'
const TEXT = `hotdice record 1
game: kismet(second_kismet=false)
date: 2026-11-15
seat 1: Ann (person)
seat 2: Bot (2) (greedy)
dice: fair k3x9 ${HASH} hidden ann-1 b0b

1 rolls 4
2 rolls 6
# Comments stand on lines of their own.
2 rolls 1 3 3 5 6
2 keep 3 3
result: unfinished
`

describe('a record', () => {
  it('is read with its seats, its dice and its rolls', () => {
    const record = readRecord(TEXT)
    expect(record).toMatchObject({ game: 'kismet', date: '2026-11-15', names: ['Ann', 'Bot (2)'], result: 'unfinished' })
    expect(record.dice).toEqual({
      kind: 'fair',
      version: 1,
      turns: '',
      table: 'k3x9',
      commitment: HASH,
      secret: null,
      parts: ['ann-1', 'b0b'],
      shares: [],
      signed: null,
    })
    expect(record.rolls).toEqual([
      { line: 8, seat: 0, faces: ['4'] },
      { line: 9, seat: 1, faces: ['6'] },
      { line: 11, seat: 1, faces: ['1', '3', '3', '5', '6'] },
    ])
  })

  it('may begin at a position', () => {
    const later = readRecord(TEXT.replace('\ndate:', '\nfrom: kismet(second_kismet=false) … 1 0 -\ndate:'))
    expect(later).toMatchObject({ date: '2026-11-15', names: ['Ann', 'Bot (2)'] })
  })

  it('has other dice too', () => {
    const source = /dice: .*/
    expect(readRecord(TEXT.replace(source, 'dice: manual')).dice).toEqual({ kind: 'manual' })
    expect(readRecord(TEXT.replace(source, 'dice: seeded 42')).dice).toEqual({ kind: 'seeded' })
    expect(readRecord(TEXT.replace(source, 'dice: recorded')).dice).toEqual({ kind: 'recorded' })
  })

  it.each([
    ['', 1],
    ['a shopping list\n', 1],
    [TEXT.replace('kismet', 'Kismet!'), 2],
    [TEXT.replace('date: ', 'day: '), 3],
    [TEXT.replace('seat 2', 'seat 3'), 5],
    [TEXT.replace('hidden', 'abc'), 6],
    [TEXT.replace('ann-1', 'ann/1'), 6],
    [TEXT.replace('fair', 'loaded'), 6],
    [TEXT.replace('\n\n', '\n'), 7],
    [TEXT.replace('2 rolls 6', '3 rolls 6'), 9],
    [TEXT.replace('2 rolls 6', 'rolls 6'), 9],
    [TEXT.slice(0, TEXT.indexOf('result')), 13],
    [`${TEXT}1 rolls 2\n`, 14],
  ])('is refused where it does not hold', (text, line) => {
    const read = () => readRecord(text)
    expect(read).toThrow(NoRecord)
    expect(read).toThrow(`Line ${line}:`)
  })
})

// The pure parts of the pages of the book: what its figures become on charts and in sentences. docs/book.md defines them.
import type { PlayerBook } from './types'
import { figure, plural, signed } from './words'

export type PlayerGame = PlayerBook['games'][number]
export type GamePoint = PlayerGame['points'][number]
export type RollTest = PlayerBook['tests'][number]

/** A value at a time, with what is not known of it. */
export interface Dot {
  at: number
  value: number
  low?: number
  high?: number
  /** What it is, for those who point at it or read the figures. */
  told: string
}

/** Two standard normal deviations to either side: about 95%. */
const Z = 1.959964

/** The range in which a share may lie of which so many of so many were seen: Wilson's, at 95%. */
export function wilson(count: number, of: number): { low: number; high: number } {
  if (!of) return { low: 0, high: 1 }
  const share = count / of
  const centre = share + (Z * Z) / (2 * of)
  const spread = Z * Math.sqrt((share * (1 - share)) / of + (Z * Z) / (4 * of * of))
  const whole = 1 + (Z * Z) / of
  return { low: Math.max(0, (centre - spread) / whole), high: Math.min(1, (centre + spread) / whole) }
}

/** A p-value as people write it. */
export function pText(p: number): string {
  return p < 0.001 ? 'p < 0.001' : `p = ${p.toFixed(p < 0.1 ? 3 : 2)}`
}

/** Whether the dice are rigged, in a plain sentence; `looks` is how many such tests the whole book makes. */
export function verdict(test: Pick<RollTest, 'p' | 'rolled'>, looks: number): string {
  const { p } = test
  if (p === null) return `Too few rolls to tell: ${plural(test.rolled, 'die', 'dice')} so far.`
  const often = p >= 0.01 ? `in ${Math.round(100 * p)} of 100` : p >= 0.001 ? `in ${Math.max(1, Math.round(1000 * p))} of 1,000` : 'in fewer than 1 of 1,000'
  const fair = `Fair dice are at least this uneven ${often} such counts`
  if (p >= 0.05) return `No sign that the dice are rigged. ${fair}.`
  if (p >= 0.05 / Math.max(1, looks)) {
    const expected = Math.max(1, Math.round(0.05 * looks))
    return `A little uneven. ${fair}; but among ${plural(looks, 'test')} of the book ${expected} such ${expected === 1 ? 'one is' : 'ones are'} to be expected by chance alone.`
  }
  return `More uneven than chance explains. ${fair}, even though the book makes ${plural(looks, 'test')}. Check the dice of these games.`
}

/** Who threw the dice that a test is about. */
export const SOURCES: Record<string, string> = {
  program: 'Dice of the program',
  typed: 'Real dice, typed in',
  recorded: 'Dice of games that came in',
  same: 'The same dice for everybody',
}

/** Why games do not count for ratings and records. */
export const UNRATED: Record<string, string> = {
  imported: 'came in as a record',
  continued: 'began at a position',
  'stood in': 'a bot stood in for somebody',
  'same name': 'two people of one name',
}

/** The page of a game, if it has one that whoever reads the book may see. */
export function linkOf(id: string): string | null {
  const [table = '', number = '', ...rest] = id.split('/')
  return !rest.length && table !== 'private' && table !== 'saves' && /^[1-9]\d*$/.test(number) ? `/t/${table}/${number}` : null
}

/** Luck in its unit: as a part of a win or in wins, or in points. */
export function luckText(luck: number, unit: string): string {
  if (unit !== 'win probability') return `${signed(Number(luck.toFixed(1)))} points`
  return Math.abs(luck) < 1 ? `${signed(Math.round(100 * luck))}% of a win` : `${signed(Number(luck.toFixed(1)))} wins`
}

/** What a record of the house is about; luck has its sign, also in points. */
export function recordText(value: number, unit: string, luck: boolean): string {
  if (luck) return luckText(value, unit)
  const told = figure(Number(value.toFixed(1)))
  if (unit === '%') return `${told}%`
  return `${told} ${value === 1 ? unit.replace(/s$/, '') : unit}`
}

/** The totals of games under the same house rules. */
export function totalsOver(points: readonly GamePoint[], options: string): Dot[] {
  return points
    .filter((point) => point.options === options)
    .map((point) => ({
      at: point.ended,
      value: point.score,
      told: `${point.score} points${point.others.length ? `, place ${point.place} of ${point.players}` : ''}`,
    }))
}

export function ratingOver(points: readonly GamePoint[]): Dot[] {
  return points.flatMap(({ ended, mean, deviation }) => {
    if (mean === null || deviation === null) return []
    return [{ at: ended, value: mean, low: mean - 2 * deviation, high: mean + 2 * deviation, told: `${mean.toFixed(1)} ± ${(2 * deviation).toFixed(1)}` }]
  })
}

export function accuracyOver(points: readonly GamePoint[]): Dot[] {
  return points.flatMap(({ ended, accuracy, decisions }) =>
    accuracy === null ? [] : [{ at: ended, value: accuracy, told: `${accuracy.toFixed(1)}% over ${plural(decisions, 'decision')}` }],
  )
}

/** The luck of all games so far, added up, in one unit; what estimates leave open adds up in squares. */
export function luckOver(points: readonly GamePoint[], unit: string): Dot[] {
  let [sum, squares] = [0, 0]
  return points.flatMap((point) => {
    if (point.luck === null || point.unit !== unit) return []
    sum += point.luck
    squares += (point.luck_error ?? 0) ** 2
    const error = 2 * Math.sqrt(squares)
    return [{ at: point.ended, value: sum, low: sum - error, high: sum + error, told: `${luckText(point.luck, unit)}, ${luckText(sum, unit)} in all` }]
  })
}

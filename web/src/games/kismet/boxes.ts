// How the sheet is drawn, by what the server says of its boxes, the steps of the bonus and what the dice score.
import type { BonusStep, BoxFacts, Effect, Scoring, Section } from './schema'

export interface Line {
  box: BoxFacts
  /** The place of its entry on a sheet. */
  at: number
}

/** The lines of one section. */
export function linesOf(boxes: readonly BoxFacts[], section: Section): Line[] {
  return boxes.map((box, at) => ({ box, at })).filter(({ box }) => box.section === section)
}

/** The move that writes the dice into a box. */
export function moveFor(box: BoxFacts): string {
  return `score ${box.word}`
}

/** What fits a box, where its title does not say it, and what it counts. */
export function hintOf({ face, fits, sum, plus }: BoxFacts): string {
  if (face) return `sum of ${fits}`
  const counts = [...(sum ? ['sum'] : []), ...(plus ? [plus] : [])].join(' + ')
  return fits ? `${fits}: ${counts}` : counts
}

/** What the dice do in each box, from top to bottom; null where they cannot be written. */
export function scoringsOf(boxes: readonly BoxFacts[], moves: readonly { text: string; effect: unknown }[]): (Scoring | null)[] {
  const effects = new Map(moves.map((move) => [move.text, move.effect as Effect]))
  return boxes.map((box) => effects.get(moveFor(box)) ?? null)
}

/** What stands on some lines of a sheet, added up; -1 is a vacant box. */
export function sumOf(lines: readonly Line[], entries: readonly number[] = []): number {
  return lines.reduce((sum, { at }) => sum + Math.max(0, entries[at] ?? 0), 0)
}

/** Where the first step and the last one are on the ladder, which is 1 long. */
const [FIRST, LAST] = [0.58, 0.94]

/** Where a sum stands on the ladder, from 0 to 1. The steps are equally far apart, and after the last there is as far to go as between the outer ones. */
export function heightOf(sum: number, steps: readonly BonusStep[]): number {
  const [first = 1, last = 1] = [steps[0]?.least, steps.at(-1)?.least]
  const stride = (LAST - FIRST) / Math.max(1, steps.length - 1)
  const marks = [[0, 0], ...steps.map((step, at) => [step.least, FIRST + stride * at]), [2 * last - first, 1]] as [number, number][]
  const next = marks.findIndex(([at]) => sum < at)
  if (next < 1) return next ? 1 : 0
  const [[from, low], [to, high]] = [marks[next - 1]!, marks[next]!]
  return low + ((high - low) * (sum - from)) / (to - from)
}

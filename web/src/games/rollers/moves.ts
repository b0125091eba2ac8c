// Which of the legal moves matches what somebody has picked. The moves say what is allowed and what it does; nothing here does.
import type { MoveView } from '../../lib/types'
import type { Effect, RollersEffect, RollersFacts, SectionFacts } from './schema'

/** How many dice are used on each section. */
export type Uses = readonly number[]

export interface Application {
  text: string
  effect: RollersEffect
  uses: Uses
}

/** The faces of some dice in one order, so that equal sets have equal texts. */
function sorted(faces: readonly string[]): string {
  return [...faces].sort().join(' ')
}

/** The legal move that keeps exactly these faces, or nothing. */
export function keepOf(moves: readonly MoveView[], faces: readonly string[]): string {
  const wanted = faces.length ? sorted(faces) : 'none'
  return moves.find(({ text }) => text.startsWith('keep ') && sorted(text.slice(5).split(' ')) === wanted)?.text ?? ''
}

/** The legal applications. */
export function applications(moves: readonly MoveView[], sections: readonly SectionFacts[]): Application[] {
  return moves.flatMap((move) => {
    const effect = move.effect as Effect
    if (!effect) return []
    const numbers = move.text.split(' ').map(Number)
    return [{ text: move.text, effect, uses: sections.map((section) => numbers.filter((number) => number === section.number).length) }]
  })
}

export function applicationOf(all: readonly Application[], uses: Uses): Application | undefined {
  return all.find((one) => one.uses.every((count, at) => count === uses[at]))
}

/** What is missing from uses that no legal application has exactly: the fewest dice a section; nothing if none contains them. */
export function missing(all: readonly Application[], uses: Uses): Uses | null {
  const lacks = all.map((one) => one.uses.map((count, at) => count - (uses[at] ?? 0))).filter((lack) => lack.every((count) => count >= 0))
  const total = (lack: Uses) => lack.reduce((sum, count) => sum + count, 0)
  return lacks.sort((one, other) => total(one) - total(other))[0] ?? null
}

/** The most dice that any legal application uses on each section. */
export function most(all: readonly Application[]): Uses {
  return (all[0]?.uses ?? []).map((_, at) => Math.max(...all.map((one) => one.uses[at] ?? 0)))
}

/** The legal applications that use dice on one section only, fewest dice first. */
export function alone(all: readonly Application[], section: number): { count: number; effect: RollersEffect }[] {
  return all
    .filter(({ uses }) => uses.every((count, at) => (at === section - 1 ? count > 0 : count === 0)))
    .map(({ uses, effect }) => ({ count: uses[section - 1] ?? 0, effect }))
    .sort((one, other) => one.count - other.count)
}

/** The legal applications that no other goes beyond, those of the most dice first; of equally many, those of higher numbers. */
export function fullest(all: readonly Application[]): Application[] {
  const dice = ({ uses }: Application) => uses.reduce((sum, count) => sum + count, 0)
  const beyond = (one: Application) => all.some((other) => other !== one && other.uses.every((count, at) => count >= (one.uses[at] ?? 0)))
  return all.filter((one) => dice(one) > 0 && !beyond(one)).sort((one, other) => dice(other) - dice(one) || higher(one.uses, other.uses))
}

function higher(some: Uses, others: Uses): number {
  const at = some.findLastIndex((count, section) => count !== others[section])
  return (others[at] ?? 0) - (some[at] ?? 0)
}

/** The section that a face belongs to; 0 if it is no section's own. */
export function home(facts: RollersFacts, face: string): number {
  return facts.sections.find(({ faces }) => faces.includes(face))?.number ?? 0
}

/** A die in its column on the table. */
export interface Slot {
  face: string
  place: string
  /** The toss that it fell in; 0 if that was not seen. */
  toss: number
}

interface Lying {
  text: string
  place: string
}

/**
 * Dice in columns, so that a die that stays on the table stays in its column. Dice kept from before go where they were;
 * those of a new toss fill the other columns in order.
 */
export function inColumns(before: readonly (Slot | null)[], dice: readonly Lying[], toss: number, count: number): (Slot | null)[] {
  const columns: (Slot | null)[] = Array.from({ length: count }, () => null)
  const put = (die: Lying, fits: ((slot: Slot) => boolean)[]) => {
    const free = (slot: Slot | null | undefined, at: number) => columns[at] === null && slot?.face === die.text
    for (const fit of fits) {
      const at = before.findIndex((slot, column) => slot && free(slot, column) && fit(slot))
      if (at < 0) continue
      columns[at] = { face: die.text, place: die.place, toss: die.place === 'kept' ? (before[at]?.toss ?? 0) : toss }
      return true
    }
    return false
  }
  const left = dice.filter((die) => {
    if (die.place === 'kept') return !put(die, [(slot) => slot.place === 'kept', () => true])
    return !put(die, [(slot) => slot.toss === toss && slot.place !== 'kept', (slot) => slot.toss === toss])
  })
  for (const die of left) {
    const at = columns.indexOf(null)
    if (at >= 0) columns[at] = { face: die.text, place: die.place, toss: die.place === 'kept' ? 0 : toss }
  }
  return columns
}

/** The columns that a ZAP strikes, as runs from one to another: dice that stand between them are spared. */
export function struckRuns(slots: readonly (Slot | null)[]): { from: number; to: number }[] {
  const runs: { from: number; to: number }[] = []
  slots.forEach((slot, at) => {
    if (slot?.place !== 'cancelled') return
    const last = runs.at(-1)
    if (last?.to === at - 1) last.to = at
    else runs.push({ from: at, to: at })
  })
  return runs
}

// Legal moves for a board that knows no game: sorted by their first words, and found by the dice that they name.
import type { MoveView } from './types'
import { named } from './words'

export interface MoveGroup {
  /** The first word of all of them. */
  verb: string
  moves: MoveView[]
  /** Whether each names some of the dice that lie there, so that tapping dice chooses one. */
  picks: boolean
}

const NONE = 'none'
/** So many moves need no other way to be chosen than a button each. */
const FEW = 4

/** The moves by their first words, in the order of the first of each. `faces`: the dice that lie there. */
export function groupsOf(moves: readonly MoveView[], faces: readonly string[]): MoveGroup[] {
  const verbs = [...new Set(moves.map((move) => verbOf(move)))]
  return verbs.map((verb) => {
    const own = moves.filter((move) => verbOf(move) === verb)
    return { verb, moves: own, picks: own.length > FEW && own.every((move) => move.text !== verb && within(namedBy(move), faces)) }
  })
}

/** The move of a group that names exactly these dice. */
export function pickedMove(group: MoveGroup | undefined, faces: readonly string[]): MoveView | undefined {
  return group?.moves.find((move) => {
    const wanted = namedBy(move)
    return wanted.length === faces.length && within(wanted, faces)
  })
}

/** Which of the dice that lie there a move names, from the left. */
export function diceOf(move: MoveView | undefined, faces: readonly string[]): boolean[] {
  const left = move ? namedBy(move) : []
  return faces.map((face) => {
    const at = left.indexOf(face)
    if (at >= 0) left.splice(at, 1)
    return at >= 0
  })
}

/** Whether some move of a group names a face. */
export function canPick(group: MoveGroup | undefined, face: string): boolean {
  return group?.moves.some((move) => namedBy(move).includes(face)) ?? false
}

/** The moves in whose text or meaning all these words occur. */
export function found(moves: readonly MoveView[], words: string): readonly MoveView[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  return moves.filter((move) => wanted.every((word) => `${move.text} ${named(move.label, [])}`.toLowerCase().includes(word)))
}

function verbOf(move: MoveView): string {
  return move.text.split(' ')[0] ?? ''
}

function namedBy(move: MoveView): string[] {
  const words = move.text.split(' ').slice(1)
  return words.length === 1 && words[0] === NONE ? [] : words
}

/** Whether some faces are among others, each as often as it is needed. */
function within(some: readonly string[], faces: readonly string[]): boolean {
  const left = [...faces]
  return some.every((face) => {
    const at = left.indexOf(face)
    if (at >= 0) left.splice(at, 1)
    return at >= 0
  })
}

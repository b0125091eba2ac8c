// Dice whose pips are black, red and green.
import { PLAIN, type DieLook } from '../../lib/dice'
import { COLOURS } from './colours'
import Face from './Face.svelte'

/** A face in words, for those who hear it. */
export function faceName(face: string): string {
  return `${face} ${COLOURS[face] ?? ''}`
}

export const COLOURED: DieLook = { sides: PLAIN.sides, face: Face, name: faceName }

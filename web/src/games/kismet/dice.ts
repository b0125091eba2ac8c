// Dice whose pips are black, red and green.
import { PLAIN, type DieLook } from '../../lib/dice'
import Face from './Face.svelte'

const COLOURS: Record<string, string> = { '1': 'black', '6': 'black', '2': 'red', '5': 'red', '3': 'green', '4': 'green' }

/** A face in words, for those who hear it. */
export function faceName(face: string): string {
  return `${face} ${COLOURS[face] ?? ''}`
}

export const COLOURED: DieLook = { sides: PLAIN.sides, face: Face, name: faceName }

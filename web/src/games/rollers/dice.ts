// Five purple dice with a STAR, and a black one with a ZAP.
import type { DieLook } from '../../lib/dice'
import Face from './Face.svelte'

const NAMES: Record<string, string> = { '*': 'STAR', zap: 'ZAP' }

/** A face in words, for those who hear it. */
export function faceName(face: string): string {
  return NAMES[face] ?? face.replace(/^b/, 'black ')
}

export const PURPLE: DieLook = {
  sides: ['1', '2', '3', '4', '5', '*'],
  face: Face,
  name: faceName,
  surface: ['#8a5bd8', '#6a35b8', '#532696'],
}
export const BLACK: DieLook = {
  sides: ['b1', 'b2', 'b3', 'b4', 'b5', 'zap'],
  face: Face,
  name: faceName,
  surface: ['#3b3a40', '#1c1b20', '#0f0e12'],
}
export const DICE = [PURPLE, BLACK]

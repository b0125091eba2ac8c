// The road die: three signs and three numbers, each drawn as a road sign.
import type { DieLook } from '../../lib/dice'
import Face from './Face.svelte'

const NAMES: Record<string, string> = { S: 'STOP', D: 'DEAD END', U: 'U-TURN' }

/** A face in words. */
export function faceName(face: string): string {
  return NAMES[face] ?? face
}

export const ROAD: DieLook = { sides: ['25', '50', '100', 'S', 'D', 'U'], face: Face, name: faceName }

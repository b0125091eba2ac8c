// What the dice of each game look like on each side: the faces as they are typed in rolls, six to a die.
import type { Component } from 'svelte'

import KismetFace from '../faces/KismetFace.svelte'
import KorFace from '../faces/KorFace.svelte'
import PipFace from '../faces/PipFace.svelte'
import RollersFace from '../faces/RollersFace.svelte'

export type DieKind = 'kor' | 'kismet' | 'purple' | 'black' | 'plain'

interface Look {
  sides: readonly [string, string, string, string, string, string]
  /** Draws one side: an SVG of 100 by 100, without the die's own surface. */
  face: Component<{ face: string }>
}

const NUMBERS = ['1', '2', '3', '4', '5', '6'] as const

export const LOOKS: Record<DieKind, Look> = {
  kor: { sides: ['25', '50', '100', 'S', 'D', 'U'], face: KorFace },
  kismet: { sides: NUMBERS, face: KismetFace },
  purple: { sides: ['1', '2', '3', '4', '5', '*'], face: RollersFace },
  black: { sides: ['b1', 'b2', 'b3', 'b4', 'b5', 'zap'], face: RollersFace },
  plain: { sides: NUMBERS, face: PipFace },
}

/** The kind of die that shows a face in a game. */
export function kindOf(game: string, face: string): DieKind {
  if (game === 'kor' || game === 'kismet') return game
  if (game === 'rollers') return LOOKS.black.sides.includes(face) ? 'black' : 'purple'
  return 'plain'
}

const NAMES: Record<string, string> = { S: 'STOP', D: 'DEAD END', U: 'U-TURN', '*': 'STAR', zap: 'ZAP' }
const COLOURS: Record<string, string> = { '1': 'black', '6': 'black', '2': 'red', '5': 'red', '3': 'green', '4': 'green' }

/** A face in words, for those who hear it. */
export function faceName(game: string, face: string): string {
  if (game === 'kismet') return `${face} ${COLOURS[face] ?? ''}`
  return NAMES[face] ?? face.replace(/^b/, 'black ')
}

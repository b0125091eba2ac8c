// What dice look like: the faces as they are typed in rolls, and what draws each of them. A game's own dice are in its folder;
// here are those of any other, drawn by what the server says about them.
import type { Component } from 'svelte'

import NamedFace from '../components/NamedFace.svelte'
import PipFace from '../components/PipFace.svelte'
import { PIPS } from './pips'
import type { DieCard } from './types'

export interface DieLook {
  /** Its faces as they are typed. A die with six of them shows them where they are on a real one. */
  sides: readonly string[]
  /** Draws one side: an SVG of 100 by 100, without the die's own surface. */
  face: Component<{ face: string; name?: string }>
  /** A face in words, for those who hear it. */
  name: (face: string) => string
  /** The colours of its sides, from light to shade; ivory if there are none. */
  surface?: readonly [string, string, string]
}

export const PLAIN: DieLook = { sides: ['1', '2', '3', '4', '5', '6'], face: PipFace, name: (face) => face }

/** So that kinds of dice differ: ivory first, then slate, red and blue. */
const SURFACES: readonly DieLook['surface'][] = [
  undefined,
  ['#4a4f57', '#2c3037', '#1d2025'],
  ['#b5473a', '#95291f', '#741a13'],
  ['#4a75ad', '#2c568d', '#1c3f6d'],
]

/** The dice of a game that has no looks for them. */
export function plainLooks(dice: readonly DieCard[]): DieLook[] {
  return dice.map((die, kind) => {
    const names = new Map(die.faces.map((face) => [face.text, face.name]))
    return {
      sides: die.faces.map((face) => face.text),
      face: die.faces.every((face) => face.text in PIPS) ? PipFace : NamedFace,
      name: (face) => names.get(face) ?? face,
      surface: SURFACES[kind % SURFACES.length],
    }
  })
}

/** The kind of die, of those in a game, that has a face. */
export function lookOf(looks: readonly DieLook[], face: string): DieLook {
  return looks.find((look) => look.sides.includes(face)) ?? looks[0] ?? PLAIN
}

/** Six sides for a cube: the die's own, or, if it has more or fewer, the face it shows and some others. */
export function cubeOf(look: DieLook, face: string): string[] {
  const { sides } = look
  if (sides.length === 6) return [...sides]
  const at = Math.max(0, sides.indexOf(face))
  return Array.from({ length: 6 }, (_, side) => sides[(at + side) % sides.length] ?? face)
}

// Written by `make types` from the game's Python types; do not edit.

/** What a KOR board draws: the road so far, and where everybody stands. */
export interface KorBoard {
  target: number
  turn: number
  penalty: boolean
  points: number
  dice: number
  leader: number
  signs: string[]
}

export type Board = KorBoard

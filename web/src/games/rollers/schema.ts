// Written by `make types` from the game's Python types; do not edit.

/** What a Rollers board draws. Sections are 0 empty, 1 open, 2 closed. */
export interface RollersBoard {
  turn: number
  starter: number
  rolls: number
  boards: number[][]
  chips: number[]
  points: number[]
  target_points: number
  zapped: boolean
  roll_off: number[]
}

export type Board = RollersBoard

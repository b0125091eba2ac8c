// Written by `make types` from the game's Python types; do not edit.

/** What a board for BJ's dice draws. */
export interface BjBoard {
  target: number
  turn: number
  at_risk: number
  safe: number
  dice: number
  all_dice: number
  starter: number
}

export type Board = BjBoard

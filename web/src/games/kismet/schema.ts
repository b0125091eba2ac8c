// Written by `make types` from the game's Python types; do not edit.

/** What a Kismet board draws: everybody's sheet (-1 is vacant), and what the dice would do in each box. */
export interface KismetBoard {
  turn: number
  rolls: number
  sheets: number[][]
  bonuses: number[]
  had_kismet: boolean[]
  offers: number[]
  gains: number[]
  kismet: boolean
  strikes: number[]
  second_kismet: boolean
  roll_off: number[]
}

export type Board = KismetBoard

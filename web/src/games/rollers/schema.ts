// Written by `make types` from the game's Python types; do not edit.

/** What a Rollers board draws. Sections are 0 empty, 1 open, 2 closed. */
export interface RollersBoard {
  turn: number
  starter: number
  rolls: number
  boards: number[][]
  chips: number[]
  points: number[]
  zapped: boolean
  roll_off: number[]
}

/** What applying dice does. Moves that keep dice or stop have no effect beyond what they say. */
export interface RollersEffect {
  opens: number[]
  closes: number[]
  paid: number[]
  round_end: RoundEnd | null
  unused: number
}

/** What the rules fix for a whole match. */
export interface RollersFacts {
  dice: number
  rolls: number
  sections: SectionFacts[]
  star: string
  chips: number
  full_board_points: number
  most_chips_points: number
  target_points: number
}

/** How a round ends. */
export interface RoundEnd {
  points: number[]
  richest: number[]
  richest_points: number
  starter: number
  winners: number[]
  board_points: number
  chips: number[]
}

/** What the rules fix for one section of a board. */
export interface SectionFacts {
  number: number
  opening: number
  closing: number
  faces: string[]
}

export type Board = RollersBoard
export type Effect = RollersEffect | null
export type Facts = RollersFacts

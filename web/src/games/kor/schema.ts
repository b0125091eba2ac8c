// Written by `make types` from the game's Python types; do not edit.

/** The sign that is followed, as its face. */
export interface Following {
  sign: string
}

/** What a KOR board draws: the road so far, and where everybody stands. */
export interface KorBoard {
  target: number
  turn: number
  penalty: boolean
  points: number
  would: number
  dice: number
  leader: number
  signs: string[]
}

/** What the rules fix. */
export interface KorFacts {
  dice: number
  matching: number
  signs: Sign[]
}

/** Who has to serve a penalty. */
export interface Sending {
  seat: number
}

/** A sign, and what following it does. */
export interface Sign {
  face: string
  counts: boolean
  sends: boolean
}

export type Board = KorBoard
export type Effect = Following | Sending | null
export type Facts = KorFacts

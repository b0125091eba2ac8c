// Written by `make types` from the game's Python types; do not edit.

/** What a board for BJ's dice draws. */
export interface BjBoard {
  target: number
  turn: number
  at_risk: number
  safe: number
  dice: number
  all_dice: number
  last_round: LastTurn[]
  to_come: number[]
  to_beat: number
}

/** What scores. Points are listed by face, from 1 to 6. */
export interface BjFacts {
  singles: number[]
  triples: number[]
  bonus: number
}

/** How far a seat is in the last round. */
export type LastTurn = 'played' | 'playing' | 'started' | 'to play'

/** What passing brings. */
export interface Passing {
  kept: number
  score: number
  loses_to: number
}

export type Board = BjBoard
export type Effect = Passing | null
export type Facts = BjFacts

// Written by `make types` from the game's Python types; do not edit.

/** A step of the basic bonus. */
export interface BonusStep {
  least: number
  bonus: number
}

/** A box of the sheet, and what dice that fit it count there: their sum, some points, or both added up. */
export interface BoxFacts {
  word: string
  title: string
  section: Section
  face: number
  fits: string
  sum: boolean
  plus: number
}

/** What a Kismet board draws. */
export interface KismetBoard {
  turn: number
  rolls: number
  sheets: number[][]
  bonuses: number[]
  had_kismet: boolean[]
  kismet: boolean
  roll_off: number[]
}

/** What the sheet prints, and the house rules that a page shows. */
export interface KismetFacts {
  dice: number
  rolls: number
  boxes: BoxFacts[]
  steps: BonusStep[]
  second_kismet: boolean
}

/** What writing the dice into a box does. */
export interface Scoring {
  points: number
  bonus: number
  strikes: number[]
  slip: boolean
}

/** A section of the sheet. */
export type Section = 'basic' | 'kismet'

export type Board = KismetBoard
export type Effect = Scoring | null
export type Facts = KismetFacts

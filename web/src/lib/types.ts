// The server's own types, under short names. `schema.ts` is generated from `schema.json`: `make types`.
import type { components } from './schema'

type Schemas = components['schemas']

export type Problem = Schemas['Problem']
export type Games = Schemas['Games']
export type GameCard = Schemas['GameShown']
export type DieCard = Schemas['DieShown']
export type OptionCard = Schemas['OptionShown']
export type OptionValue = OptionCard['default']
export type TableCard = Schemas['TableShown']
export type TableMade = Schemas['TableMade']
export type TableWish = Schemas['TableWish']
export type SeatWish = Schemas['SeatWish']
export type Advice = Schemas['Advice']
export type Moments = Schemas['Moments']

export type ClientMessage = Schemas['ClientMessage']
export type ServerMessage = Schemas['ServerMessage']
export type Refused = Schemas['Refused']
export type Welcome = Schemas['Welcome']
export type Shown = Schemas['Shown']
export type WireSeat = Schemas['WireSeat']
export type ShownEntry = Schemas['ShownEntry']
export type View = Schemas['View']
export type MoveView = Schemas['MoveView']
export type Standing = Schemas['Standing']

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
export type GamePlayed = Schemas['GamePlayed']
export type TableMade = Schemas['TableMade']
export type TableWish = Schemas['TableWish']
export type SeatWish = Schemas['SeatWish']
export type Advice = Schemas['Advice']
export type Moments = Schemas['Moments']
export type Why = Schemas['Why']

export type PracticeCard = Schemas['PracticeCard']
export type PracticeDeck = Schemas['PracticeDeck']
export type PracticeAnswer = Schemas['AnswerShown']
export type PracticeWhy = Schemas['PracticeWhy']
export type Mistakes = Schemas['Mistakes']

export type BookShown = Omit<Schemas['BookShown'], 'house'> & { house: House }
export type House = Schemas['House']
export type PlayerShown = Omit<Schemas['PlayerShown'], 'player'> & { player: PlayerBook }
export type PlayerBook = Schemas['PlayerBook']
export type NameDeleted = Schemas['NameDeleted']

export type LessonShown = Schemas['LessonShown']
export type LessonScene = Schemas['LessonScene']
export type LessonStep = Schemas['LessonStep']

export type ClientMessage = Schemas['ClientMessage']
export type ServerMessage = Schemas['ServerMessage']
export type Refused = Schemas['Refused']
export type Welcome = Schemas['Welcome']
export type Shown = Schemas['Shown']
export type Invitation = Schemas['Invitation']
export type SeriesScore = Schemas['SeriesScore']
export type WireSeat = Schemas['WireSeat']
export type Proposal = Schemas['Proposal']
export type OfferMade = Schemas['OfferMade']
export type SeatToken = Schemas['Token']
export type ShownEntry = Schemas['ShownEntry']
export type View = Schemas['View']
export type MoveView = Schemas['MoveView']
export type Standing = Schemas['Standing']

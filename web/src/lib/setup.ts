// Setting a table up: the words for house rules and bots, and the seats as they are being arranged. What is allowed is the
// server's to say; here are only texts and the order of things.
import { nameTrouble, tidy } from './names'
import type { GameCard, OptionCard, OptionValue, SeatWish } from './types'
import { capital, figure } from './words'

export type Level = NonNullable<SeatWish['bot']>
export type SeatKind = SeatWish['kind']

export interface SeatDraft {
  /** Tells seats apart while they change places. */
  id: number
  kind: SeatKind
  name: string
  bot: Level
}

export const KINDS: readonly (readonly [SeatKind, string])[] = [
  ['person', 'Me'],
  ['local', 'Someone here'],
  ['open', 'With a link'],
  ['bot', 'Bot'],
]

const LEVELS: Record<string, readonly [string, string]> = {
  beginner: ['Beginner', 'still learning, slips a lot'],
  casual: ['Casual', 'a fair opponent'],
  expert: ['Expert', 'hardly ever slips'],
  optimal: ['Optimal', 'plays perfectly'],
  greedy: ['Greedy', 'grabs what counts most now'],
  random: ['Random', 'does anything at all'],
}

/** The levels of bots that the server has, in the order in which people want them. */
export function levelsOf(bots: readonly string[]): { level: Level; name: string; about: string }[] {
  const known = Object.keys(LEVELS).filter((level) => bots.includes(level))
  const others = bots.filter((level) => !(level in LEVELS))
  return [...known, ...others].map((level) => {
    const [name, about] = LEVELS[level] ?? [capital(level), '']
    return { level, name, about }
  })
}

export function levelName(level: string): string {
  return LEVELS[level]?.[0] ?? capital(level)
}

// House rules

interface Words {
  title: string
  /** What it is about; for a switch, what happens when it is on. */
  about?: string
  /** Texts of the values, by the value as text. */
  values?: Record<string, string>
  /** How far one press of plus or minus goes. */
  stride?: number
  unit?: string
}

const WORDS: Record<string, Record<string, Words>> = {
  kor: {
    target: { title: 'Points to win', stride: 500, unit: 'points' },
    scoring: {
      title: 'What a toss scores',
      values: { highest: 'Only the highest die, which is put aside', all: 'Every number on the dice' },
    },
    bank_roll: { title: 'Bank Roll', about: 'Six numbers in one toss are banked at once, with all the points of the turn so far.' },
    final_round: { title: 'Final round', about: 'When somebody reaches the target, everybody else has one more turn.' },
  },
  kismet: {
    second_kismet: {
      title: 'The second Kismet strikes',
      about: 'From somebody’s second Kismet on, each one makes all the others write a zero and lose a turn.',
    },
    kismet_is_full_house: {
      title: 'Five alike make a full house',
      about: 'Five of a kind may be written into the two Full House boxes as well.',
    },
  },
  rollers: {
    target_points: { title: 'Points to win the match', stride: 1, unit: 'points' },
    saved_dice: {
      title: 'Dice that you kept',
      values: { free: 'May go back into the next roll', locked: 'Stay kept until the turn ends' },
    },
    chip_tie: {
      title: 'When several have the most chips',
      values: { nobody: 'Nobody gets the point', share: 'Each of them gets a point' },
    },
  },
  bj: {
    target: { title: 'Score to go past', stride: 500, unit: 'points' },
    dice: { title: 'Dice', values: { '6': 'Six dice', '5': 'Five dice' } },
    bust: {
      title: 'A toss that scores nothing',
      values: {
        any: 'Costs the points of the turn',
        all_dice: 'Costs them only if all the dice were tossed; otherwise the turn ends and its points count',
      },
    },
  },
  pig: { target: { title: 'Score that wins', stride: 10, unit: 'points' } },
}

/** The order in which house rules are asked, for games that have texts of their own. */
export function optionsOf(card: GameCard): OptionCard[] {
  const order = Object.keys(WORDS[card.name] ?? {})
  const place = (option: OptionCard) => (order.includes(option.name) ? order.indexOf(option.name) : order.length)
  return [...card.options].sort((one, other) => place(one) - place(other))
}

export interface OptionTexts {
  title: string
  about: string
  stride: number
  unit: string
  /** How it is asked. */
  ask: 'switch' | 'choice' | 'number'
  values: { value: OptionValue; text: string }[]
}

/** A house rule in plain words; what the server says about it where there are no words for it. */
export function optionTexts(game: string, option: OptionCard): OptionTexts {
  const words: Words = WORDS[game]?.[option.name] ?? { title: capital(option.name.replaceAll('_', ' ')), about: option.meaning }
  const values = option.choices.map((value) => ({ value, text: words.values?.[String(value)] ?? capital(String(value).replaceAll('_', ' ')) }))
  const few = typeof option.default === 'number' && words.values !== undefined
  const ask = typeof option.default === 'boolean' ? 'switch' : typeof option.default === 'number' && !few ? 'number' : 'choice'
  return {
    title: words.title,
    about: words.about ?? '',
    stride: Math.max(option.step || 1, words.stride ?? option.step ?? 1),
    unit: words.unit ?? '',
    ask,
    values,
  }
}

/** The next number from `value`, up or down, on the grid of strides, within the option's bounds. */
export function strideFrom(value: number, way: 1 | -1, stride: number, option: OptionCard): number {
  const next = way > 0 ? (Math.floor(value / stride) + 1) * stride : (Math.ceil(value / stride) - 1) * stride
  return within(next, option)
}

/** A number as the option takes it: within its bounds and in its steps. */
export function within(value: number, option: OptionCard): number {
  const step = option.step || 1
  const rounded = Math.round(value / step) * step
  if (option.high <= option.low) return rounded
  return Math.min(option.high, Math.max(option.low, rounded))
}

/** “target=500,scoring=all” as values by name. */
export function parseOptions(text: string): Record<string, string> {
  const inner = /\((.*)\)$/.exec(text)?.[1] ?? (text.includes('=') ? text : '')
  return Object.fromEntries(
    inner
      .split(',')
      .map((part) => part.split('=').map((side) => side.trim()))
      .flatMap(([name, value]) => (name && value !== undefined ? [[name, value]] : [])),
  )
}

/** What is played otherwise than printed, a line for each house rule. `text` is the game with its options, as the server names it. */
export function houseRules(card: GameCard, text: string): string[] {
  const chosen = parseOptions(text)
  return optionsOf(card).flatMap((option) => {
    const value = chosen[option.name]
    if (value === undefined || value === String(option.default)) return []
    const texts = optionTexts(card.name, option)
    if (texts.ask === 'switch') return [value === 'true' ? texts.title : `Without: ${texts.title.charAt(0).toLowerCase()}${texts.title.slice(1)}`]
    if (texts.ask === 'number') return [`${texts.title}: ${figure(Number(value))}`]
    return [`${texts.title}: ${texts.values.find((each) => String(each.value) === value)?.text.toLowerCase() ?? value}`]
  })
}

/** Only what differs from the printed rules. */
export function changed(card: GameCard, values: Record<string, OptionValue>): Record<string, OptionValue> {
  const defaults = new Map(card.options.map((option) => [option.name, option.default]))
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => defaults.has(name) && defaults.get(name) !== value))
}

// Seats

/** Seats in a new order: the one at `from` comes to `to`. */
export function moved<Item>(items: readonly Item[], from: number, to: number): Item[] {
  const rest = items.filter((_, index) => index !== from)
  const item = items[from]
  if (item === undefined || to < 0 || to > rest.length) return [...items]
  return [...rest.slice(0, to), item, ...rest.slice(to)]
}

/** What is wrong with the names, by seat; nothing for those that are right. */
export function seatTroubles(seats: readonly SeatDraft[]): string[] {
  return seats.map((seat, index) => {
    if (seat.kind === 'open' || seat.kind === 'bot') return ''
    const before = seats.slice(0, index).filter((other) => other.kind === 'person' || other.kind === 'local')
    return nameTrouble(
      seat.name,
      before.map((other) => tidy(other.name)),
    )
  })
}

export function seatWishes(seats: readonly SeatDraft[]): SeatWish[] {
  return seats.map(({ kind, name, bot }) => {
    if (kind === 'bot') return { kind, bot }
    if (kind === 'open') return { kind }
    return { kind, name: tidy(name) }
  })
}

const KEY = 'hotdice.setup'

interface Remembered {
  /** The seats of the last table of each game. */
  seats: Record<string, Omit<SeatDraft, 'id'>[]>
  /** People who played here, the latest first. */
  people: string[]
}

export function remembered(): Remembered {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Remembered>
    return {
      seats: typeof found.seats === 'object' && found.seats ? found.seats : {},
      people: Array.isArray(found.people) ? found.people.filter((name) => typeof name === 'string') : [],
    }
  } catch {
    return { seats: {}, people: [] }
  }
}

export function remember(game: string, seats: readonly SeatDraft[]): void {
  const before = remembered()
  const here = seats.filter((seat) => seat.kind === 'local').map((seat) => tidy(seat.name))
  const people = [...new Set([...here, ...before.people])].slice(0, 16)
  const plain = seats.map(({ kind, name, bot }) => ({ kind, name: tidy(name), bot }))
  try {
    localStorage.setItem(KEY, JSON.stringify({ seats: { ...before.seats, [game]: plain }, people }))
  } catch {
    // No storage in this browser: names are typed again next time.
  }
}

/** The seats to begin with: those of last time, or yours and one for somebody with a link. */
export function firstSeats(card: GameCard, own: string, last: Remembered = remembered()): SeatDraft[] {
  const known = last.seats[card.name]
  const usable =
    Array.isArray(known) &&
    known.length >= card.min_players &&
    known.length <= card.max_players &&
    known.every((seat) => KINDS.some(([kind]) => kind === seat?.kind))
  const seats = usable
    ? known.map((seat) => ({ kind: seat.kind, name: String(seat.name ?? ''), bot: seat.bot || ('casual' as const) }))
    : Array.from({ length: Math.max(2, card.min_players) }, (_, index) => ({
        kind: index ? ('open' as const) : ('person' as const),
        name: index ? '' : own,
        bot: 'casual' as const,
      }))
  return seats.map((seat, id) => ({ id, ...seat }))
}

/** Who begins, as the seats' order has it. */
export function seatingHint(game: string): string {
  if (game === 'kor') return 'Youngest first: the first seat begins, and turns go round to the left.'
  if (game === 'kismet' || game === 'rollers') return 'Turns go round in this order; the dice decide who begins.'
  return 'The first seat begins, and turns go round to the left.'
}

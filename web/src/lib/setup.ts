// Setting a table up: the words for house rules and bots, and the seats as they are being arranged. What is allowed is the
// server's to say; here are only texts and the order of things.
import { browserGame, type OptionWords } from './games'
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
  /** What the bot is called, if one sits here. */
  called: string
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

/** The bot to begin with: a casual one, or, where that cannot play the game, the first that can. */
export function usualBot(bots: readonly string[]): Level {
  return bots.includes('casual') ? 'casual' : (levelsOf(bots)[0]?.level ?? '')
}

export function levelName(level: string): string {
  return LEVELS[level]?.[0] ?? capital(level)
}

// House rules

export const PRINTED = '(as printed)'

/** The order in which house rules are asked, for games that have texts of their own. */
export function optionsOf(card: GameCard): OptionCard[] {
  const order = Object.keys(browserGame(card.name).options ?? {})
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
  const words: OptionWords = browserGame(game).options?.[option.name] ?? { title: capital(option.name.replaceAll('_', ' ')), about: option.meaning }
  const values = option.choices.map((value) => ({ value, text: words.values?.[String(value)] ?? capital(String(value).replaceAll('_', ' ')) }))
  const few = words.values !== undefined || option.high <= option.low
  const ask = typeof option.default === 'boolean' ? 'switch' : typeof option.default === 'number' && !few ? 'number' : 'choice'
  return {
    title: words.title,
    about: words.about ?? '',
    stride: Math.max(option.step || 1, words.stride ?? strideOf(option)),
    unit: words.unit ?? '',
    ask,
    values,
  }
}

/** What the rule sheet says about a house rule, beside its control. A switch says which way it is printed, whichever way it stands. */
export function printedNote(option: OptionCard, value: OptionValue | undefined): string {
  if (typeof option.default === 'boolean') return `(printed: ${option.default ? 'on' : 'off'})`
  return value === option.default ? PRINTED : `(printed: ${figure(Number(option.default))})`
}

/** A house rule in a sentence or two, with what is printed. */
export function optionSentence(option: OptionCard, { about, ask, unit, values }: OptionTexts): string {
  if (ask === 'switch') return `${about} ${option.default ? 'Printed, and can be switched off.' : 'Not in the printed rules.'}`.trim()
  if (ask === 'number') return `${about} Printed: ${figure(Number(option.default))}${unit ? ` ${unit}` : ''}.`.trim()
  const ways = values.map(({ value, text }) => `${text.charAt(0).toLowerCase()}${text.slice(1)}${value === option.default ? ' (printed)' : ''}`)
  return `${about} ${capital(ways.join('; or '))}.`.trim()
}

/** About a tenth of what is printed, as a round number: 10 for 100, 500 for 6,000. */
function strideOf({ default: printed, step }: OptionCard): number {
  const tenth = Number(printed) / 10 || 0
  const power = 10 ** Math.floor(Math.log10(Math.max(tenth, 1)))
  const round = [5, 2, 1].map((digit) => digit * power).find((number) => number <= tenth && number % (step || 1) === 0)
  return round ?? step
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

/** The same round of seats, begun with another of them. */
export function startedAt<Item>(items: readonly Item[], first: number): Item[] {
  return [...items.slice(first), ...items.slice(0, first)]
}

/** A seat as it is called before anybody has a name there. */
export function seatTitle({ kind, name, called }: SeatDraft, index: number): string {
  if (kind === 'open') return `Seat ${index + 1}, with a link`
  if (kind === 'bot') return called ? `${called}, a bot` : `Seat ${index + 1}, a bot`
  return tidy(name) || `Seat ${index + 1}`
}

/**
 * Give each bot a name from those that the server has for them, with a first letter of its own. A bot keeps its name while seats change,
 * unless somebody comes whose name begins alike.
 */
export function nameBots(seats: readonly SeatDraft[], names: readonly string[]): void {
  const letter = (name: string) => name.charAt(0).toLowerCase()
  const letters = new Set(seats.filter(({ kind }) => kind === 'person' || kind === 'local').map((seat) => letter(tidy(seat.name))))
  const unnamed: SeatDraft[] = []
  for (const bot of seats.filter(({ kind }) => kind === 'bot')) {
    if (!names.includes(bot.called) || letters.has(letter(bot.called))) unnamed.push(bot)
    else letters.add(letter(bot.called))
  }
  for (const bot of unnamed) {
    bot.called = names.find((name) => !letters.has(letter(name))) ?? ''
    letters.add(letter(bot.called))
  }
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
  return seats.map(({ kind, name, bot, called }) => {
    if (kind === 'bot') return { kind, bot, name: called }
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
  const plain = seats.map(({ kind, name, bot, called }) => ({ kind, name: tidy(name), bot, called }))
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
    ? known.map((seat) => ({
        kind: seat.kind,
        name: String(seat.name ?? ''),
        bot: card.bots.includes(seat.bot) ? seat.bot : usualBot(card.bots),
        called: String(seat.called ?? ''),
      }))
    : Array.from({ length: Math.max(2, card.min_players) }, (_, index) => ({
        kind: index ? ('open' as const) : ('person' as const),
        name: index ? '' : own,
        bot: usualBot(card.bots),
        called: '',
      }))
  return seats.map((seat, id) => ({ id, ...seat }))
}

/** What to ask for whoever begins; nothing where the players do not decide it. */
export function firstQuestion(game: string): string {
  return browserGame(game).first ?? ''
}

/** Who begins, as the seats' order has it. */
export function seatingHint(game: string): string {
  return browserGame(game).seating ?? 'The first seat begins, and turns go round to the left.'
}

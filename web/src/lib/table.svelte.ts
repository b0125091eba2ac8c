// A table as a page shows it. The server says what happened and what is legal; this shows it one thing after the other,
// so that people can follow the dice, and sends what somebody here decides. It holds no rule of any game.
import { randomName, Trouble } from './api'
import { kept } from './kept'
import { Link, type LinkState } from './link'
import { motion } from './motion.svelte'
import { prefs } from './prefs.svelte'
import { shelf } from './shelf.svelte'
import { rattle } from './sound'
import type { GameCard, Refused, ServerMessage, Shown, ShownEntry, View, Welcome, WireSeat } from './types'
import { named } from './words'

/** Some dice that fell: their faces as they are typed, and for each where it came to lie. */
export interface Toss {
  /** The number of the event: another one for every toss. */
  key: number
  seat: number
  faces: string[]
  places: string[]
  /** Whether a turn, a penalty or a roll-off begins with it. */
  fresh: boolean
  /** The points of the turn that are at stake after it. */
  stake: number
}

/** `tumbling`: dice are in the air. `landed`: they lie, and what follows from them is about to be shown. */
export type Phase = 'still' | 'tumbling' | 'landed'

interface News {
  events: ShownEntry[]
  state: Shown
}

/** What somebody sees who wants no motion: a fade. */
const FADE = 100
/** With so much to catch up on, it is not shown step by step. */
const TOO_MUCH = 40
/** Milliseconds until the games are asked for again. */
const AGAIN = 3000

export class Table {
  /** What the server said when we came. */
  welcome = $state.raw<Welcome | null>(null)
  /** The state that is shown. The newest one, unless dice are still in the air. */
  shown = $state.raw<Shown | null>(null)
  /** What the dice in the air will lead to. */
  next = $state.raw<Shown | null>(null)
  phase = $state<Phase>('still')
  /** Everything that happened here, as far as it is shown. */
  events = $state.raw<ShownEntry[]>([])
  toss = $state.raw<Toss | null>(null)
  link = $state<LinkState>('connecting')
  /** Why the server will have nothing of it: `no_table`, or nothing. */
  refusal = $state('')
  /** What went wrong with the last wish, for a person. */
  problem = $state('')
  present = $state.raw<readonly number[]>([])
  /** When a bot takes over from whoever is to act, by this device's clock; null if none will. */
  deadline = $state<number | null>(null)

  private waitingFor = $state('')
  private behind = $state(0)
  private queue: News[] = []
  private last = 0
  /** Whether something is being shown step by step. */
  showing = $state(false)
  private hurry: (() => void) | null = null
  /** Counts welcomes: what was being shown before one is no longer of interest. */
  private visit = 0
  /** How much later it is here than at the server, in milliseconds. */
  private skew = 0
  private connection: Link
  private again: ReturnType<typeof setTimeout> | undefined
  /** Whether nobody looks at this any more. */
  private left = false

  readonly game = $derived(this.welcome?.game.split('(')[0] ?? '')
  /** The game that is played here, as it stands on the shelf; null until that has come. */
  readonly card = $derived<GameCard | null>(shelf.card(this.game))
  readonly bots = $derived<readonly string[]>(this.card?.bots ?? [])
  readonly seats = $derived<readonly WireSeat[]>(this.shown?.seats ?? [])
  readonly names = $derived(this.seats.map((seat, index) => seat.name || `Seat ${index + 1}`))
  readonly mine = $derived<readonly number[]>(this.welcome?.seats ?? [])
  readonly view = $derived<View | null>(this.shown?.view ?? null)
  readonly status = $derived(this.shown?.status ?? 'waiting')
  readonly manual = $derived(this.welcome?.dice === 'manual')
  readonly watching = $derived(this.welcome !== null && this.mine.length === 0)
  readonly played = $derived(playedOf(this.events))
  /** The tosses of the turn that goes on; none before its first. */
  readonly trail = $derived(this.shown?.fresh && this.phase !== 'landed' ? [] : tossesOf(this.played))
  /** The tosses of the turn before, while nothing lies on the table in this one. */
  readonly before = $derived(this.shown?.fresh && this.phase !== 'landed' ? tossesOf(this.played) : [])
  /** The last thing that happened, as a sentence. */
  readonly news = $derived(this.events.findLast((event) => event.told)?.told ?? '')
  readonly prompt = $derived(this.view ? named(this.view.prompt, this.names) : '')
  /** The seat for which somebody here may act now, or null. With real dice everybody here may say what was rolled. */
  readonly acting = $derived.by<number | null>(() => {
    const state = this.shown
    if (!state || state.status !== 'playing' || state.actor === null || this.phase !== 'still') return null
    if (this.link !== 'open' || this.waitingFor || this.behind) return null
    if (this.manual && state.rolls) return this.mine.length ? state.actor : null
    return this.mine.includes(state.actor) && !state.seats[state.actor]?.away ? state.actor : null
  })
  /** Whether whoever acts here is to roll. */
  readonly rolling = $derived(this.acting !== null && (this.shown?.rolls ?? false))
  /** Whether whoever acts here is to decide. */
  readonly deciding = $derived(this.acting !== null && !(this.shown?.rolls ?? false))
  /** The seat here that may take its last choice back. */
  readonly undoable = $derived.by<number | null>(() => {
    const state = this.shown
    if (!state || state.undo === null || this.behind || this.link !== 'open') return null
    return state.asked === null && (this.mine.includes(state.undo) || (this.manual && this.mine.length > 0)) ? state.undo : null
  })

  constructor(readonly name: string) {
    this.connection = this.connect()
    if (!shelf.games) void this.readShelf()
  }

  private connect(): Link {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
    return new Link(`${scheme}://${location.host}/ws/${encodeURIComponent(this.name)}`, {
      hello: () => ({ do: 'hello', tokens: kept.tokens(this.name), last: this.last }),
      heard: (message) => this.heard(message),
      changed: (state, code) => this.changed(state, code),
    })
  }

  /** Come again, with the seats that this browser has by now. */
  rejoin(): void {
    this.connection.close()
    this.connection = this.connect()
  }

  /** The board of the game that is played here. */
  board<Board>(state: Shown | null = this.shown): Board | null {
    return (state?.view?.board ?? null) as Board | null
  }

  /** What the rules of the game fix, which the server says once. */
  facts<Facts>(): Facts | null {
    return (this.welcome?.facts ?? null) as Facts | null
  }

  /** What a legal move does, if it is one that somebody here may make now. */
  effect<Effect>(text: string): Effect | null {
    return (this.deciding ? (this.view?.moves.find((move) => move.text === text)?.effect ?? null) : null) as Effect | null
  }

  isMine(seat: number | null | undefined): boolean {
    return seat !== null && seat !== undefined && this.mine.includes(seat)
  }

  legal(text: string): boolean {
    return this.deciding && (this.view?.moves.some((move) => move.text === text) ?? false)
  }

  /** What a legal move does, in words. */
  label(text: string): string {
    return named(this.view?.moves.find((move) => move.text === text)?.label ?? '', this.names)
  }

  // What people here can do

  /** Make a move, and with `roll` the roll that follows it, if those dice are the same player's. */
  move(text: string, { roll = false } = {}): void {
    if (this.acting === null || !this.shown) return
    this.send({ do: 'move', id: randomName(), on: this.shown.number, move: text, then_roll: roll })
  }

  roll(faces = ''): void {
    if (!this.rolling || !this.shown) return
    this.send({ do: 'roll', id: randomName(), on: this.shown.number, faces })
  }

  undo(): void {
    if (this.shown) this.send({ do: 'undo', id: randomName(), on: this.shown.number })
  }

  agree(seat: number): void {
    if (this.shown) this.send({ do: 'agree', id: randomName(), on: this.shown.number, seat })
  }

  refuse(seat: number): void {
    if (this.shown) this.send({ do: 'refuse', id: randomName(), on: this.shown.number, seat })
  }

  /** Give every seat's share in the dice of the next game, where one is still due. */
  ready(): void {
    for (const seat of this.mine) this.connection.send({ do: 'ready', id: randomName(), string: randomName(), seat })
  }

  /** Show at once what is still to be shown. */
  skip(): void {
    if (!this.showing) return
    motion.rush = true
    this.hurry?.()
  }

  /** What opens the first seat that this browser has here. */
  get token(): string {
    return kept.tokens(this.name)[0] ?? ''
  }

  close(): void {
    this.left = true
    this.connection.close()
    clearTimeout(this.again)
    this.hurry?.()
    this.queue = []
  }

  // What the server says

  private send(wish: Parameters<Link['send']>[0]): void {
    this.problem = ''
    this.waitingFor = wish.id
    this.connection.send(wish)
  }

  private changed(state: LinkState, code: number): void {
    this.link = state
    if (state !== 'refused') return
    if (code === 4003) {
      kept.forget(this.name) // a token that opens nothing any more: watch
      this.rejoin()
    } else {
      this.refusal = 'no_table'
    }
  }

  private heard(message: ServerMessage): void {
    switch (message.type) {
      case 'welcome':
        this.greet(message)
        break
      case 'update':
        this.last = message.events.at(-1)?.number ?? this.last
        this.queue.push(message)
        this.behind = this.queue.length
        void this.show()
        break
      case 'presence':
        this.present = message.present
        this.deadline = this.here(message.deadline ?? null)
        break
      case 'accepted':
        if (message.id === this.waitingFor) this.waitingFor = ''
        break
      case 'pong':
        break
      default:
        this.refused(message)
    }
  }

  private greet(welcome: Welcome): void {
    if (!shelf.games) void this.readShelf()
    this.welcome = welcome
    this.last = welcome.events.at(-1)?.number ?? this.last
    this.visit += 1
    this.queue = []
    this.behind = 0
    this.hurry?.()
    this.events = merged(this.events, welcome.events)
    this.toss = tossesOf(playedOf(this.events)).at(-1) ?? null
    this.settle(welcome.state)
    this.present = welcome.state.seats.flatMap((seat, index) => (seat.present ? [index] : []))
  }

  private async readShelf(): Promise<void> {
    try {
      await shelf.load()
    } catch (error) {
      if (!(error instanceof Trouble)) throw error
      // If the link is gone too, the next welcome asks again.
      clearTimeout(this.again)
      if (this.link === 'open' && !this.left) this.again = setTimeout(() => void this.readShelf(), AGAIN)
    }
  }

  private refused(message: Refused): void {
    if (message.id !== this.waitingFor) return
    this.waitingFor = ''
    // `stale`: the table had moved on, and what it moved on to is on its way. Nobody has to do anything.
    if (message.type !== 'stale') this.problem = named(message.message, this.names)
  }

  // Showing it

  private async show(): Promise<void> {
    if (this.showing) return
    this.showing = true
    for (let news = this.queue.shift(); news; news = this.queue.shift()) {
      if (this.queue.length > TOO_MUCH) motion.rush = true
      await this.tell(news)
      this.behind = this.queue.length
    }
    this.showing = false
    motion.rush = false
  }

  private async tell(news: News): Promise<void> {
    const visit = this.visit
    for (const event of news.events) {
      if (event.entry.kind === 'rolled') await this.throwDice(event, news.state)
      if (visit !== this.visit) return
      this.events = merged(this.events, [event])
    }
    const ends = this.turnEnds(news.state)
    const rolled = this.phase === 'landed'
    if (rolled && ends) await this.wait(motion.times.turn)
    if (visit !== this.visit) return
    this.settle(news.state)
    const theirs = !this.isMine(news.events.at(-1)?.entry.kind === 'moved' ? seatOf(news) : news.state.actor)
    if (theirs && !(rolled && ends)) await this.wait(motion.times.read)
  }

  private async throwDice(event: ShownEntry, state: Shown): Promise<void> {
    const visit = this.visit
    const times = motion.times
    this.next = state
    this.toss = tossOf(event)
    this.phase = 'tumbling'
    if (prefs.sound && times.tumble) rattle(this.toss?.faces.length ?? 1, times.tumble)
    await this.wait(prefs.still ? Math.min(FADE, times.tumble) : times.tumble)
    if (visit === this.visit) this.phase = 'landed'
  }

  /** A time of the server's by this device's clock. */
  private here(time: number | null): number | null {
    return time === null ? null : time + this.skew
  }

  private settle(state: Shown): void {
    this.shown = state
    this.skew = Date.now() - state.now
    this.deadline = this.here(state.deadline)
    this.next = null
    this.phase = 'still'
  }

  /** Whether somebody else's dice, or nobody's, come next. */
  private turnEnds(state: Shown): boolean {
    return state.fresh || state.view?.roller !== this.view?.roller || state.status !== this.status
  }

  private wait(milliseconds: number): Promise<void> {
    if (milliseconds <= 0) return Promise.resolve()
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        this.hurry = null
        resolve()
      }
      const timer = setTimeout(done, milliseconds)
      this.hurry = done
    })
  }
}

function seatOf(news: News): number | null {
  const entry = news.events.at(-1)?.entry
  return entry && 'seat' in entry ? entry.seat : null
}

/** Events in their order, each once. */
export function merged(before: readonly ShownEntry[], more: readonly ShownEntry[]): ShownEntry[] {
  const last = before.at(-1)?.number ?? 0
  return [...before, ...more.filter((event) => event.number > last)]
}

/** The rolls and moves of the game that goes on, without those that were taken back. */
export function playedOf(events: readonly ShownEntry[]): ShownEntry[] {
  const played: ShownEntry[] = []
  for (const event of events) {
    const kind = event.entry.kind
    if (kind === 'started') played.length = 0
    else if (kind === 'rolled' || kind === 'moved') played.push(event)
    else if (kind === 'undone') played.pop()
  }
  return played
}

function tossOf(event: ShownEntry): Toss | null {
  if (event.entry.kind !== 'rolled') return null
  const faces = event.entry.roll.split(' ')
  const places = event.places?.length ? event.places : faces.map(() => 'rolled')
  return { key: event.number, seat: event.entry.seat, faces, places, fresh: event.fresh ?? false, stake: event.stake ?? 0 }
}

/** The tosses of the last turn in which anything was tossed. */
export function tossesOf(played: readonly ShownEntry[]): Toss[] {
  const first = played.findLastIndex((event) => event.entry.kind === 'rolled' && event.fresh)
  return played.slice(Math.max(first, 0)).flatMap((event) => tossOf(event) ?? [])
}

// A table as a page shows it. The server says what happened and what is legal; this shows it one thing after the other,
// so that people can follow the dice, and sends what somebody here decides. It holds no rule of any game.
import { tick, untrack } from 'svelte'

import { api, randomName, Trouble } from './api'
import { toBegin } from './begin'
import { sealOf, type Drawn } from './fair'
import { kept } from './kept'
import { Link, type Connection, type LinkState, type Listener } from './link'
import { motion } from './motion.svelte'
import { prefs } from './prefs.svelte'
import { shelf } from './shelf.svelte'
import { buzz, rattle } from './sound'
import type { GameCard, Invitation, Proposal, Refused, SeriesScore, ServerMessage, Shown, ShownEntry, View, Welcome, WireSeat } from './types'
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
  /** When it came, in milliseconds since the page was opened. */
  came: number
}

/** What somebody sees who wants no motion: a fade. */
const FADE = 100
/** With so much to catch up on, it is not shown step by step. */
const TOO_MUCH = 40
/**
 * Milliseconds after which what a person did is shown on every page that has heard of it: the others wait for them, and talk about it.
 * That leaves some of a second for the way there.
 */
const BEHIND = 700
/** What a seat's token may end by. */
const ENDINGS = ['handed', 'without', 'left', 'again']
const LEFT_OUT =
  'What this device drew for the dice is not in them: the connection was slow, or the server kept it back. “Check the dice” at the end says more.'
const NOT_ASKED = 'This device was not asked to draw for the dice, so it has no share in them. “Check the dice” at the end says more.'
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
  /** What happened here, as far as it is shown. Of a long history the beginning comes when somebody needs it: see `whole`. */
  events = $state.raw<ShownEntry[]>([])
  toss = $state.raw<Toss | null>(null)
  link = $state<LinkState>('connecting')
  /** Why the server will have nothing of it: `no_table`, `held` for a game of a challenge that is not shown yet, or nothing. */
  refusal = $state('')
  /** What went wrong with the last wish, for a person. */
  problem = $state('')
  present = $state.raw<readonly number[]>([])
  /** For each seat since when its player is away, by this device's clock; 0 where nobody is missed. */
  since = $state.raw<readonly number[]>([])
  /** Of those who are away or have left, the seats without which the game could go on. */
  droppable = $state.raw<readonly number[]>([])
  /** What those at the table are deciding together. */
  proposal = $state.raw<Proposal | null>(null)
  /** What became of a seat that this device had or asked for, for a person. */
  notice = $state('')
  /** Whether the game that was set up here is about to begin. */
  private starting = $state(false)
  /** The seat that somebody here has asked for, until the others answer, what opens it then, and after which entry that was. */
  asking = $state.raw<{ seat: number; token: string; after: number } | null>(null)
  /** The move that the coach speaks of, which boards mark; none while it is silent. */
  advised = $state('')
  /** When a bot takes over from whoever is to act, by this device's clock; null if none will. */
  deadline = $state<number | null>(null)
  /** Whether the move that ended the game is being looked at: the result comes after it. */
  finale = $state(false)
  /** Whether a game has just ended before somebody's eyes, and they have not seen enough of it. */
  cheering = $state(false)

  /** The number of a game that has begun at this table without anybody here, who look at the result before it; else 0. */
  later = $state(0)

  private waitingFor = $state('')
  private behind = $state(0)
  private queue: News[] = []
  /** The tokens that the server was told last. */
  private told: string[] = []
  private last = 0
  /** Everything that the server said has happened, shown or not. */
  private known: ShownEntry[] = []
  /** Whether the beginning of it is missing. */
  private partial = false
  /** Whether something is being shown step by step. */
  showing = $state(false)
  private hurry: (() => void) | null = null
  /** Whether what takes time is for reading alone, and not dice in the air. */
  private reading = false
  /** Milliseconds that a board asks for, so that people see what it shows now. */
  private pauseFor = 0
  /** Whether somebody wants to see no more steps until the page has caught up. */
  private catchUp = false
  /** Counts welcomes: what was being shown before one is no longer of interest. */
  private visit = 0
  /** How much later it is here than at the server, in milliseconds. */
  private skew = 0
  /** At a table as it once stood: what hears of the move that somebody tries there. Nothing is played. */
  onponder = $state.raw<((text: string) => void) | null>(null)
  /** Whether it is a table as it once stood. */
  private stands = $state(false)
  private connection: Connection
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
  /** Whether a game begins in a moment, as soon as its dice are drawn. */
  readonly beginning = $derived(this.status === 'waiting' && (this.starting || Boolean(this.shown?.dealing)))
  /** To another game, once one is over. */
  readonly invitation = $derived<Invitation | null>(this.shown?.invitation ?? null)
  /** How often everybody has won here. */
  readonly series = $derived<readonly SeriesScore[]>(this.shown?.series ?? [])
  readonly manual = $derived(this.welcome?.dice === 'manual')
  /** Whether the game is about to go on without somebody who fell out of it. */
  readonly resuming = $derived(this.shown?.resuming ?? false)
  /** Milliseconds after which the others may decide about somebody who is away. */
  readonly patience = $derived((this.welcome?.patience ?? 0) * 1000)
  readonly played = $derived(playedOf(this.events))
  /** The tosses of the turn that goes on; none before its first. */
  readonly trail = $derived(this.shown?.fresh && this.phase !== 'landed' ? [] : tossesOf(this.played))
  /** The tosses of the turn before, while nothing lies on the table in this one. */
  readonly before = $derived(this.shown?.fresh && this.phase !== 'landed' ? tossesOf(this.played) : [])
  /** The last thing that happened, as a sentence; as long as people look at the move that ended the game, that one. */
  readonly news = $derived(this.said((this.finale ? this.played : this.events).findLast((event) => event.told)))
  readonly prompt = $derived(this.view ? named(this.view.prompt, this.names, this.you) : '')
  /** The seat for which somebody here may act now, or null. With real dice everybody here may say what was rolled. */
  readonly acting = $derived.by<number | null>(() => {
    const state = this.shown
    if (!state || state.status !== 'playing' || state.actor === null || this.phase !== 'still') return null
    if (this.onponder) return state.rolls ? null : state.actor
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

  /** Whether a bot is about to act, and lets somebody here take their choice back first. */
  readonly lingering = $derived.by(() => {
    const seat = this.seats[this.shown?.actor ?? -1]
    return this.undoable !== null && !this.manual && Boolean(seat?.bot || seat?.away)
  })

  constructor(
    readonly name: string,
    /** Where what happens comes from, if not from the server's table of that name. */
    private readonly source: ((listener: Listener) => Connection) | null = null,
  ) {
    this.connection = this.connect()
    if (!shelf.games) void this.readShelf()
  }

  /** A table as it once stood, at which nothing happens any more. */
  static standing(name: string, welcome: Welcome): Table {
    const nobody = () => undefined
    const table = new Table(name, () => ({ send: nobody, tell: nobody, close: nobody }))
    table.stands = true
    table.greet(welcome)
    return table
  }

  /** Stand as it did at another moment of that game, of which all is known already. */
  stand(events: readonly ShownEntry[], state: Shown): void {
    this.events = [...events]
    this.toss = tossesOf(playedOf(events)).at(-1) ?? null
    this.settle(state)
  }

  private connect(): Connection {
    const listener: Listener = {
      hello: () => {
        this.told = kept.tokens(this.name)
        return { do: 'hello', tokens: this.told, last: this.last }
      },
      heard: (message) => this.heard(message),
      changed: (state, code) => this.changed(state, code),
    }
    if (this.source) return this.source(listener)
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
    return new Link(`${scheme}://${location.host}/ws/${encodeURIComponent(this.name)}`, listener)
  }

  /** Have everything in `events` that happened here, from the beginning. */
  async whole(): Promise<void> {
    while (this.partial) {
      const first = this.known[0]?.number ?? 1
      const { events } = await api.history(this.name, first)
      if (this.known[0]?.number !== first) continue // another welcome came meanwhile
      this.known = [...events, ...this.known]
      this.events = [...events, ...this.events]
      this.partial = (events[0]?.number ?? 1) > 1
    }
  }

  /** Come again, with the seats that this browser has by now. */
  rejoin(): void {
    this.connection.close()
    this.connection = this.connect()
  }

  /** Go on from the result of the last game to the one that has begun meanwhile. */
  follow(): void {
    this.later = 0
    this.shown = null
    this.rejoin()
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

  /** The number of the game, where one that is over is looked at as it stood; else 0. */
  get past(): number {
    return this.stands ? (this.shown?.round ?? 0) : 0
  }

  /** Whether nobody here has a seat at a table that goes on. */
  get watching(): boolean {
    return this.welcome !== null && !this.past && this.mine.length === 0
  }

  /** What happened, as it is told to whoever is here. Earlier games are told by names: seats may have been others then. */
  said(event: ShownEntry | undefined): string {
    const begun = this.events.findLast(({ entry }) => entry.kind === 'started' || entry.kind === 'without')?.number ?? 0
    return (event && event.number > begun ? event.yours?.[this.you] : undefined) ?? event?.told ?? ''
  }

  /** The seat of the one person here, who is spoken to as “you”; -1 if there is none, or several. */
  get you(): number {
    return this.mine.length === 1 ? (this.mine[0] ?? -1) : -1
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
    if (this.onponder) return this.onponder(text)
    this.send({ do: 'move', id: randomName(), on: this.shown.number, move: text, then_roll: roll, grace: motion.times.grace })
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

  /** Have a bot play for somebody who is away or has left. */
  substitute(seat: number, bot: string): void {
    this.send({ do: 'substitute', id: randomName(), seat, bot })
  }

  /** Ask the others to end the game, or to go on without somebody. */
  propose(what: 'end' | 'out', seat: number | null = null): void {
    this.send({ do: 'propose', id: randomName(), what, seat })
  }

  /** Answer what the others want, for every seat here that has a say. */
  vote(yes: boolean): void {
    const proposal = this.proposal
    const ours = proposal?.waiting.filter((seat) => this.isMine(seat)) ?? []
    const seats = ours.length ? ours : this.mine.slice(0, 1)
    for (const seat of yes ? seats : seats.slice(0, 1)) {
      if (proposal) this.send({ do: 'vote', id: randomName(), proposal: proposal.number, yes, seat })
    }
  }

  /** Take the seats of another device over. */
  async take(code: string): Promise<void> {
    kept.take(await api.take(this.name, code, randomName()))
    this.notice = ''
    this.rejoin()
  }

  /** Ask those at the table for a seat; it is ours as soon as they agree. */
  async askFor(seat: number): Promise<void> {
    this.notice = ''
    const after = this.last
    const { token } = await api.ask(this.name, seat + 1, randomName())
    this.asking = { seat, token, after }
    this.answer()
  }

  /** Show at once what is being shown: one step, or with `all` everything that is still to be shown. Bots that let somebody think go on. */
  skip({ all = false } = {}): void {
    this.cheering = false
    if (this.lingering) this.connection.tell({ do: 'proceed' })
    if (!this.showing) return
    this.catchUp ||= all
    motion.rush = true
    this.hurry?.()
  }

  /** What opens the first seat that this browser has here. */
  get token(): string {
    return kept.tokens(this.name)[0] ?? ''
  }

  /** What opens one of the seats that this browser has here. */
  tokenOf(seat: number): string {
    return this.told[this.welcome?.opens.indexOf(seat) ?? -1] ?? this.token
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
    if (code === 4005) {
      this.refusal = 'held'
    } else if (code === 4003) {
      kept.lose(this.name) // a token that opens nothing any more: watch
      this.notice = 'Your seat here is played on another device by now, or the game went on without you. You are watching.'
      this.rejoin()
    } else {
      this.refusal = 'no_table'
    }
  }

  private heard(message: ServerMessage): void {
    switch (message.type) {
      case 'welcome':
        if (!this.stays(message.state, message.seats)) this.greet(message)
        break
      case 'update':
        if (this.later || this.stays(message.state, this.mine)) break // the seats here were those of the game before
        this.last = message.events.at(-1)?.number ?? this.last
        this.known = merged(this.known, message.events)
        this.attend(message.state)
        this.answer()
        this.deal(message.state)
        this.doubt(message)
        this.queue.push({ ...message, came: performance.now() })
        this.behind = this.queue.length
        if (this.reading && this.urgent()) this.hurry?.()
        void this.show()
        break
      case 'presence':
        this.present = message.present
        this.deadline = this.here(message.deadline ?? null)
        this.attend(message)
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

  /** Whether somebody who looks at a result stays there: another game has begun, and nobody here is in it. */
  private stays(state: Shown, mine: readonly number[]): boolean {
    if (this.status !== 'over' || mine.length || state.round <= (this.shown?.round ?? state.round)) return false
    this.later = state.round
    return true
  }

  private greet(welcome: Welcome): void {
    if (!shelf.games) void this.readShelf()
    this.sortTokens(welcome)
    this.welcome = welcome
    this.last = welcome.events.at(-1)?.number ?? this.last
    this.visit += 1
    this.queue = []
    this.behind = 0
    this.finale = this.cheering = false
    this.hurry?.()
    this.partial ||= Boolean(welcome.missing)
    this.known = welcome.missing ? [...welcome.events] : merged(this.known, welcome.events)
    this.events = this.known
    this.toss = tossesOf(playedOf(this.events)).at(-1) ?? null
    this.settle(welcome.state)
    const everyone = [...welcome.state.seats, ...(welcome.state.invitation?.newcomers ?? [])]
    this.present = everyone.flatMap((seat, index) => (seat.present ? [index] : []))
    this.attend(welcome.state)
    this.answer()
    this.deal(welcome.state)
    if (toBegin.delete(welcome.table) && welcome.state.status === 'waiting') void this.begin()
  }

  private async begin(): Promise<void> {
    this.starting = true
    try {
      await api.start(this.name, this.token, '')
    } catch (error) {
      if (!(error instanceof Trouble)) throw error
      this.notice = error.message
    } finally {
      this.starting = false
    }
  }

  /** Have a share in the dice for every seat here: seal a string first, reveal it once all seals are there, and see whether it counted. */
  private deal(state: Shown): void {
    const { promise, dice_name: dice, shares } = state
    for (const seat of promise ? this.mine : []) {
      const share = shares.find((one) => one.seat === seat)
      let drawn = kept.drawn(dice).find((one) => one.seat === seat && one.promise === promise)
      if (state.dealing === 'sealing' && !share) {
        drawn ??= this.draw(dice, { promise, seat, string: randomName(), signed: this.signature(promise) })
        this.connection.send({ do: 'seal', id: randomName(), seal: sealOf(dice, promise, seat, drawn.string), seat })
      } else if (state.dealing === 'revealing' && drawn && !share?.string && share?.seal === sealOf(dice, promise, seat, drawn.string)) {
        // What the others have sealed is kept before they can know this string: the record has to have that, and nothing else.
        if (!drawn.seals) this.draw(dice, { ...drawn, seals: shares.map((one) => ({ seat: one.seat, seal: one.seal ?? '' })) })
        this.connection.send({ do: 'reveal', id: randomName(), string: drawn.string, seat })
      }
    }
  }

  /** How the server has signed a promise, as a record says it. */
  private signature(promise: string): string | undefined {
    const found = this.known.findLast(({ entry }) => entry.kind === 'promised' && entry.promise === promise)
    const entry = found?.entry
    return found && entry?.kind === 'promised' && entry.signature ? `signed:${found.at}:${entry.key}:${entry.signature}` : undefined
  }

  /** The game has begun: say so at once if the dice are without what was drawn here, or without anything of this device. */
  private doubt({ events, state }: Pick<News, 'events' | 'state'>): void {
    if (!events.some(({ entry }) => entry.kind === 'started') || this.manual || !state.promise) return
    const drawn = kept.drawn(state.dice_name).filter(({ seat }) => this.isMine(seat))
    const counts = (seat: number) => {
      const string = state.shares.find((share) => share.seat === seat)?.string
      return drawn.some((one) => one.promise === state.promise && one.seat === seat && one.string === string)
    }
    if (drawn.some((one) => one.promise !== state.promise || !counts(one.seat))) this.notice = LEFT_OUT
    else if (this.mine.length && !drawn.length && !this.known.some(({ entry }) => entry.kind === 'created' && entry.record)) this.notice = NOT_ASKED
  }

  private draw(dice: string, drawn: Drawn): Drawn {
    kept.draw(dice, drawn)
    return drawn
  }

  /** Who is away since when, and what is being decided: said at once, whatever dice are still in the air. */
  private attend(told: { since?: readonly number[]; droppable?: readonly number[]; proposal?: Proposal | null }): void {
    this.since = (told.since ?? []).map((time) => (time ? time + this.skew : 0))
    this.droppable = told.droppable ?? []
    this.proposal = told.proposal ?? null
  }

  /** Whether the others have answered somebody here who asked for a seat, perhaps before we heard that it was asked. */
  private answer(): void {
    const asked = this.asking
    if (!asked) return
    const since = this.known.filter(({ number }) => number > asked.after).map(({ entry }) => entry)
    if (since.some((entry) => entry.kind === 'handed' && entry.seats.includes(asked.seat))) {
      this.asking = null
      kept.keep(this.name, this.game, [asked.token])
      this.rejoin()
    } else if (since.some((entry) => entry.kind === 'proposed' && entry.about === asked.seat) && this.proposal?.about !== asked.seat) {
      this.asking = null
      this.notice = 'Those at the table did not agree.'
    }
  }

  /** Forget the tokens that open nothing any more, and say what became of those seats. */
  private sortTokens(welcome: Welcome): void {
    const known = kept.tokens(this.name)
    const dead = this.told.filter((token, at) => welcome.opens[at] === -1 && known.includes(token))
    if (!dead.length) return
    kept.drop(this.name, dead)
    const rest = welcome.seats.length ? 'The other seats here stay.' : 'You are watching.'
    const why = welcome.events.findLast(({ entry }) => ENDINGS.includes(entry.kind))?.entry.kind
    if (why === 'handed') this.notice = `This seat is played on another device now. ${rest}`
    if (why === 'without') this.notice = `The game goes on without a player of this device. ${rest}`
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
      if (this.queue.length > TOO_MUCH) this.catchUp = motion.rush = true
      await this.tell(news)
      this.behind = this.queue.length
      if (!motion.rush || this.catchUp) continue
      await tick() // dice that were skipped come to rest
      motion.rush = false
    }
    this.showing = this.catchUp = false
    motion.rush = false
    motion.most = Infinity
  }

  private async tell(news: News): Promise<void> {
    const visit = this.visit
    for (const event of news.events) {
      if (event.entry.kind === 'rolled') await this.throwDice(event, news)
      if (visit !== this.visit) return
      this.events = merged(this.events, [event])
    }
    const ends = this.turnEnds(news.state)
    const rolled = this.phase === 'landed'
    const over = news.state.status === 'over' && this.status === 'playing'
    if (rolled && ends) await this.read(over ? motion.times.read : motion.times.turn)
    if (visit !== this.visit) return
    if (over) return this.end(news.state)
    this.pauseFor = 0
    this.settle(news.state)
    await tick() // boards draw it, and ask for time
    if (visit !== this.visit) return
    const theirs = !this.isMine(news.events.at(-1)?.entry.kind === 'moved' ? seatOf(news) : news.state.actor)
    const time = theirs && !(rolled && ends) ? motion.times.read : 0
    await this.read(this.isMine(news.state.actor) ? time : Math.max(time, this.pauseFor))
  }

  /** What is shown now is worth so many milliseconds before somebody else's dice roll. A board says so as it draws it. */
  pause(milliseconds: number): void {
    if (untrack(() => motion.times.read)) this.pauseFor = Math.max(this.pauseFor, milliseconds)
  }

  /** The game is over. Whoever had no time for the way there still sees the move that decided it. */
  private async end(state: Shown): Promise<void> {
    const visit = this.visit
    motion.rush = this.catchUp = false
    this.finale = true
    this.settle(state)
    const time = motion.times.end
    await this.read(time)
    if (visit !== this.visit) return
    this.finale = false
    this.cheering = time > 0 && !prefs.still
  }

  private async throwDice(event: ShownEntry, news: News): Promise<void> {
    const visit = this.visit
    motion.most = this.timeFor(news)
    const times = motion.times
    this.next = news.state
    this.toss = tossOf(event)
    this.phase = 'tumbling'
    if (prefs.sound && times.tumble) rattle(this.toss?.faces.length ?? 1, times.tumble)
    await this.wait(prefs.still ? Math.min(FADE, times.tumble) : times.tumble)
    if (visit !== this.visit) return
    this.phase = 'landed'
    if (prefs.buzz && this.isMine(this.toss?.seat)) buzz(this.toss?.faces.length ?? 1)
  }

  /** Milliseconds that dice may be in the air, so that nobody is far behind what people do. Bots can wait, and do. */
  private timeFor(news: News): number {
    if (byBot(news)) return this.urgent() ? 0 : Infinity
    return Math.max(0, news.came + BEHIND - performance.now())
  }

  /** Whether something that a person did is still to be shown. */
  private urgent(): boolean {
    return this.queue.some((news) => !byBot(news))
  }

  /** Give people time to read, unless a person has gone on meanwhile. */
  private async read(milliseconds: number): Promise<void> {
    if (this.urgent()) return
    this.reading = true
    await this.wait(milliseconds)
    this.reading = false
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

/** Whether a bot did it. They play as fast as they can, and are shown at the pace that somebody likes. */
function byBot(news: News): boolean {
  return news.events.some(({ entry }) => 'by' in entry && Boolean(entry.by))
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
    const { entry } = event
    if (entry.kind === 'started' || entry.kind === 'without') played.length = 0
    else if (entry.kind === 'rolled' || entry.kind === 'moved') played.push(event)
    else if (entry.kind === 'undone') played.splice(-(entry.events ?? 1))
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

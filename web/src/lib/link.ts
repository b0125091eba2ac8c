// A WebSocket that heals itself. Wishes are kept until they are answered and sent again, under the same id, after a break:
// the server does nothing twice.
import type { ClientMessage, ServerMessage } from './types'

export type LinkState = 'connecting' | 'open' | 'lost' | 'refused'
export type Wish = Extract<ClientMessage, { id: string }>

export interface Listener {
  /** What to say first, each time. */
  hello(): ClientMessage
  heard(message: ServerMessage): void
  changed(state: LinkState, code: number): void
}

/** What a table needs of its connection; a lesson has one of its own. */
export type Connection = Pick<Link, 'send' | 'tell' | 'close'>

/** Codes after which coming back would lead to the same end. */
const FINAL = new Set([4003, 4004, 4005])
const WAITS = [300, 700, 1500, 3000, 5000]
/** A connection that died without a word is told within the sum of these two. */
const PING = 4_000
const SILENCE = 3_500
/** For a connection to come about. */
const OPENING = 20_000
/** For an answer to somebody who has come back. */
const HASTE = 3_000
const COMING = ['online', 'offline', 'pageshow'] as const

export class Link {
  private socket: WebSocket | null = null
  private tries = 0
  private timer: ReturnType<typeof setTimeout> | undefined
  private heartbeat: ReturnType<typeof setTimeout> | undefined
  private readonly unanswered = new Map<string, Wish>()
  private welcomed = false
  private closed = false

  constructor(
    private readonly url: string,
    private readonly listener: Listener,
  ) {
    for (const event of COMING) globalThis.addEventListener?.(event, this.now)
    globalThis.document?.addEventListener('visibilitychange', this.now)
    this.connect()
  }

  send(wish: Wish): void {
    this.unanswered.set(wish.id, wish)
    if (this.welcomed) this.say(wish)
  }

  /** Say something that needs no answer, if anybody hears it. */
  tell(message: ClientMessage): void {
    if (this.welcomed) this.say(message)
  }

  close(): void {
    this.closed = true
    clearTimeout(this.timer)
    clearTimeout(this.heartbeat)
    for (const event of COMING) globalThis.removeEventListener?.(event, this.now)
    globalThis.document?.removeEventListener('visibilitychange', this.now)
    this.socket?.close()
  }

  /** Somebody is back, or the network comes or goes: do not wait any longer to see how things are. */
  private now = (): void => {
    if (this.closed || globalThis.document?.hidden) return
    if (this.socket) {
      if (this.welcomed) this.ask(HASTE) // a phone that slept may have a connection that is none any more
      return
    }
    clearTimeout(this.timer)
    this.connect()
  }

  private connect(): void {
    const socket = new WebSocket(this.url)
    this.socket = socket
    socket.onopen = () => this.say(this.listener.hello())
    socket.onmessage = (event) => this.hear(JSON.parse(String(event.data)) as ServerMessage)
    socket.onclose = (event) => {
      if (this.socket === socket) this.lost(event.code)
    }
    this.giveUpAfter(OPENING)
  }

  private hear(message: ServerMessage): void {
    this.watch()
    if (message.type === 'welcome') {
      this.welcomed = true
      this.tries = 0
      this.listener.changed('open', 0)
    }
    if ('id' in message && message.id) this.unanswered.delete(message.id)
    this.listener.heard(message)
    if (message.type === 'welcome') for (const wish of this.unanswered.values()) this.say(wish)
  }

  private lost(code: number): void {
    this.socket = null
    this.welcomed = false
    clearTimeout(this.heartbeat)
    if (this.closed) return
    if (FINAL.has(code)) {
      this.listener.changed('refused', code)
      return
    }
    this.listener.changed('lost', code)
    const wait = WAITS[Math.min(this.tries, WAITS.length - 1)] ?? 5000
    this.tries += 1
    this.timer = setTimeout(() => this.connect(), wait * (0.8 + 0.4 * Math.random()))
  }

  /** A connection can die without a word: ask now and then, and give up on silence. */
  private watch(): void {
    clearTimeout(this.heartbeat)
    this.heartbeat = setTimeout(() => this.ask(SILENCE), PING)
  }

  private ask(patience: number): void {
    this.say({ do: 'ping' })
    this.giveUpAfter(patience)
  }

  private giveUpAfter(patience: number): void {
    clearTimeout(this.heartbeat)
    this.heartbeat = setTimeout(() => {
      const socket = this.socket
      this.lost(1006)
      socket?.close()
    }, patience)
  }

  private say(message: ClientMessage): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message))
  }
}

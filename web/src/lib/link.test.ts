import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { Link, type LinkState, type Wish } from './link'
import type { ServerMessage } from './types'

/** A WebSocket that a test drives by hand. */
class Socket {
  static made: Socket[] = []
  static readonly OPEN = 1
  readyState = 0
  sent: unknown[] = []
  onopen: (() => void) | null = null
  onmessage: ((event: { data: string }) => void) | null = null
  onclose: ((event: { code: number }) => void) | null = null

  constructor() {
    Socket.made.push(this)
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text))
  }

  close(): void {
    this.drop(1000)
  }

  open(): void {
    this.readyState = Socket.OPEN
    this.onopen?.()
  }

  say(message: Partial<ServerMessage>): void {
    this.onmessage?.({ data: JSON.stringify(message) })
  }

  drop(code: number): void {
    this.readyState = 3
    this.onclose?.({ code })
  }
}

const states: LinkState[] = []
const latest = () => Socket.made.at(-1) as Socket
const wish: Wish = { do: 'roll', id: 'a1', on: 7 }

function link(): Link {
  return new Link('ws://table', {
    hello: () => ({ do: 'hello', tokens: ['t'], last: 3 }),
    heard: () => {},
    changed: (state) => states.push(state),
  })
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('WebSocket', Socket)
  Socket.made = []
  states.length = 0
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('says hello first, and wishes only once it is welcome', () => {
  const made = link()
  made.send(wish)
  latest().open()
  expect(latest().sent).toEqual([{ do: 'hello', tokens: ['t'], last: 3 }])
  latest().say({ type: 'welcome' })
  expect(latest().sent).toEqual([{ do: 'hello', tokens: ['t'], last: 3 }, wish])
  made.close()
})

it('sends what was not answered again after a break, and what was answered not', () => {
  const made = link()
  latest().open()
  latest().say({ type: 'welcome' })
  made.send(wish)
  made.send({ ...wish, id: 'a2' })
  latest().say({ type: 'accepted', id: 'a1', number: 8 })
  latest().drop(1006)
  vi.advanceTimersByTime(1000)
  expect(Socket.made).toHaveLength(2)
  latest().open()
  latest().say({ type: 'welcome' })
  expect(latest().sent.slice(1)).toEqual([{ ...wish, id: 'a2' }])
  expect(states).toEqual(['open', 'lost', 'open'])
  made.close()
})

it('gives up on a table that does not exist', () => {
  const made = link()
  latest().open()
  latest().drop(4004)
  vi.advanceTimersByTime(60_000)
  expect(Socket.made).toHaveLength(1)
  expect(states).toEqual(['refused'])
  made.close()
})

it('does not wait for ever for a connection that never comes about', () => {
  const made = link()
  vi.advanceTimersByTime(19_000)
  expect(states).toEqual([])
  vi.advanceTimersByTime(2_000)
  expect(states).toEqual(['lost'])
  expect(Socket.made).toHaveLength(2)
  latest().open()
  latest().say({ type: 'welcome' })
  expect(states).toEqual(['lost', 'open'])
  vi.advanceTimersByTime(3_000)
  expect(states).toEqual(['lost', 'open'])
  made.close()
})

it('takes eight seconds of silence for a break', () => {
  const made = link()
  latest().open()
  latest().say({ type: 'welcome' })
  vi.advanceTimersByTime(5_000)
  expect(latest().sent.at(-1)).toEqual({ do: 'ping' })
  vi.advanceTimersByTime(3_000)
  expect(states).toEqual(['open', 'lost'])
  vi.advanceTimersByTime(1000)
  expect(Socket.made).toHaveLength(2)
  made.close()
})

it('asks at once whether the connection lives when somebody is back', () => {
  const back = new Map<string, () => void>()
  vi.stubGlobal('addEventListener', (name: string, listener: () => void) => back.set(name, listener))
  const made = link()
  latest().open()
  latest().say({ type: 'welcome' })
  back.get('online')?.()
  expect(latest().sent.at(-1)).toEqual({ do: 'ping' })
  latest().say({ type: 'pong' })
  vi.advanceTimersByTime(3_500)
  expect(states).toEqual(['open'])
  back.get('online')?.()
  vi.advanceTimersByTime(3_000)
  expect(states).toEqual(['open', 'lost'])
  made.close()
})

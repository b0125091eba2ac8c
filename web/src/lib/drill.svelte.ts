// A set of positions to practise on: each a table that stands at a choice, at which the first move is the answer. After it the board can
// still be used, to see what another move is worth; that counts for nothing.
import type { Component } from 'svelte'

import { api, Trouble } from './api'
import { boardOf } from './games'
import { kept } from './kept'
import type { Connection, Listener, Wish } from './link'
import { boxOf, drop, practised, take, today } from './practised'
import { Table } from './table.svelte'
import type { PracticeAnswer, PracticeCard, PracticeWhy } from './types'

/** Milliseconds until why a move is good or bad is asked for again. */
const AGAIN = 1500
const GONE = ['no_card', 'no_table', 'illegal', 'no_game']

export class Drill {
  at = $state(0)
  card = $state.raw<PracticeCard | null>(null)
  table = $state.raw<Table | null>(null)
  /** The board of its game, which comes with it. */
  Board = $state.raw<Component<{ table: Table }> | null>(null)
  answer = $state.raw<PracticeAnswer | null>(null)
  why = $state.raw<PracticeWhy | null>(null)
  /** The move that is looked at after the answer: the one that was made, or another one that was tried on the board. */
  looked = $state('')
  /** Whether an answer is on its way. */
  judging = $state(false)
  trouble = $state.raw<Trouble | null>(null)
  /** The points of the answers so far. */
  points = $state.raw<readonly number[]>([])
  over = $state(false)
  private next: Promise<PracticeCard> | null = null
  private listener: Listener | null = null
  private timer: ReturnType<typeof setTimeout> | undefined
  private closed = false

  constructor(
    private ids: readonly string[],
    /** The day whose five these are, if they are. */
    readonly day: string | null = null,
    /** The points of those of the day that were answered before. */
    earlier: readonly number[] = [],
  ) {
    this.points = earlier
    this.earlier = earlier.length
    void this.open()
  }

  private readonly earlier: number

  /** The number of the position that is shown, and how many there are, those of the day that were answered before counted. */
  get number(): number {
    return this.earlier + this.at + 1
  }

  get count(): number {
    return this.earlier + this.ids.length
  }

  /** Show the position that comes next. */
  async open(): Promise<void> {
    const id = this.ids[this.at]
    this.trouble = null
    if (!id) {
      this.over = true
      return
    }
    try {
      const card = await (this.next ?? this.fetch(id))
      const Board = await boardOf(card.game)
      if (this.closed) return
      this.table?.close()
      this.Board = Board
      this.answer = this.why = null
      this.looked = ''
      this.card = card
      this.table = this.stage(card)
      this.next = null
      this.prepare()
    } catch (error) {
      this.next = null
      if (this.closed) return
      if (error instanceof Trouble && GONE.includes(error.kind)) {
        drop(id) // its table was deleted, or its deck is another one
        this.ids = this.ids.filter((each) => each !== id)
        return this.open()
      }
      this.trouble = error instanceof Trouble ? error : new Trouble('away', 'The position could not be loaded. Try again.')
    }
  }

  goOn(): void {
    if (!this.answer) return
    clearTimeout(this.timer)
    this.at += 1
    void this.open()
  }

  close(): void {
    this.closed = true
    clearTimeout(this.timer)
    this.table?.close()
  }

  private fetch(id: string): Promise<PracticeCard> {
    return api.card(id, kept.name || 'You')
  }

  /** Have the position after this one at hand. */
  private prepare(): void {
    const id = this.ids[this.at + 1]
    if (!id) return
    this.next = this.fetch(id)
    this.next.catch(() => undefined) // it is asked for again when it is due
  }

  private stage(card: PracticeCard): Table {
    return new Table('', (listener) => {
      this.listener = listener
      // Once the table is made: it has to be there to hear anything.
      queueMicrotask(() => {
        listener.changed('open', 0)
        listener.heard(card.welcome)
      })
      const connection: Connection = { send: (wish) => void this.judge(wish, card), tell: () => undefined, close: () => undefined }
      return connection
    })
  }

  private async judge(wish: Wish, card: PracticeCard): Promise<void> {
    if (wish.do !== 'move') return
    if (this.answer) {
      this.look(wish.move)
      this.listener?.heard({ type: 'accepted', id: wish.id, number: 0 })
      return
    }
    this.judging = true
    try {
      const answer = await api.answer(card.id, wish.move, boxOf(practised(), card.id))
      if (this.closed || this.card !== card) return
      this.listener?.heard({ type: 'accepted', id: wish.id, number: 0 })
      this.answer = answer
      this.points = [...this.points, answer.points]
      take(answer, card.game, this.day ?? today(), this.day !== null)
      if (this.table) this.table.advised = answer.moves[0]?.text ?? ''
      this.look(answer.move)
    } catch (error) {
      const message = error instanceof Trouble ? error.message : 'Your move did not come through. Try again.'
      this.listener?.heard({ type: 'illegal', id: wish.id, message })
    } finally {
      this.judging = false
    }
  }

  /** Look at what a move is worth, and why. */
  look(move: string): void {
    if (this.looked === move) return
    this.looked = move
    this.why = null
    clearTimeout(this.timer)
    void this.explain(move)
  }

  /** Why the move is good or bad; where nobody can say, nothing is said. */
  private async explain(move: string): Promise<void> {
    const card = this.card
    if (!card) return
    const stale = () => this.closed || this.card !== card || this.looked !== move
    try {
      const why = await api.practiceWhy(card.id, move)
      if (stale()) return
      this.why = why
      if (!why.ready) this.timer = setTimeout(() => void this.explain(move), AGAIN)
    } catch {
      if (!stale()) this.why = null
    }
  }
}

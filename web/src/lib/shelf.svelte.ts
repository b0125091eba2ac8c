// The games that the server has, kept from page to page: so that the next one knows its game's title and colour at once.
import { api } from './api'
import type { GameCard, Games } from './types'

class Shelf {
  games = $state.raw<Games | null>(null)
  private asked: Promise<Games> | null = null

  /** Ask for them, once at a time. */
  load(): Promise<Games> {
    this.asked ??= this.ask().finally(() => (this.asked = null))
    return this.asked
  }

  private async ask(): Promise<Games> {
    this.games = await api.games()
    return this.games
  }

  card(name: string): GameCard | null {
    return this.games?.games.find((card) => card.name === name) ?? null
  }
}

export const shelf = new Shelf()

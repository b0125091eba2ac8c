// Which seats are bots': their signs have a face, wherever they are drawn.
import { getContext, setContext } from 'svelte'

import type { WireSeat } from './types'

const KEY = Symbol('faces')
type IsBot = (seat: number) => boolean

/** Say whose seats a page and all that is on it are about. */
export function setFaces(seats: () => readonly WireSeat[]): void {
  setContext<IsBot>(KEY, (seat) => seats()[seat]?.kind === 'bot')
}

/** Whether a seat is a bot's, as far as the page has said. */
export function getFaces(): IsBot {
  return getContext<IsBot | undefined>(KEY) ?? (() => false)
}

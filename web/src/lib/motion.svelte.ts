// How long things are shown: by the pace that somebody likes, and not at all to who has seen enough or looks elsewhere.
import { prefs } from './prefs.svelte'

export type Times = Record<'tumble' | 'read' | 'turn' | 'end' | 'grace', number>

/** Milliseconds: that dice tumble, to read what somebody did, to see how a turn ended and how the game did, and to take a choice back before a bot rolls. */
export const TIMES = {
  calm: { tumble: 700, read: 900, turn: 1500, end: 2000, grace: 2000 },
  quick: { tumble: 450, read: 300, turn: 700, end: 2000, grace: 1200 },
  instant: { tumble: 0, read: 0, turn: 0, end: 0, grace: 0 },
} as const satisfies Record<string, Times>

class Motion {
  /** Somebody has seen enough: until the page has caught up, nothing takes time. */
  rush = $state(false)

  /** Milliseconds that dice may tumble at most, as more is waiting. */
  most = $state(Infinity)

  get times(): Times {
    const times = TIMES[this.rush || globalThis.document?.hidden ? 'instant' : prefs.pace]
    return times.tumble > this.most ? { ...times, tumble: this.most } : times
  }
}

export const motion = new Motion()

// How long things are shown: by the pace that somebody likes, and not at all to who has seen enough or looks elsewhere.
import { prefs } from './prefs.svelte'

/** Milliseconds: that dice tumble, to read what somebody did, and to see how a turn ended. */
export const TIMES = {
  calm: { tumble: 750, read: 900, turn: 1500 },
  quick: { tumble: 450, read: 300, turn: 700 },
  instant: { tumble: 0, read: 0, turn: 0 },
} as const

class Motion {
  /** Somebody has seen enough: until the page has caught up, nothing takes time. */
  rush = $state(false)

  get times(): (typeof TIMES)[keyof typeof TIMES] {
    return TIMES[this.rush || globalThis.document?.hidden ? 'instant' : prefs.pace]
  }
}

export const motion = new Motion()

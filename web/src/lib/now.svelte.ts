// The time, for what is shown with seconds that run. It only runs while somebody looks at it.
import { createSubscriber } from 'svelte/reactivity'

const TICK = 500

const subscribe = createSubscriber((update) => {
  const timer = setInterval(update, TICK)
  return () => clearInterval(timer)
})

export const now = {
  /** Milliseconds since 1970. */
  get ms(): number {
    subscribe()
    return Date.now()
  },

  /** Whole seconds since then. */
  seconds(then: number): number {
    return Math.max(0, Math.floor((this.ms - then) / 1000))
  },
}

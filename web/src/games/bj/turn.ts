// What lies on the table in a turn of BJ's dice, put in order for the eye. What scores, and how much, the server says.
import type { Toss } from '../../lib/table.svelte'

export interface LyingDie {
  /** Names the die from its toss until it is picked up again. */
  id: string
  face: string
}

/** The dice that one toss froze. */
export interface Lump {
  key: number
  dice: LyingDie[]
  /** What they brought; null where nobody here knows what was at stake before. */
  points: number | null
}

/** What was frozen until all dice were, and what is frozen now. */
export interface Ice {
  full: Lump[][]
  now: Lump[]
  count: number
}

export function diceOf(toss: Toss): (LyingDie & { frozen: boolean })[] {
  return toss.faces.map((face, at) => ({ id: `${toss.key}-${at}`, face, frozen: toss.places[at] === 'frozen' }))
}

export function frozenIn(toss: Toss): number {
  return toss.places.filter((place) => place === 'frozen').length
}

/** The frozen dice of some tosses. A toss that leaves no die completes a set; all dice roll again after it. */
export function iceOf(tosses: readonly Toss[]): Ice {
  const ice: Ice = { full: [], now: [], count: 0 }
  for (const [at, toss] of tosses.entries()) {
    const dice = diceOf(toss).filter((die) => die.frozen)
    if (!dice.length) continue
    const before = toss.fresh ? 0 : tosses[at - 1]?.stake
    ice.now.push({ key: toss.key, dice, points: before === undefined ? null : toss.stake - before })
    ice.count += dice.length
    if (dice.length === toss.faces.length) {
      ice.full.push(ice.now)
      ice.now = []
      ice.count = 0
    }
  }
  return ice
}

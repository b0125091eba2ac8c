// What lies on the table in a turn of BJ's dice, put in order for the eye. What scores, and how much, the server says.
import type { Toss } from '../../lib/table.svelte'
import type { Told } from '../../lib/types'

export interface LyingDie {
  /** Names the die from its toss until it is picked up again. */
  id: string
  face: string
}

/** The dice that one toss froze. */
export interface Lump {
  key: number
  dice: LyingDie[]
  /** What they brought, as the log has it. */
  points: number | null
}

/** What was frozen until all dice were, and what is frozen now. */
export interface Ice {
  full: Lump[][]
  now: Lump[]
  count: number
}

export function diceOf(toss: Toss): (LyingDie & { frozen: boolean })[] {
  return toss.faces.map((face, at) => ({ id: `${toss.key}-${at}`, face, frozen: toss.lie[at] === 'frozen' }))
}

export function frozenIn(toss: Toss): number {
  return toss.lie.filter((lie) => lie === 'frozen').length
}

/** The frozen dice of some tosses. A toss that leaves no die completes a set; all dice roll again after it. */
export function iceOf(tosses: readonly Toss[], events: readonly Told[]): Ice {
  const ice: Ice = { full: [], now: [], count: 0 }
  for (const toss of tosses) {
    const dice = diceOf(toss).filter((die) => die.frozen)
    if (!dice.length) continue
    ice.now.push({ key: toss.key, dice, points: pointsIn(told(events, toss.key)) })
    ice.count += dice.length
    if (dice.length === toss.faces.length) {
      ice.full.push(ice.now)
      ice.now = []
      ice.count = 0
    }
  }
  return ice
}

function told(events: readonly Told[], number: number): string {
  return events.find((event) => event.number === number)?.told ?? ''
}

const number = (text: string | undefined) => (text === undefined ? null : Number(text.replaceAll(',', '')))

/** “Ann rolls 1 5: 150 points freeze 2 dice” */
export function pointsIn(sentence: string): number | null {
  return number(/: ([\d,]+) points/.exec(sentence)?.[1])
}

/** “Ann passes and keeps 950, for 3400 in all.” */
export function keptIn(sentence: string): number | null {
  return number(/keeps ([\d,]+)/.exec(sentence)?.[1])
}

/** What a sentence adds after its first full stop: that the last round begins, or who wins. */
export function restOf(sentence: string): string {
  return /[.] (.+)$/.exec(sentence)?.[1] ?? ''
}

/** How a seat stands in the last round. */
export type InLastRound = 'started' | 'played' | 'playing' | 'to play'

/** How everybody stands in the last round, in which everybody has one turn from the one after its starter on. */
export function lastRound(starter: number, turn: number, players: number, over: boolean): InLastRound[] {
  const after = (seat: number) => (seat - starter + players) % players
  return Array.from({ length: players }, (_, seat) => {
    if (seat === starter) return 'started'
    if (over || after(seat) < after(turn)) return 'played'
    return seat === turn ? 'playing' : 'to play'
  })
}

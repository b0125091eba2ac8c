// What dice do on the sections, and how a round ends, in few words.
import { listed, plural } from '../../lib/words'
import type { RollersEffect, RoundEnd } from './schema'

/** What an application does: “opens the 2s and collects 6”. */
export function deed(effect: RollersEffect): string {
  const numbers = [...new Set([...effect.opens, ...effect.closes])].sort((one, other) => one - other)
  return listed([...numbers.map((number) => `${turning(effect, number)} the ${number}s`), ...collecting(effect)])
}

/** What dice on one section do, for where the section itself can be seen: “opens, collects 6”. */
export function shortDeed(effect: RollersEffect): string {
  const [number] = [...effect.opens, ...effect.closes]
  return [...(number ? [turning(effect, number)] : []), ...collecting(effect)].join(', ')
}

function turning({ opens, closes }: RollersEffect, number: number): string {
  return [...(opens.includes(number) ? ['opens'] : []), ...(closes.includes(number) ? ['closes'] : [])].join(' and ')
}

function collecting({ paid }: RollersEffect): string[] {
  return paid.length ? [`collects ${paid.reduce((sum, chips) => sum + chips, 0)}`] : []
}

/** What an application leaves lying that could be used: “leaves 2 usable dice”; nothing if it leaves none. */
export function leaving({ unused }: RollersEffect): string {
  return unused ? `leaves ${plural(unused, 'usable die', 'usable dice')}` : ''
}

/** The points that a round brings: “Ann 2 and Ben 1”. */
export function gains({ points }: RoundEnd, names: readonly string[]): string {
  return listed(points.flatMap((gain, seat) => (gain ? [`${names[seat]} ${gain}`] : [])))
}

/** Who has the most chips when a round ends, where it takes more than the numbers to see what that brings. */
export function aboutChips({ richest, richest_points: each }: RoundEnd, names: readonly string[]): string {
  const rich = listed(richest.map((seat) => names[seat] ?? ''))
  if (richest.length === 1) return `${rich} has the most chips.`
  return each ? `${rich} tie for the most chips and get ${plural(each, 'point')} each.` : `${rich} tie for the most chips, so nobody gets a point for them.`
}

/** What comes after a round. */
export function sequel({ starter, winners }: RoundEnd, names: readonly string[]): string {
  if (!winners.length) return `${names[starter]} starts the next round.`
  return `${listed(winners.map((seat) => names[seat] ?? ''))} ${winners.length === 1 ? 'wins' : 'share the win'}!`
}

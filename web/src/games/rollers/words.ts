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

/** The points that a round brings: “Ann 2 and Ben 1”. */
export function gains({ points }: RoundEnd, names: readonly string[]): string {
  return listed(points.flatMap((gain, seat) => (gain ? [`${names[seat]} ${gain}`] : [])))
}

/** What the points of a round are for; `seat` has the full board. */
export function reasons({ points, richest, richest_points: each }: RoundEnd, seat: number, names: readonly string[]): string {
  const full = (points[seat] ?? 0) - (richest.includes(seat) ? each : 0)
  const board = `${names[seat]} gets ${plural(full, 'point')} for the full board`
  const rich = listed(richest.map((one) => names[one] ?? ''))
  if (!each) return `${board}. ${rich} tie for the most chips, so nobody gets a point for them.`
  if (richest.length > 1) return `${board}. ${rich} tie for the most chips and get ${each} each.`
  return richest[0] === seat ? `${board} and ${each} for the most chips.` : `${board}, ${rich} ${each} for the most chips.`
}

/** What comes after a round. */
export function sequel({ starter, winners }: RoundEnd, names: readonly string[]): string {
  if (!winners.length) return `${names[starter]} starts the next round.`
  return `${listed(winners.map((seat) => names[seat] ?? ''))} ${winners.length === 1 ? 'wins' : 'share the win'}!`
}

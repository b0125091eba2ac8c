// Where scores lie on the race track.

export interface Scale {
  low: number
  high: number
  /** Scores that have a line across the track. */
  ticks: number[]
}

/** A track from the start, or from behind it, to the target, or beyond, with lines at round scores. */
export function scaleOf(scores: readonly number[], target: number): Scale {
  const step = stepOf(target)
  const low = Math.min(0, ...scores)
  const high = Math.max(target, ...scores)
  const ticks: number[] = []
  for (let at = Math.ceil(low / step) * step; at < target; at += step) ticks.push(at + 0) // no minus zero
  // A line that would touch the finish is left out.
  if (ticks.length > 1 && target - (ticks.at(-1) ?? 0) < step / 2) ticks.pop()
  return { low, high, ticks: [...ticks, target] }
}

/** A round number that goes three to six times into the target. */
function stepOf(target: number): number {
  const power = 10 ** Math.floor(Math.log10(target / 3))
  return [5, 2, 1].map((times) => times * power).find((step) => target / step >= 3) ?? power
}

/** How far along the track a score is, in percent. */
export function placeOf(score: number, { low, high }: Scale): number {
  return (100 * (score - low)) / (high - low)
}

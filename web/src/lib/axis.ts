// What charts share: from values to places, and which values an axis names.

/** From a value to its place, in a straight line. */
export type Scaled = (value: number) => number

export function scaled(low: number, high: number, from: number, to: number): Scaled {
  const span = high - low || 1
  return (value) => from + ((value - low) / span) * (to - from)
}

/** Round values from about `low` to about `high`, about so many: steps of 1, 2 or 5 with any number of noughts. */
export function ticks(low: number, high: number, count = 4): number[] {
  const span = high - low
  if (!(span > 0)) return [low]
  const rough = span / count
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map((times) => times * power).find((each) => each >= rough) ?? 10 * power
  const first = Math.ceil(low / step - 1e-9)
  const last = Math.floor(high / step + 1e-9)
  return Array.from({ length: last - first + 1 }, (_, at) => Number(((first + at) * step).toPrecision(12)))
}

/** The range of some values, with a little room, and with all of `others` in it. */
export function range(values: readonly number[], others: readonly number[] = []): { low: number; high: number } {
  const all = [...values, ...others].filter(Number.isFinite)
  if (!all.length) return { low: 0, high: 1 }
  const [low, high] = [Math.min(...all), Math.max(...all)]
  const room = (high - low || Math.abs(high) || 1) * 0.06
  return { low: others.includes(low) ? low : low - room, high: others.includes(high) ? high : high + room }
}

/** A day, as briefly as it can be told. */
export function dayText(milliseconds: number): string {
  return new Date(milliseconds).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })
}

/** Days that an axis of time names: its two ends, and with room what lies between. */
export function dayTicks(first: number, last: number, count: number): { at: number; text: string }[] {
  const years = new Date(first).getFullYear() !== new Date(last).getFullYear()
  const text = (at: number) => new Date(at).toLocaleDateString('en-GB', years ? { month: 'short', year: 'numeric' } : { day: 'numeric', month: 'short' })
  const several = first === last ? [first] : Array.from({ length: count }, (_, at) => first + ((last - first) * at) / (count - 1))
  return several.map((at) => ({ at, text: text(at) })).filter((tick, at, all) => tick.text !== all[at - 1]?.text)
}

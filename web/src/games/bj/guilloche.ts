// The fine lines of banknotes: bundles of waves, and rosettes.

const round = (value: number) => Math.round(value * 100) / 100

function path(points: readonly (readonly [number, number])[]): string {
  return points.map(([x, y], at) => `${at ? 'L' : 'M'}${round(x)} ${round(y)}`).join('')
}

/** So many waves across a field, each a little out of step with the one before. */
export function waves(width: number, height: number, lines: number, periods: number): string {
  const steps = Math.max(8, Math.round(periods * 16))
  return Array.from({ length: lines }, (_, line) => {
    const phase = (line / lines) * 2 * Math.PI
    const points = Array.from({ length: steps + 1 }, (_, step): [number, number] => {
      const along = step / steps
      const swell = 0.55 + 0.45 * Math.sin(along * 2 * Math.PI + 0.6)
      return [along * width, height / 2 + Math.sin(along * periods * 2 * Math.PI + phase) * (height / 2) * swell]
    })
    return path(points)
  }).join('')
}

/** A rosette: closed curves with so many petals, one inside the other. */
export function rosette(x: number, y: number, radius: number, petals: number, curves: number): string {
  const steps = petals * 12
  return Array.from({ length: curves }, (_, curve) => {
    const depth = 0.12 + (0.3 * curve) / curves
    const turn = (curve / curves) * (Math.PI / petals) * 2
    const points = Array.from({ length: steps }, (_, step): [number, number] => {
      const angle = (step / steps) * 2 * Math.PI
      const far = radius * (1 - depth / 2 + (depth / 2) * Math.cos(petals * angle + turn * petals))
      return [x + far * Math.cos(angle), y + far * Math.sin(angle)]
    })
    return `${path(points)}Z`
  }).join('')
}

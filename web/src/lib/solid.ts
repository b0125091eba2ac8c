// A die as a solid: how its sides stand when it is turned, which of them can be seen, and how much light falls on each.

type Vector = readonly [number, number, number]

/** Where the sides of a cube look, in the order of a die's sides: to the front, right, top, bottom, left and back. */
const NORMALS: readonly Vector[] = [
  [0, 0, 1],
  [1, 0, 0],
  [0, -1, 0],
  [0, 1, 0],
  [-1, 0, 0],
  [0, 0, -1],
]
/** Degrees, about x and then y, that bring each side to the front. */
export const TURNS: readonly (readonly [number, number])[] = [
  [0, 0],
  [0, -90],
  [-90, 0],
  [90, 0],
  [0, 90],
  [0, 180],
]
/** Degrees by which a die that lies there is turned, so that it shows its right and its lower side. */
export const TILT = [10, -8] as const
/** The light comes from above, from the left, and from where we are. */
const LIGHT: Vector = [-0.35, -0.55, 0.758]
/** How dark a side gets that has no light at all, from 0 to 1. */
const DARKEST = 0.42

function turnedX([x, y, z]: Vector, degrees: number): Vector {
  const [sin, cos] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)]
  return [x, y * cos - z * sin, y * sin + z * cos]
}

function turnedY([x, y, z]: Vector, degrees: number): Vector {
  const [sin, cos] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)]
  return [x * cos + z * sin, y, z * cos - x * sin]
}

/** Where a side looks on a cube that is turned so, and lies there. */
function normal(side: number, x: number, y: number): Vector {
  const upright = turnedX(turnedY(NORMALS[side] ?? [0, 0, 1], y), x)
  return turnedX(turnedY(upright, TILT[1]), TILT[0])
}

/** How each side is turned to its place on a cube that shows its front, as in Die.svelte. */
const SIDES: readonly (readonly ['x' | 'y', number])[] = [
  ['y', 0],
  ['y', 90],
  ['x', 90],
  ['x', -90],
  ['y', -90],
  ['y', 180],
]

/** Where a side of 100 by 100 comes to lie on a cube that is turned so, seen from far away: the numbers of an SVG's `matrix`. */
export function place(side: number, x: number, y: number, size = 1): number[] {
  const [axis, degrees] = SIDES[side] ?? ['y', 0]
  const lies = (corner: Vector): Vector => {
    const there = axis === 'x' ? turnedX(corner, degrees) : turnedY(corner, degrees)
    return turnedX(turnedY(turnedX(turnedY(there, y), x), TILT[1]), TILT[0])
  }
  const [right, down, middle] = [lies([1, 0, 0]), lies([0, 1, 0]), lies([0, 0, 50])]
  const scale = 0.92 * size
  const [a, b, c, d] = [right[0], right[1], down[0], down[1]].map((part) => part * scale) as [number, number, number, number]
  return [a, b, c, d, 50 + scale * middle[0] - 50 * (a + c), 50 + scale * middle[1] - 50 * (b + d)]
}

/** The transform that turns a cube so. */
export function turned(x: number, y: number): string {
  return `rotateX(${TILT[0]}deg) rotateY(${TILT[1]}deg) rotateX(${x}deg) rotateY(${y}deg)`
}

/** Whether a side can be seen on a cube that is turned so. */
export function visible(side: number, x: number, y: number): boolean {
  return normal(side, x, y)[2] > 0.01
}

/** How dark a side is on a cube that is turned so: 0 for one that faces the light. */
export function shade(side: number, x: number, y: number): number {
  const towards = normal(side, x, y).reduce((sum, part, at) => sum + part * (LIGHT[at] ?? 0), 0)
  return Math.min(DARKEST, Math.max(0, DARKEST * (0.93 - towards)))
}

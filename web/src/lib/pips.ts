// Where the pips of a number are, on a face of 100 by 100.

const [A, M, Z] = [26, 50, 74]

// prettier-ignore
export const PIPS: Record<string, readonly (readonly [number, number])[]> = {
  '1': [[M, M]],
  '2': [[A, A], [Z, Z]],
  '3': [[A, A], [M, M], [Z, Z]],
  '4': [[A, A], [Z, A], [A, Z], [Z, Z]],
  '5': [[A, A], [Z, A], [M, M], [A, Z], [Z, Z]],
  '6': [[A, A], [Z, A], [A, M], [Z, M], [A, Z], [Z, Z]],
}

/** Discs at the places of a number's pips, as one path, so much larger or smaller and shifted so far to the lower right. */
export function discs(face: string, radius: number, shift = 0): string {
  return (PIPS[face] ?? [])
    .map(([x, y]) => `M${x + 0.6 * shift - radius} ${y + shift}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0`)
    .join('')
}

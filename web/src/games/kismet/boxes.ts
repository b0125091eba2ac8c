// The sheet as it is printed: the boxes in their order with what each asks for, and the steps of the bonus. Texts only;
// what a roll scores, and whether a box may be filled, the server says.

export interface Box {
  /** The box in notation: `score four-of-a-kind`. */
  word: string
  title: string
  /** What fits, and what it counts. */
  hint: string
  /** Of a basic box, the face that it collects. */
  face?: string
}

export const BASIC: readonly Box[] = [
  { word: 'aces', title: 'Aces', hint: 'sum of ones', face: '1' },
  { word: 'deuces', title: 'Deuces', hint: 'sum of twos', face: '2' },
  { word: 'treys', title: 'Treys', hint: 'sum of threes', face: '3' },
  { word: 'fours', title: 'Fours', hint: 'sum of fours', face: '4' },
  { word: 'fives', title: 'Fives', hint: 'sum of fives', face: '5' },
  { word: 'sixes', title: 'Sixes', hint: 'sum of sixes', face: '6' },
]

export const SPECIAL: readonly Box[] = [
  { word: 'two-pair', title: 'Two Pair Same Color', hint: 'sum' },
  { word: 'three-of-a-kind', title: 'Three of a Kind', hint: 'sum' },
  { word: 'straight', title: 'Straight', hint: 'five in a row: 30' },
  { word: 'flush', title: 'Flush', hint: 'one colour: 35' },
  { word: 'full-house', title: 'Full House', hint: 'sum + 15' },
  { word: 'full-house-same-color', title: 'Full House Same Color', hint: 'sum + 20' },
  { word: 'four-of-a-kind', title: 'Four of a Kind', hint: 'sum + 25' },
  { word: 'yarborough', title: 'Yarborough', hint: 'any dice: sum' },
  { word: 'kismet', title: 'Kismet', hint: 'five alike: sum + 50' },
]

export const BOXES: readonly Box[] = [...BASIC, ...SPECIAL]

/** The printed steps of the bonus: from so many points in the basic boxes, so much. */
export const STEPS = [
  { from: 63, bonus: 35 },
  { from: 71, bonus: 55 },
  { from: 78, bonus: 75 },
] as const

/** What stands in some boxes of a sheet, added up; -1 is a vacant box. */
export function sumOf(entries: readonly number[]): number {
  return entries.reduce((sum, entry) => sum + Math.max(0, entry), 0)
}

/** Where a sum stands on the ladder, from 0 to 1. The way up to the first step takes 0.58 of it. */
export function heightOf(sum: number): number {
  const marks = [
    [0, 0],
    [63, 0.58],
    [71, 0.76],
    [78, 0.94],
    [90, 1],
  ] as const
  for (const [at, [to, high]] of marks.entries()) {
    const [from, low] = marks[at - 1] ?? [0, 0]
    if (sum <= to) return to === from ? high : low + ((high - low) * (sum - from)) / (to - from)
  }
  return 1
}

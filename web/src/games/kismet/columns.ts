// Whose columns of the sheet there is room for.

/** The least that the boxes' names, the column that is played in, and each other column take. */
export const WIDTHS = { name: 140, turn: 74, other: 36 } as const
/** From this on, all columns are equally wide, and nothing moves from turn to turn. */
const EVEN = 64

/** What the longest name takes. */
const WIDE_NAME = 180
/** From this on, there is room to spare for the boxes' names. */
const ROOMY = 420

export interface Columns {
  seats: number[]
  /** Whether there is room for one other sheet only, and somebody has to choose which. */
  choosing: boolean
  name: number
  /** Whether the boxes' names and hints stand on one line. */
  roomy: boolean
  turn: number
  other: number
}

export function columnsFor(width: number, players: number, turn: number, looked: number): Columns {
  const columns = fitted(width, players, turn, looked)
  return { ...columns, roomy: columns.name >= 236 }
}

function fitted(width: number, players: number, turn: number, looked: number): Omit<Columns, 'roomy'> {
  const others = players - 1
  const name = width >= ROOMY ? 264 : WIDTHS.name
  const even = Math.floor((width - name) / players)
  if (!width || even >= EVEN) {
    const column = Math.min(even, 112, Math.max(EVEN, Math.floor((width - WIDE_NAME) / players)))
    return { seats: [...Array(players).keys()], choosing: false, name: width - column * players, turn: column, other: column }
  }
  const other = Math.floor((width - name - WIDTHS.turn) / Math.max(1, others))
  if (other >= WIDTHS.other) {
    const column = Math.min(other, 62)
    return { seats: [...Array(players).keys()], choosing: false, name: width - WIDTHS.turn - column * others, turn: WIDTHS.turn, other: column }
  }
  return { seats: [turn, looked], choosing: true, name: width - WIDTHS.turn - 64, turn: WIDTHS.turn, other: 64 }
}

/** Whose sheet is shown beside the one that is played in: the chosen one, else one's own, else the next player's. */
export function lookedAt(chosen: number | null, mine: readonly number[], turn: number, players: number): number {
  if (chosen !== null && chosen !== turn && chosen < players) return chosen
  const own = mine.length === 1 ? mine[0] : undefined
  return own !== undefined && own !== turn ? own : (turn + 1) % players
}

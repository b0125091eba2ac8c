// Whose columns of the sheet there is room for, in each of its two sections. All widths are for text of the usual size.

/** The least that the boxes' names, the column that is played in, and each other column take. */
export const WIDTHS = { name: 88, turn: 44, other: 24 } as const
/** What the only other column takes, with a sign that there are more. */
const CHOSEN = 36
/** What the names take with a word on what a box counts. */
const ROOMY = 132
/** A column is no wider than this share of a section. */
const SHARE = 0.22

export interface Columns {
  seats: number[]
  /** Whether there is room for one other sheet only, and somebody has to choose which. */
  choosing: boolean
  name: number
  /** Whether there is room to say what a box counts. */
  roomy: boolean
  turn: number
  other: number
}

export function columnsFor(width: number, players: number, turn: number, looked: number): Columns {
  const columns = fitted(width, players, turn, looked)
  const name = width - columns.turn - columns.other * (columns.seats.length - 1)
  return { ...columns, name, roomy: name >= ROOMY }
}

function fitted(width: number, players: number, turn: number, looked: number): Omit<Columns, 'roomy' | 'name'> {
  const others = players - 1
  const seats = [...Array(players).keys()]
  const even = Math.floor((width - WIDTHS.name) / players)
  if (!width || !others || even >= WIDTHS.turn) {
    // Equally wide, so that nothing moves from turn to turn.
    const column = Math.max(WIDTHS.turn, Math.min(Math.floor((width - ROOMY) / players), Math.floor(width * SHARE)))
    return { seats, choosing: false, turn: column, other: column }
  }
  const other = Math.floor((width - WIDTHS.name - WIDTHS.turn) / others)
  if (other >= WIDTHS.other) return { seats, choosing: false, turn: WIDTHS.turn, other }
  return { seats: [turn, looked], choosing: true, turn: WIDTHS.turn, other: CHOSEN }
}

/** Whose sheet is shown beside the one that is played in: the chosen one, else one's own, else the next player's. */
export function lookedAt(chosen: number | null, mine: readonly number[], turn: number, players: number): number {
  if (chosen !== null && chosen !== turn && chosen < players) return chosen
  const own = mine.length === 1 ? mine[0] : undefined
  return own !== undefined && own !== turn ? own : (turn + 1) % players
}

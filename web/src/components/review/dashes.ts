/** How the lines of players are dashed, by seat, so that they differ without their colours. */
export const DASHES = [undefined, '7 4', '2 3', '12 4 2 4', '5 2', '9 3 2 3 2 3', '1 4', '14 6'] as const

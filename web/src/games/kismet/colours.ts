// How the dice are painted: the colour of the pips on each face.
export const COLOURS: Record<string, 'black' | 'red' | 'green'> = { '1': 'black', '6': 'black', '2': 'red', '5': 'red', '3': 'green', '4': 'green' }

// The lines of a figure in a game's rules: “Full House: [2] [2] [6] [6] [6] = 37”. The label and what follows the equals sign can be left out;
// dice that count stand in brackets.

export interface FigureDie {
  /** As it is typed. */
  face: string
  counts: boolean
}

export interface FigureLine {
  label: string
  dice: FigureDie[]
  caption: string
}

const LINE = /^(?:([^:=[\]]+): )?([^=]*?)(?: = (.*))?$/

export function figureLine(text: string): FigureLine {
  const [, label = '', dice = '', caption = ''] = LINE.exec(text.trim()) ?? []
  return {
    label,
    dice: dice
      .split(' ')
      .filter(Boolean)
      .map((die) => ({ face: die.replace(/^\[|\]$/g, ''), counts: die.startsWith('[') })),
    caption,
  }
}

// The lines of a figure with sections of a board: “3 open = One more 3 closes it.”
const STATES = ['empty', 'open', 'closed']

export interface SectionLine {
  number: number
  /** 0 empty, 1 open, 2 closed. */
  is: number
  title: string
  says: string
}

export function sectionLine(line: string): SectionLine {
  const [section = '', says = ''] = line.split(' = ')
  const [number = '', is = ''] = section.split(' ')
  return { number: Number(number), is: STATES.indexOf(is), title: is, says }
}

// Small matters of wording.

/**
 * A text of the server with the players' names put in for {0}, {1}, … Where it has words for others and for whoever sits
 * there, as in {0|You} {0:rolls|roll}, the seat `you` gets its own.
 */
export function named(text: string, names: readonly string[], you = -1): string {
  return text.replace(/\{(\d+)(?::([^{}|]*))?(?:\|([^{}]*))?\}/g, (whole, seat: string, others: string | undefined, own: string | undefined) => {
    if (Number(seat) === you && own !== undefined) return own
    return others ?? names[Number(seat)] ?? whole
  })
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}

const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six']

/** A small number as a word. */
export function numberWord(count: number): string {
  return NUMBERS[count] ?? `${count}`
}

export function listed(parts: readonly string[], word = 'and'): string {
  if (parts.length < 2) return parts.join('')
  return `${parts.slice(0, -1).join(', ')} ${word} ${parts.at(-1)}`
}

/** 1234 as 1,234; a minus that is as wide as a plus. */
export function figure(value: number): string {
  return value.toLocaleString('en-GB').replace('-', '−')
}

/** A change, always with its sign. */
export function signed(value: number): string {
  return value > 0 ? `+${figure(value)}` : figure(value)
}

/** 95 seconds as 1:35. */
export function clockTime(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/**
 * A sentence in pieces, of which every second one is one of the given numbers, to be set in bold. Each is so where it is said last: what
 * comes of the dice is told after them, and a die may show the same.
 */
export function emphasised(sentence: string, numbers: readonly number[]): string[] {
  if (!numbers.length) return [sentence]
  const figures = new Set(numbers).values()
  const either = [...figures].map((number) => figure(number)).join('|')
  const whole = (number: string) => `(?<![\\d,])${number}(?![\\d,]*\\d)`
  return sentence.split(new RegExp(`${whole(`(${either})`)}(?!.*${whole('\\1')})`))
}

// What the rules fix comes with the facts: none of it stands in these files.
import { describe, expect, it } from 'vitest'

const SOURCES = Object.entries(import.meta.glob<string>(['./*.{ts,svelte}', '!./*.test.ts', '!./schema.ts'], { eager: true, query: '?raw', import: 'default' }))

/** How many dice, rolls, sections, chips and points there are, as somebody would write it. */
const NUMBERS = [
  /(?<![.\d])55\b/,
  /\b(all|of|to|with|roll) (3|5|6|three|five|six)\b/i,
  /\b(three|five|six) (dice|rolls|sections)\b/i,
  /\b[1-6] (points?|for the most chips)\b/,
  /\[1, 2, 3, 4, 5\]/,
  /repeat\(\d/,
  /colspan="\d/,
  /\blength: \d/,
  /\b[A-Z]{4,} = [356]$/m,
]

describe('the numbers of the rules', () => {
  it.each(SOURCES)('do not stand in %s', (_, source) => {
    const code = source.replace(/<!--[\s\S]*?-->|\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '')
    for (const number of NUMBERS) expect(code).not.toMatch(number)
  })

  it('would be noticed if they did', () => {
    const old = ["'all six'", 'Roll 2 of 3', '2 points for that', '1 for the most chips', 'const ROLLS = 3', 'SECTIONS = [1, 2, 3, 4, 5]', 'repeat(5, 44px)']
    for (const line of old) expect(NUMBERS.some((number) => number.test(line))).toBe(true)
  })
})

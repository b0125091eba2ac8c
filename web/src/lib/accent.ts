// The colour that marks a game is on its card; what goes with it (text on it, text in it, a tint) comes from the game's folder or is
// made here, so that any accent can be read.
import { browserGame, type Shades } from './games'
import type { GameCard } from './types'

type Colour = readonly [number, number, number]

/** What accents stand on, as in app.css. */
const PAGES = {
  light: { ink: '#26211a', surface: '#fffdf8', paper: '#f5f0e6' },
  dark: { ink: '#f3eee4', surface: '#1c222a', paper: '#13171c' },
}
const [WHITE, BLACK] = ['#ffffff', '#000000']
const ENOUGH = 4.6 // a little more than the 4.5 to 1 that small text needs

/** The attributes that give an element, and all in it, the accent of a game; none as long as the game is not known. */
export function accented(card: GameCard | null | undefined): { 'data-accent'?: string; style?: string } {
  if (!card) return {}
  const tokens = (['light', 'dark'] as const).flatMap((page) => {
    const accent = card.accent[page]
    const { on, ink, soft } = browserGame(card.name).shades?.[page] ?? shadesOf(accent, page)
    return [`--${page}: ${accent}`, `--${page}-on: ${on}`, `--${page}-ink: ${ink}`, `--${page}-soft: ${soft}`]
  })
  return { 'data-accent': card.name, style: tokens.join('; ') }
}

/** What goes with an accent on light or on dark pages. */
export function shadesOf(accent: string, page: 'light' | 'dark'): Shades {
  const { ink, surface, paper } = PAGES[page]
  const on = contrast(accent, WHITE) >= contrast(accent, BLACK) ? WHITE : BLACK
  const soft = mixed(surface, accent, 0.14)
  for (let share = 0; ; share += 0.05) {
    const text = mixed(accent, ink, Math.min(1, share))
    if (share >= 1 || [surface, paper, soft].every((under) => contrast(text, under) >= ENOUGH)) return { on, ink: text, soft }
  }
}

/** How much two colours differ in lightness, from 1 to 21, as WCAG has it. */
export function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

function luminance(colour: string): number {
  const [red, green, blue] = parsed(colour).map((part) => {
    const value = part / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** A colour so far on the way to another. */
export function mixed(from: string, to: string, share: number): string {
  const [start, end] = [parsed(from), parsed(to)]
  const parts = start.map((part, at) => Math.round(part + ((end[at] ?? 0) - part) * share))
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

function parsed(colour: string): Colour {
  const number = Number.parseInt(colour.slice(1), 16)
  return [number >> 16, (number >> 8) & 255, number & 255]
}

// The figures of the games' rules as SVGs, one for each line, for pages outside the app. Their words stay words there.
import { mixed } from '../lib/accent'
import { lookOf, type DieLook } from '../lib/dice'
import { figureLine, type FigureDie } from '../lib/figures'
import { browserGame } from '../lib/games'
import { blocksOf } from '../lib/markdown'
import { DIE, dieOf, drawnBy, noParts, type Parts } from './die'
import { DARK, LIGHT, resolved, type Tokens } from './tokens'

/** What else than dice a line can show: `pieces.ts` in a game's folder names what draws it, by the figure's name. */
export interface Piece {
  /** As Svelte's server renders it: an SVG of that width and height. */
  html: { head: string; body: string }
  width: number
  height: number
}

const rules = import.meta.glob<string>('../../../src/hotdice/games/*/rules.md', { query: '?raw', import: 'default', eager: true })
const pieces = import.meta.glob<Record<string, (line: string) => Piece>>('../games/*/pieces.ts', { import: 'default', eager: true })

const SIZE = 38
const FRAME = 4
const GAP = 2

/** The SVGs of all figures in the rules, by the names of their files: the game's, and the number of the line. */
export function drawings(): Map<string, string> {
  const found = new Map<string, string>()
  for (const [path, text] of Object.entries(rules)) {
    const game = path.split('/').at(-2) ?? ''
    const figures = blocksOf(text).filter((block) => block.kind === 'figure')
    const lines = figures.flatMap(({ name, lines: each }) => each.map((line) => ({ name, line })))
    for (const [at, { name, line }] of lines.entries()) found.set(`${game}-${String(at + 1).padStart(2, '0')}.svg`, drawn(game, name, line))
  }
  return found
}

/** A line of a figure: its dice, or its piece. */
function drawn(game: string, figure: string, line: string): string {
  const { dice = [], shades } = browserGame(game)
  const parts = noParts()
  const piece = pieces[`../games/${game}/pieces.ts`]?.[figure]?.(line)
  const tokens = (['light', 'dark'] as const).map((page): Tokens => {
    const { ink = '', soft = '' } = shades?.[page] ?? {}
    const own = page === 'light' ? LIGHT : DARK
    return { ...own, '--accent': ink, '--accent-ink': ink, '--accent-soft': soft, '--on-accent': own['--surface'] ?? '' }
  })
  return piece ? pieceAlone(piece, tokens, parts) : row(dice, figureLine(line).dice, tokens, parts)
}

function row(looks: readonly DieLook[], dice: readonly FigureDie[], tokens: readonly Tokens[], parts: Parts): string {
  const cell = SIZE + 2 * FRAME
  const drawnDice = dice.map(({ face, counts }, at) => {
    const look = lookOf(looks, face)
    const x = at * (cell + GAP)
    const frame = counts ? `<rect class="counts" x="${x + 1}" y="1" width="${cell - 2}" height="${cell - 2}" rx="9"/>` : ''
    // Dice are the same on light and dark pages, as ivory is.
    const die = dieOf(look, face, Math.max(0, looks.indexOf(look)), LIGHT, parts)
    return `${frame}<g transform="translate(${x + FRAME} ${FRAME}) scale(${SIZE / DIE})">${die}</g>`
  })
  // Halfway between the accents of light and dark pages, to be seen on both: a page may be dark where the system is not.
  const [light = '', dark = ''] = tokens.map((own) => own['--accent-ink'] ?? '')
  parts.styles.add(`.counts { fill: none; stroke: ${mixed(light, dark, 0.5)}; stroke-width: 2; }`)
  return svg(dice.length * (cell + GAP) - GAP, cell, drawnDice.join('\n'), parts)
}

function pieceAlone({ html, width, height }: Piece, tokens: readonly Tokens[], parts: Parts): string {
  const { inside, style } = drawnBy(html)
  const styles = tokens.map((own) => `.plate { fill: ${own['--surface'] ?? ''}; stroke: ${own['--line'] ?? ''}; }\n${resolved(style, own)}`)
  const plate = `<rect class="plate" x="0.5" y="0.5" width="${width + 15}" height="${height + 15}" rx="10"/>`
  return svg(width + 16, height + 16, `${plate}\n<g transform="translate(8 8)">${inside}</g>`, parts, styles)
}

/** A drawing with styles for light pages and for dark ones. */
function svg(width: number, height: number, inside: string, { defs, styles }: Parts, [light = '', dark = '']: readonly string[] = []): string {
  const style = [...styles, ...(light ? [light] : []), ...(dark === light ? [] : [`@media (prefers-color-scheme: dark) {\n${dark}\n}`])].join('\n')
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif">`,
    `<style>\n${style}\n</style>`,
    `<defs>\n${[...defs.values()].join('\n')}\n</defs>`,
    inside,
    '</svg>\n',
  ].join('\n')
}

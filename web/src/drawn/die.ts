// A die as the boards show it, as an SVG: the sides of its cube that can be seen, each lit by how it is turned. The components that
// draw faces are the app's own.
import { render } from 'svelte/server'

import { mixed } from '../lib/accent'
import { cubeOf, type DieLook } from '../lib/dice'
import { place, shade, TURNS, visible } from '../lib/solid'
import { resolved, type Tokens } from './tokens'

const digits = (value: number) => String(Math.round(value * 1000) / 1000)

/** How large a die is that `dieOf` draws. */
export const DIE = 100

/** Of the edge, what is left of the core: as in Die.svelte. */
const CORE = 0.928
const ROUND = 12
/** A circle at 36, 32 that reaches the farthest corner, and the stops of Die.svelte, the last of which lies beyond it. */
const [REACH, LAST] = [93.4, 1.12]

/** What has to be defined once for the pieces of a drawing. */
export interface Parts {
  defs: Map<string, string>
  styles: Set<string>
}

export const noParts = (): Parts => ({ defs: new Map(), styles: new Set() })

/** What a component draws on a server: its SVG as a group, and the rules of its style. */
export function drawnBy(html: { head: string; body: string }): { inside: string; style: string } {
  const inside = html.body
    .replace(/<!--.*?-->/gs, '')
    .trim()
    .replace(/^<svg([^>]*)>/, (_, attributes: string) => `<g${attributes.replace(/ (?:viewBox|class|aria-hidden)="[^"]*"/g, '')}>`)
    .replace(/<\/svg>$/, '</g>')
    .replace(/<(\w+)([^<>]*[^/])><\/\1>/g, '<$1$2/>')
    .replace(/-?\d+\.\d{3,}/g, (number) => digits(Number(number)))
  const style = [...html.head.matchAll(/<style[^>]*>(.*?)<\/style>/gs)].map(([, rules = '']) => rules.replace(/\s+/g, ' ').trim()).join('\n')
  return { inside, style }
}

/** The colours on a look's sides; ivory if it has none of its own. */
function surfaceOf(look: DieLook, tokens: Tokens): readonly [string, string, string] {
  return look.surface ?? ['#fffef8', tokens['--ivory'] ?? '', tokens['--ivory-edge'] ?? '']
}

/** A look's own values, by which faces are drawn, as in Die.svelte. */
function ownTokens(look: DieLook, tokens: Tokens): Tokens {
  return look.surface ? { ...tokens, '--pip-edge': 'rgb(0 0 0 / 0.28)', '--pip-floor': 'rgb(30 20 50 / 0.09)' } : tokens
}

/** A die that shows a face, from its upper left corner. What it is made of goes to `parts`. */
export function dieOf(look: DieLook, face: string, kind: number, tokens: Tokens, parts: Parts): string {
  const sides = cubeOf(look, face)
  const id = `d${kind}-${sides.indexOf(face)}`
  if (parts.defs.has(id)) return `<use href="#${id}"/>`
  const front = Math.max(0, sides.indexOf(face))
  const [x, y] = TURNS[front] ?? [0, 0]
  const [lit, body, shaded] = surfaceOf(look, tokens)
  const rim = look.surface ? 'rgb(255 255 255 / 0.12)' : 'rgb(120 100 60 / 0.2)'
  const gloom = look.surface ? '#0c0812' : '#4a300c'
  const ink = look.surface ? '#fff' : (tokens['--pip'] ?? '')
  parts.defs.set(
    `glow${kind}`,
    `<radialGradient id="glow${kind}" gradientUnits="userSpaceOnUse" cx="36" cy="32" r="${digits(REACH * LAST)}">` +
      `<stop stop-color="${lit}"/><stop offset="${digits(0.66 / LAST)}" stop-color="${body}"/><stop offset="1" stop-color="${shaded}"/></radialGradient>`,
  )
  parts.defs.set(
    `side${kind}`,
    `<g id="side${kind}"><rect width="100" height="100" rx="${ROUND}" fill="url(#glow${kind})"/>` +
      `<rect x="1.2" y="1.2" width="97.6" height="97.6" rx="${ROUND - 1}" fill="none" stroke="${rim}" stroke-width="2.4"/></g>`,
  )
  const drawn = [`<rect x="8" y="15" width="93" height="88" rx="16" opacity="0.2"/>`]
  const seen = sides.map((shown, at) => ({ shown, at })).filter(({ at }) => visible(at, x, y))
  const matrix = (at: number, size: number) => place(at, x, y, size).map(digits).join(' ')
  const core = mixed(shaded, '#1d1408', 0.2)
  for (const { at } of seen) drawn.push(`<path d="M0 0H100V100H0z" fill="${core}" transform="matrix(${matrix(at, CORE)})"/>`)
  for (const { shown, at } of seen) {
    const name = `f${kind}-${sides.indexOf(shown)}`
    if (!parts.defs.has(name)) {
      const { inside, style } = drawnBy(render(look.face, { props: { face: shown, name: look.name(shown) } }))
      parts.defs.set(name, `<g id="${name}">${resolved(inside, ownTokens(look, tokens))}</g>`)
      if (style) parts.styles.add(resolved(style, ownTokens(look, tokens)))
    }
    drawn.push(
      `<g transform="matrix(${matrix(at, 1)})"><use href="#side${kind}"/><use href="#${name}" fill="${ink}" color="${ink}"/>` +
        `<rect width="100" height="100" rx="${ROUND}" fill="${gloom}" opacity="${digits(shade(at, x, y))}"/></g>`,
    )
  }
  parts.defs.set(id, `<g id="${id}">${drawn.join('')}</g>`)
  return `<use href="#${id}"/>`
}

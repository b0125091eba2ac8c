// The values of the app's custom properties, so that drawings can leave its pages.
import css from '../app.css?raw'

export type Tokens = Readonly<Record<string, string>>

function tokensOf(selector: string): Tokens {
  const start = css.indexOf(`${selector} {`)
  const body = css.slice(start, css.indexOf('\n}', start))
  return Object.fromEntries([...body.matchAll(/^\s*(--[\w-]+):\s*([^;]+);/gm)].map(([, name = '', value = '']) => [name, value]))
}

export const LIGHT = tokensOf(':root')
export const DARK: Tokens = { ...LIGHT, ...tokensOf(":root[data-theme='dark']") }

/** Text of a style with values in the place of custom properties. */
export function resolved(text: string, tokens: Tokens): string {
  return text.replace(/var\((--[\w-]+)(?:,\s*((?:[^()]|\([^()]*\))*))?\)/g, (whole, name: string, fallback?: string) => tokens[name] ?? fallback ?? whole)
}

// The browser holds no rule: what a game's rules fix comes as facts with the welcome, what a move does as its effect. Nobody takes a
// sentence apart to find out.
import { describe, expect, it } from 'vitest'

const SOURCES = Object.entries(import.meta.glob<string>('../**/*.{ts,svelte}', { eager: true, query: '?raw', import: 'default' })).filter(
  ([path]) => !path.endsWith('.test.ts') && !path.endsWith('schema.ts'),
)

/** The script and the markup of a source, without comments and styles. */
function code(source: string): string {
  return source
    .replace(/<style>[\s\S]*<\/style>/, '')
    .replace(/<!--[\s\S]*?-->|\/\*[\s\S]*?\*\//g, '')
    .replace(/(^|\s)\/\/.*$/gm, '')
}

/** What is done with a sentence of the server that only somebody does who looks for facts in it. */
const TAKEN_APART =
  /\b(label|told|note|reason|prompt|settlement)\b(\([^()]*\))?[\s?.]*\.(match|matchAll|search|split|replace|replaceAll|indexOf|includes|startsWith|endsWith|slice|substring)\(/
const EXAMINED = /\/\.(exec|test)\([^()]*\b(label|told|note|reason|prompt|settlement)\b/

describe('the sentences of the server', () => {
  it.each(SOURCES)('are not taken apart in %s', (_, source) => {
    expect(code(source)).not.toMatch(TAKEN_APART)
    expect(code(source)).not.toMatch(EXAMINED)
  })

  it('would be noticed if they were', () => {
    expect("move.label.split('. ')[0]").toMatch(TAKEN_APART)
    expect('result.reason?.replace(/a/, b)').toMatch(TAKEN_APART)
    expect('/^(.*)$/.exec(standing.note)').toMatch(EXAMINED)
  })
})

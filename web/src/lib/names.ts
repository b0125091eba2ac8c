// Names: of people, as the server takes them, and of tables, as people type and read them.
import { listed } from './words'

export const LONGEST_NAME = 24
/** What people put between the halves of a code. */
const BETWEEN = /[\s\p{Pd}]/gu
const LETTERS = /^[2-9a-hjkmnp-z]{8}$/

/** A name with its spaces put right. */
export function tidy(name: string): string {
  return name.split(/\s+/u).filter(Boolean).join(' ')
}

/** Why this cannot be somebody's name, as a sentence; nothing if it can. `others` are the names of the others. */
export function nameTrouble(name: string, others: readonly string[] = []): string {
  const tidied = tidy(name)
  if (!tidied) return 'Write a name.'
  if (Array.from(tidied).length > LONGEST_NAME) return `A name has 1 to ${LONGEST_NAME} characters.`
  if (/[\p{C}\p{Z}]/u.test(tidied.replaceAll(' ', ''))) return 'This name has a character that cannot be shown; leave it out.'
  if (others.includes(tidied)) return `Somebody else is called ${tidied}; take another name.`
  return ''
}

/** The name of a table in what somebody typed or pasted: a code, with or without its hyphen, or a link. Nothing if there is none. */
export function tableIn(text: string): string {
  const link = /\/t\/([^/?#\s]+)/.exec(text)
  const name = (link?.[1] ?? text).replace(BETWEEN, '').toLowerCase()
  return LETTERS.test(name) ? name : ''
}

/** The part of a link that takes a seat over from another device; nothing if there is none. */
export function takeIn(text: string): string {
  return /#take=[\w-]+/.exec(text)?.[0] ?? ''
}

/** Why this cannot be a table's code, as a sentence. */
export function codeTrouble(text: string): string {
  if (tableIn(text)) return ''
  const typed = text.replace(BETWEEN, '')
  if (!typed) return 'Type the code of the table, or paste its link.'
  if (typed.includes('/')) return 'This link leads to no table; one of a table ends like /t/k3x9w7fm.'
  if (/^[0-9a-z]{8}$/i.test(typed)) return 'Codes never have 0, 1, I, L or O: look at it again.'
  return `A code has eight letters and digits, like k3x9-w7fm; this one has ${Array.from(typed).length}.`
}

/** A table's name as people read it. */
export function codeOf(table: string): string {
  return `${table.slice(0, 4)}-${table.slice(4)}`
}

/** “Ben”, “Ben and Eve”, “Ben, Eve and 3 others”: whom somebody plays with. */
export function company(names: readonly string[], most = 3): string {
  if (names.length <= most) return listed(names)
  return `${names.slice(0, most - 1).join(', ')} and ${names.length - most + 1} others`
}

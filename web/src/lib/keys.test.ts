import { afterEach, expect, test } from 'vitest'
import { shortcut } from './keys'
import { prefs } from './prefs.svelte'

function pressed(key: string, more: Partial<KeyboardEvent> = {}, inside: string | null = null): KeyboardEvent {
  const target = { closest: (wanted: string) => (inside && wanted.split(', ').includes(inside) ? target : null) }
  return { key, defaultPrevented: false, target, ...more } as unknown as KeyboardEvent
}

afterEach(() => (prefs.keys = true))

test('a key that is pressed alone is a shortcut', () => {
  expect(shortcut(pressed('r'))).toBe('r')
  expect(shortcut(pressed('r', { target: null }))).toBe('r')
})

test.each(['metaKey', 'ctrlKey', 'altKey', 'defaultPrevented', 'isComposing', 'repeat'] as const)('not with %s', (name) => {
  expect(shortcut(pressed('r', { [name]: true }))).toBe('')
})

test.each(['input', 'select', 'textarea', 'dialog'])('not in a %s', (name) => {
  expect(shortcut(pressed('r', {}, name))).toBe('')
})

test('not for somebody who switched them off, but for keys that type nothing', () => {
  prefs.keys = false
  expect(['r', '1', ' ', 'Escape'].map((key) => shortcut(pressed(key)))).toEqual(['', '', '', 'Escape'])
})

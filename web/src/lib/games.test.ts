import { expect, it } from 'vitest'

import { browserGame, FOLDER_NAMES, looksOf } from './games'
import type { GameCard } from './types'

const SOURCES = import.meta.glob<string>(['../**/*.{ts,svelte,css}', '!../games/**', '!../**/*.test.ts', '!./schema.ts'], {
  query: '?raw',
  import: 'default',
  eager: true,
})

it('finds the folders', () => {
  expect(FOLDER_NAMES.length).toBeGreaterThan(0)
  for (const name of FOLDER_NAMES) expect(browserGame(name).board).toBeDefined()
})

it('knows no game by name, outside its folder', () => {
  expect(Object.keys(SOURCES).length).toBeGreaterThan(50)
  const found = Object.entries(SOURCES).flatMap(([path, text]) =>
    FOLDER_NAMES.flatMap((name) => {
      const capital = name.charAt(0).toUpperCase() + name.slice(1)
      const named = new RegExp(`(?<![a-z])${name}(?![a-z])`, 'i').exec(text) ?? new RegExp(`${capital}[A-Z]`).exec(text)
      return named ? [`${path}: ${text.slice(named.index - 20, named.index + 30)}`] : []
    }),
  )
  expect(found).toEqual([])
})

it('draws the dice of a game without a folder as its card describes them', () => {
  const face = (code: number, text: string, name = text) => ({ code, text, name })
  const card = {
    name: 'unheard-of',
    dice: [
      { name: 'die', faces: [face(1, '1'), face(2, '2')] },
      { name: 'weather die', faces: [face(11, 's', 'sun'), face(12, 'r', 'rain'), face(13, 'w', 'wind')] },
    ],
  } as GameCard
  const looks = looksOf(card.name, card)
  expect(looks.map((look) => look.sides)).toEqual([
    ['1', '2'],
    ['s', 'r', 'w'],
  ])
  expect(looks[1]?.name('r')).toBe('rain')
  expect(looks[0]?.surface).not.toEqual(looks[1]?.surface)
  expect(looksOf(card.name, null)).toEqual([])
  expect(browserGame(card.name)).toEqual({})
})

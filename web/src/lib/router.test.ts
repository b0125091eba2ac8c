import { expect, it } from 'vitest'

import { placeOf } from './router.svelte'

it('knows its own addresses', () => {
  expect(placeOf('/')).toEqual({ page: 'home' })
  expect(placeOf('/new/kor')).toEqual({ page: 'new', game: 'kor' })
  expect(placeOf('/t/k3x9-w7fm')).toEqual({ page: 'table', table: 'k3x9-w7fm', game: 0 })
  expect(placeOf('/t/k3x9-w7fm/12')).toEqual({ page: 'table', table: 'k3x9-w7fm', game: 12 })
  expect(placeOf('/t/k3x9-w7fm/12/practice')).toEqual({ page: 'mistakes', table: 'k3x9-w7fm', game: 12 })
  expect(placeOf('/practice')).toEqual({ page: 'practice', set: '' })
  expect(placeOf('/practice/daily')).toEqual({ page: 'practice', set: 'daily' })
  expect(placeOf('/book')).toEqual({ page: 'book', name: '' })
  expect(placeOf('/book/J.%20Smith')).toEqual({ page: 'book', name: 'J. Smith' })
  expect(placeOf('/c/k3x9w7fm')).toEqual({ page: 'challenge', challenge: 'k3x9w7fm' })
  expect(placeOf('/daily')).toEqual({ page: 'challenge', challenge: 'today' })
  expect(placeOf('/challenge/')).toEqual({ page: 'challenges' })
  expect(placeOf('/rules/bj/')).toEqual({ page: 'rules', game: 'bj' })
})

it('knows what is not one', () => {
  for (const path of ['/t', '/t/a/b', '/t/a/0', '/t/a/1/2', '/new/kor/1', '/elsewhere', '/c', '/daily/1', '/c/a/b', '/new', '/%E0%A4%A'])
    expect(placeOf(path)).toEqual({ page: 'nowhere' })
})

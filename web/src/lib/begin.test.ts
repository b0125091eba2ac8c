import { beforeEach, expect, it, vi } from 'vitest'

import { api, Trouble } from './api'
import { begin, toBegin } from './begin'
import { kept } from './kept'
import type { TableMade, TableWish } from './types'

let number = 0
let time = 0

beforeEach(() => {
  const store = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => store.get(key) ?? null,
    setItem: (key: string, value: string) => store.set(key, value),
  })
  vi.spyOn(Date, 'now').mockImplementation(() => (time += 1))
  number = 0
  vi.spyOn(api, 'create').mockImplementation(({ seats, game }) => {
    number += 1
    const table = { name: `table${number}`, game, seats: seats.map((seat, index) => ({ ...seat, seat: index + 1 })) }
    return Promise.resolve({ table, tokens: [{ seat: 1, token: `token${number}` }] } as TableMade)
  })
})

const alone: TableWish = {
  game: 'pig',
  seats: [
    { kind: 'person', name: 'Ann' },
    { kind: 'bot', bot: 'greedy' },
  ],
}
const open: TableWish = { game: 'pig', seats: [{ kind: 'person', name: 'Ann' }, { kind: 'open' }] }

it('gives up the oldest games against bots when another one begins, and no others', async () => {
  const leave = vi.spyOn(api, 'leave').mockResolvedValue({} as never)
  for (const wish of [open, ...Array<TableWish>(7).fill(alone)]) await begin(wish)
  await vi.waitFor(() =>
    expect(leave.mock.calls).toEqual([
      ['table2', 'token2'],
      ['table3', 'token3'],
    ]),
  )
  const playing = kept.all().filter((entry) => entry.tokens.length)
  expect(playing.map((entry) => entry.table)).toEqual(['table8', 'table7', 'table6', 'table5', 'table4', 'table1'])
})

it('tries again later if the server does not answer', async () => {
  const leave = vi.spyOn(api, 'leave').mockRejectedValue(new Trouble('away', ''))
  for (let count = 0; count < 6; count += 1) await begin(alone)
  await vi.waitFor(() => expect(leave).toHaveBeenCalled())
  expect(kept.leftBehind().map((entry) => entry.table)).toEqual(['table1'])
})

it('begins a game with fair dice once its players are connected, and any other at once', async () => {
  const create = vi.spyOn(api, 'create')
  await begin({ ...alone, start: true })
  await begin({ ...alone, start: true, dice: 'manual' })
  await begin({ game: 'pig', seats: [{ kind: 'bot', bot: 'greedy' }], start: true })
  await begin(open)
  expect(create.mock.calls.slice(-4).map(([wish]) => Boolean(wish.start))).toEqual([false, true, true, false])
  expect([...toBegin]).toEqual(['table1'])
})

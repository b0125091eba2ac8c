import { afterEach, expect, test, vi } from 'vitest'

import { api, Trouble } from './api'

const AWAY = expect.objectContaining({ kind: 'away', message: expect.stringContaining('The server does not answer') as string }) as Trouble

/** The server answers like that from now on. */
function answers(...all: (Response | Error)[]): void {
  const fetch = vi.fn<() => Promise<Response>>()
  for (const each of all) {
    if (each instanceof Error) fetch.mockRejectedValueOnce(each)
    else fetch.mockResolvedValueOnce(each)
  }
  vi.stubGlobal('fetch', fetch)
}

/** An answer whose connection breaks in the middle. */
function cut(status = 200): Response {
  const body = new ReadableStream<Uint8Array>({
    start(stream) {
      stream.enqueue(new TextEncoder().encode('{"address": "http'))
      stream.error(new TypeError('Failed to fetch'))
    },
  })
  return new Response(body, { status })
}

afterEach(() => vi.unstubAllGlobals())

test('an answer', async () => {
  answers(Response.json({ address: 'http://192.168.1.7:8017' }), new Response('# KOR'))
  expect(await api.reach()).toEqual({ address: 'http://192.168.1.7:8017' })
  expect(await api.rules('kor')).toBe('# KOR')
})

test('a refusal, in the words of the server', async () => {
  answers(Response.json({ error: 'no_table', message: 'There is no table zzzz-zzzz.' }, { status: 404 }))
  const refused = await api.table('zzzz-zzzz').catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(Trouble)
  expect(refused).toMatchObject({ kind: 'no_table', message: 'There is no table zzzz-zzzz.', status: 404 })
})

test.each([
  ['is gone before it answers', new TypeError('Failed to fetch')],
  ['goes in the middle of its answer', cut()],
  ['goes in the middle of a refusal', cut(409)],
  ['is something else', new Response('<h1>Log in to this network</h1>')],
])('a server that %s', async (_, answer) => {
  answers(answer)
  await expect(api.reach()).rejects.toEqual(AWAY)
})

test('a refusal by something between here and the server', async () => {
  answers(new Response('<h1>502 Bad Gateway</h1>', { status: 502 }))
  await expect(api.tables()).rejects.toMatchObject({ kind: 'unknown', message: expect.stringContaining('does not answer') as string, status: 502 })
})

test('the games are asked for again after a failure, and once after that', async () => {
  answers(cut(), Response.json({ games: [], bots: ['casual'] }))
  await expect(api.games()).rejects.toEqual(AWAY)
  expect((await api.games()).bots).toEqual(['casual'])
  expect((await api.games()).bots).toEqual(['casual'])
  expect(fetch).toHaveBeenCalledTimes(2)
})

import { afterEach, expect, it, vi } from 'vitest'

import { stayAwake } from './awake'

class Page extends EventTarget {
  visibilityState = 'visible'

  show(state: string): void {
    this.visibilityState = state
    this.dispatchEvent(new Event('visibilitychange'))
  }
}

class Lock {
  released = false
  release(): Promise<void> {
    this.released = true
    return Promise.resolve()
  }
}

function browser() {
  const page = new Page()
  const locks: Lock[] = []
  vi.stubGlobal('document', page)
  vi.stubGlobal('navigator', { wakeLock: { request: () => Promise.resolve(locks[locks.push(new Lock()) - 1]) } })
  return { page, locks }
}

const soon = () => new Promise((resolve) => setTimeout(resolve))

afterEach(() => vi.unstubAllGlobals())

it('keeps the screen on, and again after the page was out of sight', async () => {
  const { page, locks } = browser()
  const done = stayAwake()
  await soon()
  expect(locks).toHaveLength(1)
  page.show('visible') // nothing new while it is held
  await soon()
  expect(locks).toHaveLength(1)
  locks[0]!.released = true // as browsers do with pages out of sight
  page.show('hidden')
  await soon()
  expect(locks).toHaveLength(1)
  page.show('visible')
  await soon()
  expect(locks).toHaveLength(2)
  done()
  expect(locks[1]!.released).toBe(true)
  page.show('visible')
  await soon()
  expect(locks).toHaveLength(2)
})

it('lets go of what is given too late', async () => {
  const { locks } = browser()
  stayAwake()()
  await soon()
  expect(locks[0]!.released).toBe(true)
})

it('does nothing where the browser has no such thing', () => {
  vi.stubGlobal('navigator', {})
  expect(() => stayAwake()()).not.toThrow()
})

import { describe, expect, it } from 'vitest'

import { SLIP, Watch } from './guard'

describe('what is under the pointer', () => {
  it('cannot be pressed while it is new there', () => {
    const watch = new Watch()
    watch.moved('roll')
    expect(watch.slips(0, false)).toBe(false)
    watch.changed('pass', 100)
    expect(watch.slips(SLIP, false)).toBe(true)
    expect(watch.slips(100 + SLIP, false)).toBe(false)
  })

  it('is meant if the pointer came to it', () => {
    const watch = new Watch()
    watch.changed('roll', 0)
    watch.moved('pass')
    expect(watch.slips(1, false)).toBe(false)
  })

  it('is new again if it means something else, and not if it was away for a while', () => {
    const watch = new Watch()
    watch.moved('roll')
    watch.changed('', 10)
    watch.changed('roll', 20)
    expect(watch.slips(21, false)).toBe(false)
    watch.changed('', 30)
    watch.changed('take 8', 40)
    expect(watch.slips(41, false)).toBe(true)
  })

  it('is pressed once by a double click, and again after a moment', () => {
    const watch = new Watch()
    watch.moved('roll')
    expect([0, 200, 400, SLIP].map((now) => watch.slips(now, now > 0))).toEqual([false, true, true, false])
  })
})

import { describe, expect, it } from 'vitest'

import { padAddress, sheetsNote } from './pads'

describe('the pad to print', () => {
  const asked = (address: string) => new URL(address, 'https://dice.example').searchParams

  it('has the house rules that differ, in the order of their names', () => {
    const address = padAddress('kor', { target: 3000, bank_roll: true }, 'letter')
    expect(address).toMatch(/^\/api\/games\/kor\/pad\.pdf\?/)
    expect(asked(address).get('options')).toBe('bank_roll=true,target=3000')
    expect(asked(address).get('paper')).toBe('letter')
  })

  it('names no house rules where the printed ones are played', () => {
    expect(asked(padAddress('kor', {}, 'a4')).has('options')).toBe(false)
  })

  it('keeps a name from another package within its address', () => {
    expect(padAddress('odd/game', {}, 'a4')).toMatch(/^\/api\/games\/odd%2Fgame\/pad/)
  })

  it('is printed twice where there are more players than columns', () => {
    expect(sheetsNote('kismet', 6)).toBe('')
    expect(sheetsNote('kismet', 7)).toBe('Print it twice: a sheet has room for six.')
    expect(sheetsNote('kor', 8)).toBe('')
  })
})

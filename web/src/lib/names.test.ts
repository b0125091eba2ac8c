import { describe, expect, it } from 'vitest'

import { codeOf, codeTrouble, company, nameTrouble, tableIn, takeIn, tidy } from './names'

describe('names of people', () => {
  it('are tidied as the server wants them', () => {
    expect(tidy('  Grandma \t Rose ')).toBe('Grandma Rose')
  })

  it('are refused where the server would refuse them', () => {
    expect(nameTrouble('Ann')).toBe('')
    expect(nameTrouble('Zoë 🎲')).toBe('')
    expect(nameTrouble('   ')).toContain('Write')
    expect(nameTrouble('x'.repeat(24))).toBe('')
    expect(nameTrouble('x'.repeat(25))).toContain('24')
    expect(nameTrouble('𝒳'.repeat(24))).toBe('')
    expect(nameTrouble('An\u200bn')).toContain('cannot be shown')
    expect(nameTrouble('Ann', ['Ben'])).toBe('')
    expect(nameTrouble(' Ben', ['Ben'])).toContain('Ben')
  })

  it('are told in company', () => {
    expect(company(['Ben'])).toBe('Ben')
    expect(company(['Ben', 'Eve', 'Dev'])).toBe('Ben, Eve and Dev')
    expect(company(['Ben', 'Eve', 'Dev', 'Ann', 'Hugo'])).toBe('Ben, Eve and 3 others')
  })
})

describe('codes of tables', () => {
  it.each(['k3x9-w7fm', 'k3x9–w7fm', 'K3X9 W7FM', ' k3x9w7fm\n', 'http://192.168.1.5:8017/t/k3x9w7fm', 'https://dice.example/t/K3X9-W7FM?x=1'])(
    '%j is one',
    (text) => {
      expect(tableIn(text)).toBe('k3x9w7fm')
      expect(codeTrouble(text)).toBe('')
    },
  )

  it.each([
    ['', 'Type'],
    ['k3x9', 'has 4'],
    ['k3x9-w7f0', '0, 1'],
    ['https://dice.example/rules/kor', 'no table'],
  ])('%j is none', (text, why) => {
    expect(tableIn(text)).toBe('')
    expect(codeTrouble(text)).toContain(why)
  })

  it('are read in two halves', () => {
    expect(codeOf('k3x9w7fm')).toBe('k3x9-w7fm')
  })
})

it('finds the one-time code for a seat in a link', () => {
  expect(takeIn('http://dice.example/t/k3x9w7fm#take=h4kq2m')).toBe('#take=h4kq2m')
  expect(tableIn('http://dice.example/t/k3x9w7fm#take=h4kq2m')).toBe('k3x9w7fm')
  expect(takeIn('k3x9-w7fm')).toBe('')
})

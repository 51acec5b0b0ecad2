import { describe, expect, test } from 'vitest'
import { alignWords, parsePhones } from '../src/flite/alignment.js'
import { sayable } from '../src/flite/sayable.js'

const phones = (printed: string) => parsePhones(printed)

test('phones are read with the time at which each begins and ends', () => {
  expect(phones('pau:0.200 hh:0.300 ay:0.450 ')).toEqual([
    { name: 'pau', start: 0, end: 200 },
    { name: 'hh', start: 200, end: 300 },
    { name: 'ay', start: 300, end: 450 },
  ])
})

describe('words get their times', () => {
  test('where a pause stands, a word ends', () => {
    const said = phones('pau:0.164 hh:0.255 ax:0.304 l:0.412 ow:0.523 pau:0.6 dh:0.672 eh:0.764 r:0.817 pau:0.928')
    expect(alignWords('Hello, there!', ['hello', 'there'], said)).toEqual([
      { text: 'Hello,', start: 164, end: 523 },
      { text: 'there!', start: 600, end: 817 },
    ])
  })

  test('a number that is said in several words is one written word', () => {
    const said = phones('ey:0.1 t:0.2 t:0.3 w:0.4 eh:0.5 n:0.6 t:0.7 iy:0.8 f:0.9 ay:1.0 v:1.1')
    expect(alignWords('at 25', ['at', 'twenty', 'five'], said).map(({ text, end }) => [text, end])).toEqual([
      ['at', 200],
      ['25', 1_100],
    ])
  })

  test('signs that are not said have no time', () => {
    const said = phones('b:0.1 r:0.2 eh:0.3 d:0.4')
    expect(alignWords('bread —', ['bread', '-'], said).map(({ text }) => text)).toEqual(['bread'])
  })

  test('sound that cannot be the words gives no times rather than wrong ones', () => {
    expect(alignWords('one two three', ['one', 'two', 'three'], phones('w:0.1'))).toEqual([])
  })
})

test('addresses are said in words, and markup is not said', () => {
  expect(sayable('Is it **jane.miller@example.com**?')).toBe('Is it jane dot miller at example dot com ?')
  expect(sayable('So — “well” …')).toBe('So , well ...')
})

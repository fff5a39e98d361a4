import { expect, it } from 'vitest'
import { parseExact } from './exact-json.ts'

it('keeps the digits of numbers that a double cannot hold', () => {
  const text = '{"a":1,"b":12345678901234567890,"c":0.1,"d":10.50,"e":99999999999999.9999,"f":-3,"g":[1.0]}'
  expect(parseExact(text)).toEqual({
    a: 1,
    b: '12345678901234567890',
    c: 0.1,
    d: 10.5,
    e: '99999999999999.9999',
    f: -3,
    g: [1],
  })
})

import { expect, it } from 'vitest'
import { differenceOf, isNegative, isZero, negated, sumOf } from './exact-sums.ts'

it('sums with all digits', () => {
  expect(sumOf(['12345678901234.5678', '0.0002', 'x', '', '-1'])).toBe('12345678901233.568')
  expect(sumOf(['0.5', '-0.75'])).toBe('-0.25')
  expect(sumOf(['1', '2'])).toBe('3')
  expect(sumOf(['9.5', '0.5'])).toBe('10')
  expect(sumOf([])).toBe('0')
})

it('subtracts with all digits, and knows zero and what is below it', () => {
  expect(differenceOf('0.3', '0.1')).toBe('0.2')
  expect(differenceOf('-9007199254740993.01', '-0.02')).toBe('-9007199254740992.99')
  expect([negated('-1.5'), negated('1.5')]).toEqual(['1.5', '-1.5'])
  expect(['0', '-0.00', '0.00'].map(isZero)).toEqual([true, true, true])
  expect(['0.01', '-10'].map(isZero)).toEqual([false, false])
  expect(['-0.00', '-0.01', '1'].map(isNegative)).toEqual([false, true, false])
})

import { expect, it } from 'vitest'
import { isSamePage, pagesIn, withPage } from './kept.ts'

const at = '2026-11-29T12:00:00Z'
const record = (key: string) => ({ document: 'customers', key, title: key, at })
const list = (search: Record<string, unknown>) => ({ document: 'customers', search, title: 'Customers', at })

it('keeps what was opened last in front, once, and forgets what there is no room for', () => {
  const pages = withPage([record('1'), record('2'), record('3')], record('2'), 2)
  expect(pages.map(({ key }) => key)).toEqual(['2', '1'])
})

it('takes lists with the same filter for the same', () => {
  expect(isSamePage(list({ filter: 'a eq 1', columns: 'a' }), list({ filter: 'a eq 1' }))).toBe(true)
  expect(isSamePage(list({ filter: 'a eq 1' }), list({}))).toBe(false)
  expect(isSamePage(list({}), record('1'))).toBe(false)
})

it('reads nothing but pages, whatever stands there', () => {
  for (const value of [undefined, 'x', {}, null, [null, 1, {}, { document: 'a', title: 'b', at: 'never' }]]) {
    expect(pagesIn(value)).toEqual([])
  }
  expect(pagesIn([record('1'), { document: 'x', title: 'y', at, key: 5 }])).toEqual([record('1')])
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changedPaths } from './changed-paths.ts'

type Value = string | number | boolean | readonly unknown[] | { readonly [name: string]: Value }

/** The same by parsing. */
function expected(before: Value, after: Value, above = ''): string[] {
  if (isGroup(before) && isGroup(after)) {
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) => {
      const path = `${above}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
      const [one, other] = [before[name], after[name]]
      return one === undefined || other === undefined ? [path] : expected(one, other, path)
    })
  }
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [above]
}

function isGroup(value: Value): value is { readonly [name: string]: Value } {
  return typeof value === 'object' && !Array.isArray(value)
}

const name = fc.constantFrom('a', 'b', 'ab', 'c"d', 'e/f', 'g~h', 'i\\')
const text = fc.constantFrom('', 'x', 'xx', '{"', '\\"', ',"a":1}', '[', ']', '\\')
const number = fc.constantFrom(0, 1, 12, 1.5, -1)
const list = fc.array(fc.oneof(text, number, fc.dictionary(name, text, { maxKeys: 2 })), { maxLength: 2 })
const { record } = fc.letrec<{ record: { [name: string]: Value }; value: Value }>((tie) => ({
  record: fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  value: fc.oneof({ depthSize: 'small' }, text, number, fc.boolean(), list, tie('record')),
}))

describe('the changed members of a record', () => {
  it('are those that parsing finds', () => {
    fc.assert(
      fc.property(record, record, (before, after) => {
        const found = changedPaths(JSON.stringify(before), JSON.stringify(after))
        expect(found.sort()).toEqual(expected(before, after).sort())
      }),
      { numRuns: 3_000 },
    )
  })

  it('are found where one member differs', () => {
    fc.assert(
      fc.property(record, name, text, (before, changed, value) => {
        const after = { ...before, [changed]: value }
        const found = changedPaths(JSON.stringify(before), JSON.stringify(after))
        expect(found.sort()).toEqual(expected(before, after).sort())
      }),
    )
  })
})

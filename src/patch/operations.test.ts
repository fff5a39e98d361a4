import { describe, expect, test } from 'vitest'
import { type JsonValue, parseJson } from '../base/strict-json.ts'
import { Problem } from '../errors/problem.ts'
import { parseOperations } from './operations.ts'

function refusalOf(json: JsonValue, limits = {}): object | undefined {
  try {
    parseOperations(json, limits)
    return undefined
  } catch (error) {
    if (error instanceof Problem) return { status: error.status, ...error.body }
    throw error
  }
}

describe('parseOperations', () => {
  test.each<[JsonValue, object[]]>([
    [[], []],
    [[{ op: 'replace', path: '/a', value: 1 }], [{ index: 0, op: 'replace', path: '/a', value: 1 }]],
    [[{ PATH: 'A/b', OP: 'Add', Value: {} }], [{ index: 0, op: 'add', path: 'A/b', value: {} }]],
    [[{ op: 'REMOVE', path: '' }], [{ index: 0, op: 'remove', path: '', value: null }]],
    [[{ op: 'replace', path: '/a', value: null, from: 'x' }], [{ index: 0, op: 'replace', path: '/a', value: null }]],
    [
      parseJson('[{"constructor":1,"op":"add","path":"/a","value":[]}]'),
      [{ index: 0, op: 'add', path: '/a', value: [] }],
    ],
  ])('reads %j', (json, operations) => expect(parseOperations(json)).toEqual(operations))

  test.each<[JsonValue, string]>([
    [[null], 'Expected an object with op, path and value.'],
    [[[]], 'Expected an object with op, path and value.'],
    [['add'], 'Expected an object with op, path and value.'],
    [[{}], "The property 'op' is missing: expected replace, add or remove."],
    [[{ op: null, path: '/a', value: 1 }], "The property 'op' is missing: expected replace, add or remove."],
    [[{ op: 'move', path: '/a', value: 1 }], "Operation 'move' is not supported: expected replace, add or remove."],
    [[{ op: '', path: '/a', value: 1 }], "Operation '' is not supported: expected replace, add or remove."],
    [[{ op: ' add', path: '/a', value: 1 }], "Operation ' add' is not supported: expected replace, add or remove."],
    [[{ op: 1, path: '/a', value: 1 }], "Operation '1' is not supported: expected replace, add or remove."],
    [[{ op: ['add'], path: '/a', value: 1 }], `Operation '["add"]' is not supported: expected replace, add or remove.`],
    [[{ op: 'add', value: 1 }], "The property 'path' is missing: expected a string such as '/a/0/b'."],
    [[{ op: 'add', path: null, value: 1 }], "The property 'path' is missing: expected a string such as '/a/0/b'."],
    [[{ op: 'add', path: 7, value: 1 }], "The property 'path' must be a string such as '/a/0/b'."],
    [[{ op: 'Add', path: '/a' }], "The property 'value' is missing: add needs it."],
    [[{ op: 'replace', path: '/a' }], "The property 'value' is missing: replace needs it."],
  ])('refuses %j: %s', (json, message) => {
    expect(refusalOf(json)).toEqual({ status: 400, code: 4020, message: `PatchOperation index 0: ${message}` })
  })

  test('names every bad operation of a call', () => {
    const json: JsonValue[] = [{ op: 'x' }, { op: 'remove', path: '/a' }, 1]
    expect(refusalOf(json)).toMatchObject({
      message:
        "PatchOperation index 0: Operation 'x' is not supported: expected replace, add or remove. " +
        'PatchOperation index 2: Expected an object with op, path and value.',
    })
  })

  test('refuses an operation that the resource does not know', () => {
    const json = [{ op: 'Add', path: '/a', value: 1 }]
    expect(refusalOf(json, { ops: ['replace'] })).toMatchObject({
      code: 4020,
      message: "PatchOperation index 0: Operation 'Add' is not supported: expected replace.",
    })
  })

  test.each([[null], [{}], ['[]'], [1]])('refuses a body that is no array: %j', (json) => {
    const message = 'The request body must be a JSON array of patch operations.'
    expect(refusalOf(json)).toEqual({ status: 400, code: 1010, message })
  })

  test('refuses one property in two spellings', () => {
    const message = "The field op is given twice, as 'op' and as 'Op'."
    expect(refusalOf([{ op: 'add', Op: 'remove', path: '/a' }])).toEqual({ status: 400, code: 1010, message })
  })

  test('takes 1,000 operations and no more', () => {
    const operation = { op: 'remove', path: '/a' }
    expect(parseOperations(Array(1_000).fill(operation))).toHaveLength(1_000)
    expect(refusalOf(Array(1_001).fill(operation))).toMatchObject({ status: 400, code: 1010 })
  })
})

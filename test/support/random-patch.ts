// Random patches: legal ones, and pointers that lead nowhere, out of range, through escapes and into prototypes.
import fc from 'fast-check'
import type { TSchema } from 'typebox'
import type { JsonValue } from '../../src/base/strict-json.ts'
import { namesIn, pointersIn } from './schema-members.ts'

export interface RandomOperation {
  readonly op: string
  readonly path: string
  readonly value?: JsonValue
}

/** Pointer segments that have broken patch engines. */
const PARTS = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '__defineGetter__',
  'length',
  '-',
  '-1',
  '01',
  '00',
  '0x0',
  '1e0',
  '0.0',
  ' 0',
  '0 ',
  '+0',
  '1000000',
  '2147483648',
  '9007199254740993',
  '99999999999999999999',
  'NaN',
  'Infinity',
  '',
  ' ',
  '~0',
  '~1',
  '~0~1',
  '~01',
  '~2',
  '~',
  '%2F',
  '..',
  '*',
  '\u0000',
  '\u0130',
  '\u{1f600}',
  'x'.repeat(600),
]

const OPS = [
  'replace',
  'add',
  'remove',
  'Replace',
  'ADD',
  'rEmOvE',
  'move',
  'copy',
  'test',
  'replace ',
  'rep\u0131ace',
  '',
]

/** Random operations on records of a schema. */
export function randomPatches(schema: TSchema): fc.Arbitrary<RandomOperation[]> {
  const name = fc.constantFrom(...namesIn(schema))
  const part = fc.oneof(
    { weight: 6, arbitrary: name },
    { weight: 2, arbitrary: fc.constantFrom('0', '1', '2', '-') },
    { weight: 2, arbitrary: fc.constantFrom(...PARTS) },
    { weight: 2, arbitrary: fc.constantFrom('__proto__', 'constructor', 'toString') },
    { weight: 1, arbitrary: name.map((text) => text.toUpperCase()) },
    { weight: 1, arbitrary: fc.string({ maxLength: 5 }) },
  )
  const anywhere = fc
    .tuple(fc.constantFrom('/', '/', '/', '', '//', '#/'), fc.array(part, { maxLength: 5 }))
    .map(([start, parts]) => start + parts.join('/'))
  const somewhere = fc.constantFrom(...pointersIn(schema))
  const path = fc.oneof(
    anywhere,
    somewhere,
    fc.tuple(somewhere, part).map((parts) => parts.join('/')),
  )
  const operation = fc.record(
    {
      op: fc.oneof({ weight: 4, arbitrary: fc.constantFrom('replace', 'add', 'remove') }, fc.constantFrom(...OPS)),
      path,
      value: valuesWith(name),
    },
    { requiredKeys: ['op', 'path'] },
  )
  const twice = operation.map((one) => [one, one])
  return fc.oneof(
    { weight: 4, arbitrary: operation.map((one) => [one]) },
    { weight: 3, arbitrary: fc.array(operation, { maxLength: 6 }) },
    twice,
  )
}

/** Complete objects with known member names, and with names that no parser accepts. */
function valuesWith(name: fc.Arbitrary<string>): fc.Arbitrary<JsonValue> {
  const scalar = fc.constantFrom<JsonValue>(
    '',
    'x',
    '1',
    'NO',
    0,
    1,
    -1,
    1e300,
    true,
    null,
    '2026-01-31',
    'x'.repeat(300),
  )
  const hostile = fc.constantFrom('constructor', 'toString', 'prototype', 'length')
  const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      scalar,
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.oneof({ weight: 4, arbitrary: name }, hostile), tie('value'), {
        maxKeys: 3,
        noNullPrototype: true,
      }),
    ),
  }))
  return value
}

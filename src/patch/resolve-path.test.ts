import { describe, expect, test } from 'vitest'
import { kindOf, list, record, text } from '../model/schema.ts'
import { resolvePath } from './resolve-path.ts'

const Sample = record({
  description: text(),
  address: record({ place: text() }),
  tags: list(text()),
  contactPoints: list(record({ address: record({ place: text() }) })),
  customFieldGroups: record({ 'A/B': record({ 'x~y': text(), '': text(), constructor: text() }) }),
})

describe('resolvePath', () => {
  test.each([
    ['/description', ['description'], 'string'],
    ['description', ['description'], 'string'],
    ['/DESCRIPTION', ['description'], 'string'],
    ['Address/PLACE', ['address', 'place'], 'string'],
    ['/address', ['address'], 'object'],
    ['/tags', ['tags'], 'array'],
    ['/tags/0', ['tags', 0], 'string'],
    ['/tags/-', ['tags', '-'], 'string'],
    ['/contactpoints/12/address/place', ['contactPoints', 12, 'address', 'place'], 'string'],
    ['/contactPoints/1000000', ['contactPoints', 1_000_000], 'object'],
    ['/customFieldGroups/a~1b/X~0Y', ['customFieldGroups', 'A/B', 'x~y'], 'string'],
    ['/customFieldGroups/A~1B/', ['customFieldGroups', 'A/B', ''], 'string'],
    ['/customFieldGroups/A~1B/constructor', ['customFieldGroups', 'A/B', 'constructor'], 'string'],
  ])('follows %j to %j', (given, path, kind) => {
    const target = resolvePath(Sample, given)
    if (typeof target === 'string') expect.fail(target)
    expect([target.path, kindOf(target.schema)]).toEqual([path, kind])
  })

  test.each([
    '/foo',
    '//description',
    '/address/foo',
    '/address/place~',
    '/address/pl~2ace',
    '/tags/-1',
    '/tags/01',
    '/tags/1.0',
    '/tags/1e3',
    '/tags/+1',
    '/tags/ 1',
    '/tags/',
    '/tags/x',
    '/tags/length',
    '/tags/\u0661',
    '/contactPoints/-/address',
    '/__proto__',
    '/__proto__/polluted',
    '/constructor/prototype',
    '/address/__proto__',
    '/address/toString',
    '/contactPoints/__proto__',
    '/description\u0000',
    '/ description',
    'x'.repeat(1_000_000),
    '/'.repeat(1_000_000),
  ])('finds %j invalid', (given) => expect(resolvePath(Sample, given)).toBe('invalid'))

  test.each(['', '/', '/description/', '/description/0', '/tags/0/x', '/address/place/__proto__'])(
    'finds no member at %j',
    (given) => expect(resolvePath(Sample, given)).toBe('no-member'),
  )
})

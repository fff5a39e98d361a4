// Request bodies that are hard to parse: each is a legal body with one change, and says whether it may be accepted.
import { Buffer } from 'node:buffer'

export interface BodyCase {
  readonly name: string
  /** `taken`: accepted like the legal body; otherwise the status of the rejection. */
  readonly expected: 'taken' | 400 | 413 | 415
  readonly headers?: Readonly<Record<string, string>>
  make(legal: string): string | Buffer
}

export const LIMIT_BYTES = 1024 * 1024

/** The nesting levels of objects and arrays that a legal body has around its outermost member. */
const levelsOf = (legal: string) => (legal.startsWith('[') ? 2 : 1)
const keysOf = (legal: string) => [...legal.matchAll(/"[^"\\]*":/g)].length
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

/** Adds a member before the first; no record has a member of that name. */
const withMember = (legal: string, value: string, name = '"zz"') => legal.replace('{', `{${name}:${value},`)

const member = (name: string, expected: BodyCase['expected'], value: string): BodyCase => ({
  name,
  expected,
  make: (legal) => withMember(legal, value),
})

const named = (name: string, expected: BodyCase['expected'], key: string): BodyCase => ({
  name: `the name ${name}`,
  expected,
  make: (legal) => withMember(legal, '1', key),
})

const whole = (name: string, expected: BodyCase['expected'], make: BodyCase['make']): BodyCase => ({
  name,
  expected,
  make,
})

const DEPTHS: readonly BodyCase[] = [
  whole('depth 32', 'taken', (legal) => withMember(legal, nested(32 - levelsOf(legal)))),
  whole('depth 33', 400, (legal) => withMember(legal, nested(33 - levelsOf(legal)))),
  whole('depth 33 of objects', 400, (legal) => {
    const levels = 33 - levelsOf(legal)
    return withMember(legal, `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`)
  }),
  whole('depth 500,000', 400, (legal) => withMember(legal, nested(500_000))),
  whole('depth 500,000 that is not closed', 400, (legal) => withMember(legal, '['.repeat(500_000))),
  whole('depth 2,000,000', 413, (legal) => withMember(legal, nested(2_000_000))),
]

const manyKeys = (legal: string, count: number) =>
  Array.from({ length: count - keysOf(legal) }, (_, index) => `"k${index}":1,`).join('')

const KEYS: readonly BodyCase[] = [
  whole('50,000 keys', 'taken', (legal) => legal.replace('{', `{${manyKeys(legal, 50_000)}`)),
  whole('50,001 keys', 400, (legal) => legal.replace('{', `{${manyKeys(legal, 50_001)}`)),
  member('19,000 items', 'taken', `[${'[],'.repeat(18_999)}[]]`),
  member('20,001 items', 400, `[${'[],'.repeat(20_000)}[]]`),
  whole('a key twice', 400, (legal) => legal.replace('{', '{"zz":1,"zz":2,')),
  whole('a key twice, once escaped', 400, (legal) => legal.replace('{', '{"zz":1,"z\\u007a":2,')),
  whole('a key twice, deep inside', 400, (legal) => withMember(legal, '[{"a":{"b":1,"b":1}}]')),
  whole('a known key in two spellings', 400, (legal) => {
    const [, name = ''] = /"(\w+)":/.exec(legal) ?? []
    return legal.replace('{', `{"${name.toUpperCase()}":"x",`)
  }),
  named('__proto__', 400, '"__proto__"'),
  named('__proto__, escaped', 400, '"\\u005f_proto__"'),
  named('constructor', 'taken', '"constructor"'),
  named('prototype', 'taken', '"prototype"'),
  named('hasOwnProperty', 'taken', '"hasOwnProperty"'),
  named('with NUL in it', 400, '"a\\u0000b"'),
  named('with a line break in it', 400, '"a\\nb"'),
  named('without quotes', 400, 'zz'),
  named('in single quotes', 400, "'zz'"),
]

const NUMBERS: readonly BodyCase[] = [
  ...['-0', '0.1', '1E5', '9007199254740993', '1e-400', '123456789012345678901234567890', `0.${'3'.repeat(9_000)}`].map(
    (text) => member(`the number ${text.slice(0, 40)}`, 'taken', text),
  ),
  ...[
    '1e400',
    '-1e400',
    '9'.repeat(400),
    '01',
    '+1',
    '.5',
    '1.',
    '1e',
    '1e+',
    '--1',
    '0x10',
    '1_000',
    '1,5',
    'NaN',
    'Infinity',
    '-Infinity',
    '-',
  ].map((text) => member(`the number ${text.slice(0, 40)}`, 400, text)),
]

const TEXTS: readonly BodyCase[] = [
  member('a pair of surrogates', 'taken', '"\\ud83d\\ude00"'),
  member('half a pair', 400, '"\\ud83d"'),
  member('the other half', 400, '"\\ude00"'),
  member('a pair the wrong way round', 400, '"\\ude00\\ud83d"'),
  member('half a pair in a list', 400, '["a",["\\udbff"]]'),
  member('U+0000', 400, '"\\u0000"'),
  member('a control character', 400, '"a\u0001b"'),
  member('a line break', 400, '"a\nb"'),
  member('an escape that is none', 400, '"\\x41"'),
  member('an escape that is cut off', 400, '"\\u00"'),
  member('a text that is not closed', 400, '"abc'),
  member('a text in single quotes', 400, "'abc'"),
  member('U+2028 and U+FEFF', 'taken', '"\u2028\ufeff"'),
]

/** Puts bytes in place of a text. */
const bytes = (name: string, expected: BodyCase['expected'], inside: readonly number[]): BodyCase =>
  whole(name, expected, (legal) => {
    const [before = '', after = ''] = withMember(legal, '"@@"').split('@@')
    return Buffer.concat([Buffer.from(before), Buffer.from(inside), Buffer.from(after)])
  })

const ENCODINGS: readonly BodyCase[] = [
  whole('a byte order mark', 'taken', (legal) => `\ufeff${legal}`),
  whole('two byte order marks', 400, (legal) => `\ufeff\ufeff${legal}`),
  whole('UTF-16, little endian', 400, (legal) => Buffer.from(`\ufeff${legal}`, 'utf16le')),
  whole('UTF-16, big endian', 400, (legal) => Buffer.from(`\ufeff${legal}`, 'utf16le').swap16()),
  whole('UTF-16 without a mark', 400, (legal) => Buffer.from(legal, 'utf16le')),
  bytes('a byte of Latin-1', 400, [0xe5]),
  bytes('a slash in two bytes', 400, [0xc0, 0xaf]),
  bytes('a surrogate in three bytes', 400, [0xed, 0xa0, 0x80]),
  bytes('beyond U+10FFFF', 400, [0xf4, 0x90, 0x80, 0x80]),
  bytes('a character that is cut off', 400, [0xe2, 0x82]),
  bytes('four bytes of UTF-8', 'taken', [0xf0, 0x9f, 0x98, 0x80]),
]

const SYNTAX: readonly BodyCase[] = [
  whole('nothing', 400, () => ''),
  whole('blanks', 400, () => ' \n\t '),
  whole('two values', 400, (legal) => legal + legal),
  whole('a comma at the end', 400, (legal) => `${legal.slice(0, -1)},${legal.slice(-1)}`),
  whole('no end', 400, (legal) => legal.slice(0, -1)),
  whole('one bracket too many', 400, (legal) => legal + legal.slice(-1)),
  whole('a comment', 400, (legal) => `/* x */${legal}`),
  whole('a line of NDJSON', 400, (legal) => `${legal}\n${legal}`),
  whole('a form feed before it', 400, (legal) => `\f${legal}`),
  whole('a no-break space after it', 400, (legal) => `${legal}\u00a0`),
  whole('blanks around it', 'taken', (legal) => ` \r\n\t${legal}\n `),
  ...['True', 'undefined', 'nul', 'TRUE', 'None', '<a/>', '`x`'].map((text) => member(`the value ${text}`, 400, text)),
]

/** The limit is on what is read into memory: a file's content is streamed to disk. */
const padded = (legal: string, bytes: number) => {
  const rest = legal.replace(/("fileContent":)"[^"]*"/, '$1""')
  return legal + ' '.repeat(bytes - Buffer.byteLength(rest))
}

const SIZES: readonly BodyCase[] = [
  whole('1 MiB', 'taken', (legal) => padded(legal, LIMIT_BYTES)),
  whole('1 MiB and a byte', 413, (legal) => padded(legal, LIMIT_BYTES + 1)),
]

const coded = (encoding: string, expected: BodyCase['expected'] = 415): BodyCase => ({
  name: `Content-Encoding: ${encoding}`,
  expected,
  headers: { 'content-encoding': encoding },
  make: (legal) => legal,
})

const typed = (type: string, expected: BodyCase['expected'] = 415): BodyCase => ({
  name: `Content-Type: ${type}`,
  expected,
  headers: { 'content-type': type },
  make: (legal) => legal,
})

const HEADERS: readonly BodyCase[] = [
  ...['gzip', 'br', 'deflate', 'gzip, gzip', 'GZIP', 'identity, gzip', 'zstd', 'x'].map((encoding) => coded(encoding)),
  coded('identity', 'taken'),
  ...[
    'text/plain',
    'text/json',
    'application/xml',
    'application/jsonp',
    'application/x-ndjson',
    'application/merge-patch+json',
    'application/vnd.api+json',
    'application/x-www-form-urlencoded',
    'application/json; charset=utf-16',
    'application/json; charset=latin1',
    'application/json;charset="iso-8859-1"',
    'application/json\tx',
    'application/jsonx',
    'application',
    '*/*',
  ].map((type) => typed(type)),
  ...['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/json;charset="UTF-8"'].map((type) =>
    typed(type, 'taken'),
  ),
]

export const BODY_CASES: readonly BodyCase[] = [
  ...DEPTHS,
  ...KEYS,
  ...NUMBERS,
  ...TEXTS,
  ...ENCODINGS,
  ...SYNTAX,
  ...SIZES,
  ...HEADERS,
]

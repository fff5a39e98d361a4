// Sixty request templates that are nearly valid, or valid and rare. Many hide a second request that one parser would
// see and another would not.
import { credentials } from '../process.ts'

/** The keys of the records that the requests of one instance would create; they make it unique. */
export interface Keys {
  readonly outer: string
  readonly hidden: string
}

export interface Template {
  readonly name: string
  /** The expected result of the template as it stands; mutated ones are compared with their framing only. */
  readonly expected: 'taken' | 'refused' | 'either'
  /** In bytes of Latin-1. */
  readonly write: (keys: Keys) => string
  /** The connection is cut at each byte in turn. */
  readonly isCutBy?: 'end' | 'reset'
}

const VALUES = '/v1/attribute-values'
const ONE_VALUE = `${VALUES}/C6/OSLO/0`
const HOST = 'Host: x'
const AUTHORIZATION = `Authorization: ${credentials}`
const JSON_TYPE = 'Content-Type: application/json'
const CHUNKED = 'Transfer-Encoding: chunked'

const message = (line: string, headers: readonly string[], body = '') =>
  `${[line, ...headers].join('\r\n')}\r\n\r\n${body}`
const get = (...headers: string[]) => message(`GET ${ONE_VALUE} HTTP/1.1`, [HOST, AUTHORIZATION, ...headers])
const getOf = (target: string, version = 'HTTP/1.1') => message(`GET ${target} ${version}`, [HOST, AUTHORIZATION])
const recordOf = (key: string) => `{"attributeId":"C6","attributeValue":"${key}"}`
const post = (headers: readonly string[], body: string, line = `POST ${VALUES} HTTP/1.1`) =>
  message(line, [HOST, AUTHORIZATION, JSON_TYPE, ...headers], body)
const lengthOf = (body: string) => `Content-Length: ${body.length}`
/** A complete, valid request that creates a record. */
const making = (key: string) => post([lengthOf(recordOf(key))], recordOf(key))
const chunk = (text: string, size = text.length.toString(16)) => `${size}\r\n${text}\r\n`
const inChunks = (text: string) => `${chunk(text.slice(0, 9))}${chunk(text.slice(9))}0\r\n\r\n`

const taken = (name: string, write: Template['write']): Template => ({ name, expected: 'taken', write })
const refused = (name: string, write: Template['write']): Template => ({ name, expected: 'refused', write })
const either = (name: string, write: Template['write']): Template => ({ name, expected: 'either', write })

/** A valid chunked POST, except for its transfer coding. */
const chunkedAs = (coding: string, { outer, hidden }: Keys) =>
  post([coding], inChunks(recordOf(outer))) + making(hidden)
const withChunk = (first: string, { outer, hidden }: Keys) =>
  post([CHUNKED], `${first}${inChunks(recordOf(outer))}${making(hidden)}`)
/** A POST with a questionable length, with a hidden request where a lenient parser might see the next. */
const ofLength = (header: string, { outer, hidden }: Keys) => post([header], recordOf(outer) + making(hidden))
const manyHeaders = (count: number) => Array.from({ length: count }, (_, at) => `X-${at}: 1`)

const GOOD: readonly Template[] = [
  taken('a GET', () => get()),
  taken('a POST', ({ outer }) => making(outer)),
  taken('three requests at once', ({ outer, hidden }) => making(outer) + get() + making(hidden)),
  taken('many requests at once', () => get().repeat(20)),
  taken('a POST in chunks', ({ outer }) => post([CHUNKED], inChunks(recordOf(outer)))),
  taken('chunks with extensions', ({ outer }) => post([CHUNKED], `2e;a=b;c="d"\r\n${recordOf(outer)}\r\n0;e\r\n\r\n`)),
  taken('trailers', ({ outer }) => post([CHUNKED], `${chunk(recordOf(outer))}0\r\nX-After: 1\r\n\r\n`)),
  either('a length as a trailer', ({ outer, hidden }) =>
    post([CHUNKED], `${chunk(recordOf(outer))}0\r\nContent-Length: 4\r\n\r\n${making(hidden)}`),
  ),
  taken('Expect: 100-continue with a body', ({ outer }) =>
    post(['Expect: 100-continue', lengthOf(recordOf(outer))], recordOf(outer)),
  ),
  taken('a length with leading zeros', ({ outer }) =>
    post([`Content-Length: 000${recordOf(outer).length}`], recordOf(outer)),
  ),
  taken('a GET with a body that is a request', ({ hidden }) =>
    message(`GET ${ONE_VALUE} HTTP/1.1`, [HOST, AUTHORIZATION, lengthOf(making(hidden))], making(hidden)),
  ),
  taken('HTTP/1.0', () => getOf(ONE_VALUE, 'HTTP/1.0')),
  taken('an empty line first', () => `\r\n${get()}`),
  taken('HEAD, and another', () => message(`HEAD ${VALUES}/C6 HTTP/1.1`, [HOST, AUTHORIZATION]) + get()),
  either('Upgrade: websocket', ({ hidden }) => get('Connection: Upgrade', 'Upgrade: websocket') + making(hidden)),
  either(
    'Upgrade: h2c',
    ({ hidden }) =>
      get('Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk') + making(hidden),
  ),
  either(
    'a POST with Upgrade and a length',
    ({ outer, hidden }) =>
      post(['Connection: Upgrade', 'Upgrade: x', lengthOf(recordOf(outer))], recordOf(outer)) + making(hidden),
  ),
]

const LENGTHS: readonly Template[] = [
  refused('length and chunks', (keys) => post([lengthOf('0\r\n\r\n'), CHUNKED], `0\r\n\r\n${making(keys.hidden)}`)),
  refused('chunks and length', (keys) =>
    post([CHUNKED, 'Content-Length: 4'], `${chunk(making(keys.hidden))}0\r\n\r\n`),
  ),
  refused('two lengths', (keys) => post(['Content-Length: 0', lengthOf(making(keys.hidden))], making(keys.hidden))),
  refused('twice the same length', (keys) =>
    post([lengthOf(recordOf(keys.outer)), lengthOf(recordOf(keys.outer))], recordOf(keys.outer)),
  ),
  refused('a list of lengths', (keys) => ofLength('Content-Length: 46, 46', keys)),
  refused('a length with a plus', (keys) => ofLength('Content-Length: +46', keys)),
  refused('a length below zero', (keys) => ofLength('Content-Length: -1', keys)),
  refused('a length in hexadecimal digits', (keys) => ofLength('Content-Length: 0x2e', keys)),
  refused('an empty length', (keys) => ofLength('Content-Length:', keys)),
  refused('a length beyond all bounds', (keys) => ofLength('Content-Length: 18446744073709551662', keys)),
  refused('a length with a blank in it', (keys) => ofLength('Content-Length: 4 6', keys)),
  refused('a blank before the colon of a length', (keys) => ofLength('Content-Length : 46', keys)),
  refused('a body shorter than its length', (keys) =>
    post([`Content-Length: ${recordOf(keys.outer).length + 10}`], recordOf(keys.outer)),
  ),
  refused('a body longer than its length', (keys) => post(['Content-Length: 20'], recordOf(keys.outer))),
]

const CODINGS: readonly Template[] = [
  refused('chunked, identity', (keys) => chunkedAs('Transfer-Encoding: chunked, identity', keys)),
  refused('identity, chunked', (keys) => chunkedAs('Transfer-Encoding: identity, chunked', keys)),
  refused('xchunked', (keys) => chunkedAs('Transfer-Encoding: xchunked', keys)),
  refused('a tab before the colon of a coding', (keys) => chunkedAs('Transfer-Encoding\t: chunked', keys)),
  refused('two codings', (keys) => chunkedAs('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity', keys)),
  refused('a coding over two lines', (keys) => chunkedAs('Transfer-Encoding:\r\n chunked', keys)),
  refused('a coding after a vertical tab', (keys) => chunkedAs('Transfer-Encoding: \x0bchunked', keys)),
  refused('a chunk size with a sign', (keys) => withChunk('-1\r\nx\r\n', keys)),
  refused('a chunk size beyond all bounds', (keys) => withChunk('10000000000000001\r\nx\r\n', keys)),
  refused('a chunk size in no digits', (keys) => withChunk('0x1\r\nx\r\n', keys)),
  refused('a chunk longer than its size', (keys) => withChunk('1\r\nxx\r\n', keys)),
  refused('a chunk extension with a line feed', (keys) => withChunk('1;a\nx\r\n', keys)),
  refused('a chunk that ends with a line feed', (keys) => withChunk('1\r\nx\n', keys)),
  refused('endless chunk extensions', (keys) => withChunk(`1;${'a'.repeat(40_000)}\r\nx\r\n`, keys)),
]

const HEADS: readonly Template[] = [
  refused('bare line feeds', (keys) => making(keys.outer).replaceAll('\r\n', '\n')),
  refused('a bare carriage return', (keys) => get(`X-A: 1\r${AUTHORIZATION}`) + making(keys.hidden)),
  refused('a header over two lines', () => get('X-A: 1\r\n 2')),
  refused('a NUL in a header', () => get('X-A: 1\x002')),
  refused('a blank in the name of a header', () => get('X A: 1')),
  refused('a header without a colon', () => get('X-A')),
  refused('a bad version', () => getOf(ONE_VALUE, 'HTTP/9.9')),
  refused('HTTP/0.9', () => message(`GET ${ONE_VALUE}`, [HOST, AUTHORIZATION])),
  refused('HTTP/0.9 with the method of HTTP/2', () => 'PRI *\r\n\r\n'),
  refused('a POST in HTTP/0.9', (keys) => making(keys.outer).replace(' HTTP/1.1', '')),
  refused('a POST in HTTP/2.0', (keys) => making(keys.outer).replace('HTTP/1.1', 'HTTP/2.0')),
  refused('the preface of HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0'),
  refused('a blank in the target', () => getOf(`${ONE_VALUE} x`)),
  refused('two hosts', () => get('Host: y')),
  refused('no host', () => message(`GET ${ONE_VALUE} HTTP/1.1`, [AUTHORIZATION])),
  refused('10,000 headers', () => get(...manyHeaders(10_000))),
  refused('101 headers', () => get(...manyHeaders(101))),
  refused('a header of 33 KB', () => get(`X-A: ${'a'.repeat(33 * 1024)}`)),
  taken('a header of 17 KB', () => get(`X-A: ${'a'.repeat(17 * 1024)}`)),
  taken('the header __proto__', () => get('__proto__: 1', 'constructor: 2')),
  refused('a target with percent garbage', () => getOf(`${VALUES}/%zz/%`)),
  refused('a target of bytes that are no ASCII', () => getOf(`${VALUES}/\xff\xfe`)),
  either('a target with an authority', () => getOf(`http://x${ONE_VALUE}`)),
  refused('CONNECT', (keys) => message('CONNECT x:80 HTTP/1.1', [HOST, AUTHORIZATION]) + making(keys.hidden)),
  refused('a target that is a star', () => message('OPTIONS * HTTP/1.1', [HOST, AUTHORIZATION])),
  refused('Expect: something else', (keys) =>
    post(['Expect: 200-ok', lengthOf(recordOf(keys.outer))], recordOf(keys.outer)),
  ),
  refused('Expect: 100-continue without a body', () => post(['Expect: 100-continue', 'Content-Length: 10'], '')),
]

const CUT: readonly Template[] = [
  { ...taken('a POST that ends too soon', ({ outer }) => making(outer)), isCutBy: 'end' },
  { ...taken('a POST that is broken off', ({ outer }) => making(outer)), isCutBy: 'reset' },
]

export const TEMPLATES: readonly Template[] = [...GOOD, ...LENGTHS, ...CODINGS, ...HEADS, ...CUT]

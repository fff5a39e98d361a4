import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BODY_LIMIT_BYTES } from '../pipeline/json-body.ts'
import { JsonSplitter } from './json-upload.ts'

/** Splits a text that is received in chunks, cut at the given positions. */
function split(text: string, cuts: readonly number[] = []) {
  const bytes = Buffer.from(text)
  const splitter = new JsonSplitter('fileContent')
  const positions = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
  const content: Buffer[] = []
  for (const [index, position] of positions.slice(1).entries()) {
    content.push(...splitter.push(Buffer.from(bytes.subarray(positions[index], position))))
  }
  return { found: splitter.found, content: Buffer.concat(content), rest: splitter.rest().toString(), splitter }
}

/** The expected result, computed from the complete text. */
function expected(text: string) {
  const record = JSON.parse(text) as Record<string, unknown>
  const name = Object.keys(record).findLast((member) => member.toLowerCase() === 'filecontent')
  const given = name === undefined ? undefined : record[name]
  if (name === undefined || typeof given !== 'string') return { found: 'none', record }
  const rest = { ...record, [name]: '' }
  const letters = given.replace(/[ \t\r\n]/g, '')
  if (letters === '') return { found: 'empty', record: rest }
  const isBase64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(letters)
  if (!isBase64) return { found: 'not-base64', record: rest }
  return { found: 'bytes', record: rest, content: Buffer.from(given, 'base64') }
}

function expectSame(text: string, cuts: readonly number[]): void {
  const expectation = expected(text)
  const { found, content, rest } = split(text, cuts)
  expect(found).toBe(expectation.found)
  expect(JSON.parse(rest)).toEqual(expectation.record)
  if (expectation.content) expect(content.equals(expectation.content)).toBe(true)
}

const cuts = fc.array(fc.nat(), { maxLength: 12 })
const base64 = fc.uint8Array({ maxLength: 80 }).map((bytes) => Buffer.from(bytes).toString('base64'))
const nearlyBase64 = fc.string({ unit: fc.constantFrom(...'ABab09+/=-_ "\\\n\t\u00e9'), maxLength: 12 })
const contentName = fc.constantFrom('fileContent', 'FileContent', 'FILECONTENT', 'filecontent')

/** Writes a string as JSON with some unnecessary escapes, as `choices` say. */
function withNeedlessEscapes(text: string, choices: readonly number[]): string {
  const characters = [...JSON.stringify(text).slice(1, -1)].map((character, index) => {
    const choice = choices[index % Math.max(choices.length, 1)] ?? 0
    if (character === '/' && choice === 1) return '\\/'
    if (/[A-Za-z0-9+/=]/.test(character) && choice === 2) return unicodeEscape(character)
    return character
  })
  // A string with necessary escapes gets no others, which could fall inside of them.
  return /["\\\n\t]/.test(text) ? JSON.stringify(text).slice(1, -1) : characters.join('')
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

describe('a JSON body with a content', () => {
  it('is read like JSON.parse and Buffer.from would, wherever it is cut', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 5 }),
        fc.nat({ max: 5 }),
        contentName,
        fc.oneof(base64, nearlyBase64, fc.string(), fc.jsonValue({ maxDepth: 2 })),
        fc.boolean(),
        cuts,
        (others, position, name, content, isSpaced, where) => {
          const members = Object.entries(others).filter(([other]) => other.toLowerCase() !== 'filecontent')
          members.splice(Math.min(position, members.length), 0, [name, content])
          // Object.fromEntries would move numeric names to the front.
          const written = members.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`)
          expectSame(isSpaced ? `{ ${written.join(' ,\n\t')} } ` : `{${written.join(',')}}`, where)
        },
      ),
      { numRuns: 2_000 },
    )
  })

  it('may have any character of its content and its name escaped', () => {
    const choices = fc.array(fc.nat({ max: 2 }), { maxLength: 20 })
    fc.assert(
      fc.property(fc.oneof(base64, nearlyBase64), choices, choices, cuts, (content, inContent, inName, where) => {
        const name = withNeedlessEscapes('fileContent', inName)
        expectSame(`{"a":1,"${name}":"${withNeedlessEscapes(content, inContent)}","b":[{"fileContent":"x"}]}`, where)
      }),
      { numRuns: 2_000 },
    )
  })

  it('is read whole when it comes byte by byte', () => {
    const text = '{"title":"\\"fileContent\\":\\"","FileContent":"\\u0059WJjZA\\u003d=","n":{"fileContent":"!"}}'
    expectSame(text, [...Buffer.from(text).keys()])
  })

  it.each([
    ['in a list', '[{"fileContent":"YWJj"}]'],
    ['deeper than the outermost object', '{"a":{"fileContent":"YWJj"},"b":[{"fileContent":"YWJj"}]}'],
    ['as a value', '{"a":"fileContent","b":["fileContent","YWJj"]}'],
    ['within a list that is the whole body', '["fileContent","YWJj"]'],
    ['as a number', '{"fileContent":5,"a":"YWJj"}'],
    ['as null', '{"fileContent":null,"a":"YWJj"}'],
    ['as an object', '{"fileContent":{"fileContent":"YWJj"},"a":"YWJj"}'],
    ['as a list', '{"fileContent":["YWJj"],"a":"YWJj"}'],
  ])('is none when it stands %s', (_name, text) => {
    expect(split(text, [3, 9, 17])).toMatchObject({ found: 'none', rest: text })
  })

  it.each([
    ['nothing', ''],
    ['an open string', '{"fileContent":"YWJj'],
    ['an open escape', '{"fileContent":"YW\\'],
    ['an open name', '{"fileCon'],
    ['a missing comma', '{"fileContent":"YWJj" "title":"x"}'],
    ['a missing value', '{"fileContent":"YWJj","title":}'],
    ['brackets that do not match', '}]{"fileContent":"YWJj"'],
  ])('leaves malformed JSON malformed: %s', (_name, text) => {
    expect(() => JSON.parse(split(text).rest)).toThrow(SyntaxError)
  })

  it('hides no member behind a quote in the content', () => {
    const { found, rest } = split('{"fileContent":"YWJj\\",\\"title\\":\\"a","title":"b"}')
    expect([found, JSON.parse(rest)]).toEqual(['not-base64', { fileContent: '', title: 'b' }])
  })

  it('tells positions of the rest as those of the whole body', () => {
    const text = '{"a":"\u00e9","fileContent":"YWJjZGVm","title":}'
    const { rest, splitter } = split(text)
    expect(splitter.positionInBody(rest.indexOf('}'))).toBe(text.indexOf('}'))
    expect(splitter.positionInBody(3)).toBe(3)
  })

  it('has a bound for all but the content', () => {
    const long = 'x'.repeat(BODY_LIMIT_BYTES)
    expect(() => split(`{"title":"${long}"}`)).toThrow('larger than the limit')
    expect(split(`{"fileContent":"${'YWJj'.repeat(BODY_LIMIT_BYTES)}"}`).content).toHaveLength(3 * BODY_LIMIT_BYTES)
  })
})

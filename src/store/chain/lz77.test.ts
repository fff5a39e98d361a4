import fc from 'fast-check'
import { expect, it } from 'vitest'
import { compress, Dictionary, decompress } from './lz77.ts'

const words = fc.constantFrom(
  '{"name":"',
  '","periodFrom":0',
  'Oslo',
  '\u00e6\u00f8\u00e5',
  '\u{1f600}',
  ' ',
  '"}',
  'aaaaaaaa',
)
const texts = fc.oneof(
  fc.array(fc.oneof(words, fc.string()), { maxLength: 40 }).map((parts) => parts.join('')),
  fc.tuple(fc.string({ minLength: 1, maxLength: 3 }), fc.nat(5_000)).map(([part, times]) => part.repeat(times)),
)

const dictionaryOf = (text: string) => new Dictionary(Buffer.from(text).subarray(0, 4_096))

it('round-trips every text, with every dictionary and prefix', () => {
  fc.assert(
    fc.property(texts, texts, texts, (text, known, prefix) => {
      const dictionary = dictionaryOf(known)
      const bytes = compress(text, dictionary, prefix)
      expect(decompress(bytes, dictionary.bytes, Buffer.from(prefix))?.toString()).toBe(text)
    }),
    { numRuns: 1_000 },
  )
})

it('takes a few bytes for a text that is in the dictionary or the prefix', () => {
  const text = JSON.stringify({ name: 'Cost centre', description: 'x'.repeat(40), values: [1, 2, 3] }).repeat(4)
  expect(compress(text, dictionaryOf(text)).length).toBeLessThan(8)
  expect(compress(text, dictionaryOf(''), text).length).toBeLessThan(8)
  expect(compress(text.replace('Cost', 'Profit'), dictionaryOf(text)).length).toBeLessThan(16)
})

it('round-trips texts of a megabyte', () => {
  const text = Array.from({ length: 60_000 }, (_, index) => `{"id":${index * 7919}}`).join(',')
  const dictionary = dictionaryOf('{"id":')
  expect(decompress(compress(text, dictionary), dictionary.bytes)?.toString()).toBe(text)
  const noise = Array.from({ length: 300_000 }, (_, index) =>
    String.fromCodePoint(33 + ((index * index * 7919) % 55_000)),
  )
  const letters = noise.join('').toWellFormed()
  expect(decompress(compress(letters, dictionary), dictionary.bytes)?.toString()).toBe(letters)
})

it('neither throws nor runs forever on damaged bytes', () => {
  const dictionary = dictionaryOf('{"name":"Oslo","periodFrom":0}')
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      const text = decompress(bytes, dictionary.bytes)
      expect(text === undefined || text.length <= 64 * 1024 * 1024).toBe(true)
    }),
    { numRuns: 2_000 },
  )
  expect(decompress(Buffer.from('1fffffff7f', 'hex'), dictionary.bytes)).toBeUndefined()
})

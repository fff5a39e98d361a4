import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Base64Decoder, Base64Error, base64Length, base64Of } from './base64.ts'

function decode(text: string, cuts: readonly number[]): Buffer {
  const bytes = Buffer.from(text)
  const positions = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
  const decoder = new Base64Decoder()
  const chunks = positions.slice(1).map((end, index) => decoder.push(bytes.subarray(positions[index], end)))
  decoder.end()
  return Buffer.concat(chunks)
}

/** RFC 4648, 4: groups of four characters of the alphabet, with padding only at the end. */
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

const BLANKS = /[ \t\r\n]/g

const cuts = fc.array(fc.nat(), { maxLength: 8 })

describe('base64 that comes in pieces', () => {
  it('is decoded to what was encoded, wherever it is cut', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), cuts, (given, where) => {
        const bytes = Buffer.from(given)
        expect(decode(bytes.toString('base64'), where).equals(bytes)).toBe(true)
      }),
      { numRuns: 2_000 },
    )
  })

  it('takes no memory beside that in which it came', () => {
    const characters = Buffer.from(Buffer.alloc(3_000, 'content').toString('base64'))
    const bytes = new Base64Decoder().push(characters)
    expect([bytes.buffer === characters.buffer, bytes.byteOffset]).toEqual([true, characters.byteOffset])
  })

  it('is refused when it is none, wherever it is cut', () => {
    const text = fc.string({ unit: fc.constantFrom(...'AQgw+/==-_ \t\r\n\u00e9'), maxLength: 16 })
    fc.assert(
      fc.property(text, cuts, (given, where) => {
        if (BASE64.test(given.replace(BLANKS, '')))
          expect(decode(given, where).equals(Buffer.from(given, 'base64'))).toBe(true)
        else expect(() => decode(given, where)).toThrow(Base64Error)
      }),
      { numRuns: 5_000 },
    )
  })
})

describe('a content that goes out', () => {
  it('is the same base64 in whatever pieces it is read, and as long as foretold', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 8 }), async (chunks) => {
        let encoded = ''
        for await (const chunk of base64Of(given(chunks))) encoded += Buffer.from(chunk)
        const complete = Buffer.concat(chunks)
        expect(encoded).toBe(complete.toString('base64'))
        expect(base64Length(complete.length)).toBe(encoded.length)
      }),
      { numRuns: 500 },
    )
  })

  it('is right when the memory of a piece is used for the next one', async () => {
    const memory = Buffer.alloc(400_000)
    const lengths = [1, 2, 3, 4, 5, 399_999, 400_000, 0, 7, 100_000]
    const complete: Buffer[] = []
    const source = (async function* () {
      for (const [at, length] of lengths.entries()) {
        complete.push(Buffer.from(memory.subarray(0, length).fill(`${at},`)))
        yield memory.subarray(0, length)
      }
    })()
    let encoded = ''
    for await (const chunk of base64Of(source)) encoded += Buffer.from(chunk)
    expect(encoded).toBe(Buffer.concat(complete).toString('base64'))
  })
})

async function* given(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array, void, void> {
  yield* chunks
}

import { describe, expect, it } from 'vitest'
import { linesOf } from './lines.ts'

async function* inPieces(text: string, length: number) {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
}

describe('the lines of a text in pieces', () => {
  it.each([1, 2, 3, 7, 100])('are the same in pieces of %i bytes', async (length) => {
    const text = 'one\n\ntw\u00f6\u2028still two\r\n\ud83d\ude00 four'
    const found = await Array.fromAsync(linesOf(inPieces(text, length)))
    expect(found).toEqual(['one', '', 'tw\u00f6\u2028still two\r', '\ud83d\ude00 four'])
    expect(await Array.fromAsync(linesOf(inPieces(`${text}\n`, length)))).toEqual(found)
  })

  it('are none of an empty text', async () => {
    expect(await Array.fromAsync(linesOf(inPieces('', 1)))).toEqual([])
  })
})

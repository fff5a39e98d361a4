import { describe, expect, it } from 'vitest'
import { linesOf } from './lines.ts'

async function* inChunks(text: string, length: number) {
  const bytes = Buffer.from(text)
  for (let start = 0; start < bytes.length; start += length) yield bytes.subarray(start, start + length)
}

describe('the lines of a text in pieces', () => {
  it.each([1, 2, 3, 7, 100])('are the same in pieces of %i bytes', async (length) => {
    const text = 'one\n\ntw\u00f6\u2028still two\r\n\ud83d\ude00 four'
    const found = await Array.fromAsync(linesOf(inChunks(text, length)))
    expect(found).toEqual(['one', '', 'tw\u00f6\u2028still two\r', '\ud83d\ude00 four'])
    expect(await Array.fromAsync(linesOf(inChunks(`${text}\n`, length)))).toEqual(found)
  })

  it('are none of an empty text', async () => {
    expect(await Array.fromAsync(linesOf(inChunks('', 1)))).toEqual([])
  })
})

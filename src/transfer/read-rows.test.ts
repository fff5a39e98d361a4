import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { FileError, type Row, readRows } from './read-rows.ts'

async function rowsOf(text: string | Buffer, format: 'csv' | 'ndjson', chunkSize = 7): Promise<Row[]> {
  const bytes = Buffer.from(text)
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunkSize) }, (_, index) =>
    bytes.subarray(index * chunkSize, (index + 1) * chunkSize),
  )
  return Array.fromAsync(readRows(Readable.from(chunks, { objectMode: false }), format, () => {}))
}

const shown = ({ line, record, problem }: Row) => [line, record ?? problem]

describe('NDJSON', () => {
  it('is read line by line, whatever the pieces, without empty lines and marks of byte order', async () => {
    const rows = await rowsOf('\ufeff{"a":"\u00e6"}\r\n\n{"b":[1]}', 'ndjson', 1)
    expect(rows.map(shown)).toEqual([
      [1, { a: '\u00e6' }],
      [3, { b: [1] }],
    ])
  })

  it('tells where a line cannot be read, and goes on', async () => {
    const rows = await rowsOf('{"a":1,}\n[1]\n{"a":2}\n', 'ndjson')
    expect(rows.map(shown)).toEqual([
      [1, { column: '8', message: expect.any(String) }],
      [2, { column: '', message: 'expected a JSON object' }],
      [3, { a: 2 }],
    ])
  })

  it('passes over a line that is too long as it is read', async () => {
    const rows = await rowsOf(`{"a":"${'x'.repeat(3_000_000)}"}\n{"a":2}\n`, 'ndjson', 65_536)
    expect(rows.map(shown)).toEqual([
      [1, { column: '', message: 'the line is longer than 1048576 bytes' }],
      [2, { a: 2 }],
    ])
  })

  it('must be UTF-8', async () => {
    await expect(rowsOf(Buffer.from([0x7b, 0xff, 0x7d]), 'ndjson')).rejects.toThrow(FileError)
  })
})

describe('CSV', () => {
  it('has names first, groups behind a dot, lists as JSON, and nothing for an empty cell', async () => {
    const rows = await rowsOf('\ufeffa,g.b,g.c,list\n1,"x, ""y""\nz",,"[{""d"":1}]"\n', 'csv')
    expect(rows.map(shown)).toEqual([[3, { a: '1', g: { b: 'x, "y"\nz' }, list: [{ d: 1 }] }]])
  })

  it.each([
    ["'=1+1", '=1+1'],
    ["''=1", "'=1"],
    ["'-", '-'],
    ["'x", "'x"],
    ['-1', '-1'],
  ])('reads the cell %s as %s', async (cell, text) => {
    expect((await rowsOf(`a,b\n${cell},1\n`, 'csv')).map(({ record }) => record)).toEqual([{ a: text, b: '1' }])
  })

  it('tells of a row with another number of cells, and of a list that is none', async () => {
    const rows = await rowsOf('a,b\n1\n1,[{x\n1,2\n', 'csv')
    expect(rows.map(({ problem }) => problem?.message)).toEqual([
      '1 cells, where the first line has 2 names',
      expect.stringContaining('the list in it cannot be read'),
      undefined,
    ])
  })

  it('is refused as a whole when a quote is never closed', async () => {
    await expect(rowsOf('a,b\n"1,2\n', 'csv')).rejects.toThrow(FileError)
  })
})

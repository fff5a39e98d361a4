import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { group, list, value } from '../../model/document.ts'
import { findTable, type GivenForms } from './csv-table.ts'
import { type FileRow, readRows } from './read-rows.ts'
import { FileError } from './text-lines.ts'

const properties = {
  a: value('string', 'a'),
  b: value('string', 'b'),
  g: group({ b: value('string', 'gb'), c: value('string', 'gc') }),
  list: list({ d: value('integer', { path: ['d'] }) }, { json: 'list' }),
}

async function rowsOf(
  text: string | Buffer,
  format: 'csv' | 'ndjson',
  chunkSize = 7,
  given: GivenForms = {},
): Promise<FileRow[]> {
  const bytes = Buffer.from(text)
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunkSize) }, (_, index) =>
    bytes.subarray(index * chunkSize, (index + 1) * chunkSize),
  )
  const open = () => Readable.from(chunks, { objectMode: false })
  const table = format === 'csv' ? await findTable(open, properties, given) : undefined
  return (await Array.fromAsync(readRows(open(), table))).flat()
}

const problemOf = ({ problems }: FileRow) => problems?.[0]
const shown = (row: FileRow) => [row.line, row.record ?? problemOf(row)]

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
    expect(rows.map(shown)).toEqual([[2, { a: '1', g: { b: 'x, "y"\nz' }, list: [{ d: 1 }] }]])
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
    const rows = await rowsOf('a,list\n1\n1,[{x\n1,[]\n', 'csv')
    expect(rows.map((row) => problemOf(row)?.message)).toEqual([
      expect.stringMatching(/^1 cells, where the first line has 2 names; a column that is always filled/),
      expect.stringContaining('the list in it cannot be read'),
      undefined,
    ])
  })

  it.each([
    ['without quotes', 'x'],
    ['with quotes', '"x"'],
  ])('rejects a row of very many cells %s alone, and no file has a first line of them', async (_how, cell) => {
    const cells = ','.repeat(10_000)
    const rows = await rowsOf(`a,b\n1,2\n${cell}${cells}\n3,4\n`, 'csv', 100_000)
    expect(rows.map(shown)).toEqual([
      [2, { a: '1', b: '2' }],
      [3, { column: '', message: 'the row has more than 10000 cells' }],
      [4, { a: '3', b: '4' }],
    ])
    await expect(rowsOf(`a${cells}\n1\n`, 'csv', 100_000)).rejects.toThrow('more than 10000 cells')
    const long = rowsOf(`a${cells.repeat(30)}\n1\n`, 'csv', 1_000_000)
    await expect(long).rejects.toThrow('the first line cannot be read: it has more than 262144 characters')
  })

  it('passes over empty rows and empty cells behind the last name, and tells of others', async () => {
    const rows = await rowsOf('a;b;;\n1;2;;;;\n;;;;\n\n3;4;;;x\n5;6;7;\n', 'csv')
    expect(rows.map(shown)).toEqual([
      [2, { a: '1', b: '2' }],
      [
        5,
        {
          column: '',
          message: '5 cells, where the first line has 4 names; a cell with a separator in it must stand in quotes',
        },
      ],
      [6, { column: '', message: 'a cell without a name in the first line' }],
    ])
  })

  it('has items of lists in columns, those without any cell left out', async () => {
    const rows = await rowsOf('a,list.1.d,list.3.d\n1,,7\n2,,\n3,5,6\n', 'csv')
    expect(rows.map(({ record }) => record)).toEqual([
      { a: '1', list: [{ d: '7' }] },
      { a: '2' },
      { a: '3', list: [{ d: '5' }, { d: '6' }] },
    ])
  })

  it.each([
    ['sep=;\na;b\n1;2\n', {}],
    ['a|b\n1|2\n', {}],
    ['a\tb\n1\t2\n', {}],
    ['"a";"b"\n1;2\n', { separator: ';' }],
  ])('has its separator found or given: %j', async (text, given) => {
    expect((await rowsOf(text, 'csv', 7, given)).map(({ record }) => record)).toEqual([{ a: '1', b: '2' }])
  })

  it('leaves a text alone that only looks like a list', async () => {
    expect((await rowsOf('a\n[{b\n[]\n', 'csv')).map(({ record }) => record)).toEqual([{ a: '[{b' }, { a: '[]' }])
  })

  it('takes a quote within a cell without quotes for a letter', async () => {
    const rows = await rowsOf('a,b\n1,say "hi" you\n5" pipe,"x"\n7", "y"\n', 'csv')
    expect(rows.map(({ record }) => record)).toEqual([
      { a: '1', b: 'say "hi" you' },
      { a: '5" pipe', b: 'x' },
      { a: '7"', b: ' "y"' },
    ])
  })

  const GOES_ON = /^the cell goes on behind the quote that closes it in line \d; a quote/
  const OPEN = /^a quote that is opened in line \d is not closed; a quote/
  it.each([
    ['with text behind the quote', '"3"3,y', GOES_ON],
    ['with a blank behind the quote', '"3" ,y', GOES_ON],
    ['that begins with a quoted word', '"Best" offer,y', GOES_ON],
    ['with quotes behind a backslash', '"a \\"b\\" c",y', GOES_ON],
    ['with a quote that is never closed', '3,"Best offer', OPEN],
    ['with a quote behind a backslash at the end', '3,"5\\""', OPEN],
  ])('tells of a row %s, and reads those around it', async (_what, row, message) => {
    for (const separator of [',', ';', '\t']) {
      const rowOf = (text: string) => text.replaceAll(',', separator)
      const [first, second, third, bad] = ['1,2', '4,"z ""y"" z"', '5,5', row].map(rowOf)
      const rows = await rowsOf([rowOf('a,b'), first, bad, second, third, bad, third].join('\r\n'), 'csv')
      expect(rows.map((one) => [one.line, one.record ?? [one.text, problemOf(one)?.message]])).toEqual([
        [2, { a: '1', b: '2' }],
        [3, [bad, expect.stringMatching(message)]],
        [4, { a: '4', b: 'z "y" z' }],
        [5, { a: '5', b: '5' }],
        [6, [bad, expect.stringMatching(message)]],
        [7, { a: '5', b: '5' }],
      ])
    }
  })

  it('takes no other rows into a cell that is opened by mistake', async () => {
    const good = Array.from({ length: 50 }, (_one, at) => `g${at},x,y`)
    for (const end of ['z,5",y', 'z,"w",y', 'z,x"']) {
      const rows = await rowsOf(['a,b,g.b', 'q,"Best offer,y', ...good, end, ...good].join('\n'), 'csv')
      const refused = rows.filter(({ record }) => !record).map(({ line }) => line)
      expect([end, refused]).toEqual([end, end === 'z,x"' ? [2, 53] : [2]])
      expect(rows).toHaveLength(102)
    }
  })

  it('keeps the lines of a text together, also if its row is malformed or has commas in it', async () => {
    const text = 'a,b,g.b\n1,"x\ny" z,2\n2,"Mill, Oslo, Norway\n1, 2",3\n3,"a\nb,c\nd,e\nf",4\n'
    expect((await rowsOf(text, 'csv')).map(shown)).toEqual([
      [2, { column: '', message: expect.stringMatching(GOES_ON) }],
      [4, { a: '2', b: 'Mill, Oslo, Norway\n1, 2', g: { b: '3' } }],
      [6, { a: '3', b: 'a\nb,c\nd,e\nf', g: { b: '4' } }],
    ])
  })

  it('passes over lines of blanks and the end mark of MS-DOS', async () => {
    const rows = await rowsOf('a,b\r\n1,2\r\n   \r\n \t,  \r\n3,4\r\n\u001a', 'csv')
    expect(rows.map(shown)).toEqual([
      [2, { a: '1', b: '2' }],
      [5, { a: '3', b: '4' }],
    ])
  })

  it.each([
    ['a line that is too long', `${'x'.repeat(2_000_000)}\n`, 'line 2 of the file is longer than 1048576 bytes'],
    ['no UTF-8', Buffer.from([0x31, 0xe6, 10]), 'line 2 of the file is not UTF-8'],
    ['half a character at the end', Buffer.from([0x31, 10, 0xc3]), 'line 3 of the file is not UTF-8'],
  ])('is refused as a whole for %s', async (_what, rest, message) => {
    const text = Buffer.concat([Buffer.from('a,b\n'), Buffer.from(rest)])
    await expect(rowsOf(text, 'csv', 65_536)).rejects.toThrow(new FileError(message))
  })
})

import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { describe, expect, it } from 'vitest'
import { readParquet } from '../../test/support/parquet-file.ts'
import type { ColumnType } from './parquet-columns.ts'
import { ParquetFile } from './parquet-file.ts'

type Json = string | number | boolean | Json[] | { [name: string]: Json }

/** The file of rows that are given as JSON, in chunks of any size. */
function fileOf(types: readonly ColumnType[], lines: readonly string[], linesAtOnce = 700): ArrayBuffer {
  const parts: Buffer[] = []
  const columns = types.map((type, at) => ({ name: `c${at}`, type }))
  const file = new ParquetFile({ columns, about: { a: '\u00fc' }, createdBy: 'test' }, (bytes) =>
    parts.push(Buffer.from(bytes)),
  )
  for (let at = 0; at < lines.length; at += linesAtOnce) {
    file.addRows(
      Buffer.from(
        lines
          .slice(at, at + linesAtOnce)
          .map((line) => `${line}\n`)
          .join(''),
      ),
    )
  }
  expect(file.end()).toBe(lines.length)
  return Uint8Array.from(Buffer.concat(parts)).buffer
}

const read = async (types: readonly ColumnType[], rows: readonly (readonly Json[])[]) => {
  const file = fileOf(
    types,
    rows.map((row) => JSON.stringify(row)),
  )
  const found = await parquetReadObjects({ file, utf8: true })
  return found.map((row) => Object.values(row))
}

const decimal = (precision: number, scale: number) => ({ kind: 'decimal', precision, scale }) as const
const kind = (name: Exclude<ColumnType['kind'], 'decimal'>) => ({ kind: name })

/** Reproducible numbers in [0, 1). */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

describe('a Parquet file', () => {
  it('has the very texts, whatever they contain', async () => {
    const texts = [
      '',
      '"',
      '\\',
      '\\"',
      'a,b',
      '],[',
      '}{:',
      '\n\r\t',
      '\u0000\u0001',
      '\u00c5',
      '\u{1f600}',
      '\u2028',
      'null',
      '1',
      ' ',
    ]
    const next = numbers(1)
    const pick = () => texts[Math.floor(next() * texts.length)] as string
    const rows = Array.from({ length: 5_000 }, (_, no) => [pick() + pick(), pick(), String(no)])
    expect(await read([kind('string'), kind('string'), kind('string')], rows)).toEqual(rows)
  })

  it('tells texts of equal hashes apart', async () => {
    const rows = ['Aa', 'BB', 'AaAa', 'BBBB', 'AaBB', 'BBAa', 'Aa'].map((text) => [text])
    expect(await read([kind('string')], rows)).toEqual(rows)
  })

  it('has the bounds of each column, by which readers skip groups of rows', () => {
    const lines = [
      '[5,"b",0.5,"2026-01-02T00:00:00.000Z",-0.5]',
      '[-7,"a",-1,"2026-01-01T00:00:00.000Z",2]',
      '[6,"c",2,"2026-01-03T00:00:00.000Z",1]',
    ]
    const types = [kind('integer'), kind('string'), kind('double'), kind('timestamp'), decimal(38, 1)]
    const { row_groups } = parquetMetadata(fileOf(types, lines))
    const bounds = row_groups[0]?.columns.map(({ meta_data }) => meta_data?.statistics)
    const day = (no: number) => new Date(`2026-01-0${no}T00:00:00.000Z`)
    expect(bounds?.map((one) => [one?.min_value, one?.max_value, one?.null_count])).toEqual([
      [-7n, 6n, 0n],
      ['a', 'c', 0n],
      [-1, 2, 0n],
      [day(1), day(3), 0n],
      [-0.5, 2, 0n],
    ])
  })

  it('has the values of the row before only where they are the same', async () => {
    const rows = ['1', '12', '1', '', '1', '"1', '1"'].flatMap((text) =>
      [1, 12, 1, 123].map((number) => [text, number, text]),
    )
    const found = await read([kind('string'), kind('integer'), kind('string')], rows)
    expect(found).toEqual(rows.map(([one, number, other]) => [one, BigInt(number as number), other]))
  })

  it('has exact decimals of both lengths, from plain numbers and those with exponents', async () => {
    const lines = [
      '[-0.0001,1]',
      '[99999999999999.9999,12345678901234567890123456789012.345678]',
      '[1e3,-1.5E-5]',
      '[0,0]',
    ]
    const file = fileOf([decimal(18, 4), decimal(38, 6)], lines)
    const { rows, types } = await readParquet(Buffer.from(file))
    expect(types).toEqual({ c0: 'DECIMAL(18,4)', c1: 'DECIMAL(38,6)' })
    expect(rows.map((row) => Object.values(row))).toEqual([
      ['-0.0001', '1.000000'],
      ['99999999999999.9999', '12345678901234567890123456789012.345678'],
      ['1000.0000', '-0.000015'],
      ['0.0000', '0.000000'],
    ])
    const metadata = parquetMetadata(file)
    const bounds = metadata.row_groups[0]?.columns.map(({ meta_data }) => meta_data?.statistics)
    expect(bounds?.[0]).toMatchObject({ null_count: 0n })
    expect(metadata.schema.slice(1).map(({ type, precision, scale }) => [type, precision, scale])).toEqual([
      ['INT64', 18, 4],
      ['FIXED_LEN_BYTE_ARRAY', 38, 6],
    ])
    expect(() => fileOf([decimal(18, 4)], ['[0.00001]'])).toThrow('more digits than decimal(18, 4)')
    expect(() => fileOf([decimal(38, 6)], [`[1${'0'.repeat(32)}]`])).toThrow('more digits than decimal(38, 6)')
  })

  it('has integers of 64 bits, doubles, booleans, dates from year 1 on, and lists', async () => {
    const lines = [
      '[9223372036854775807,1e300,true,"0001-01-01T00:00:00.000Z",[{"a":"]"},[]]]',
      '[-9223372036854775808,-0.1,false,"9999-12-31T23:59:59.999",{"b":1}]',
      '[0,"Infinity",false,"1900-01-01T00:00:00.000Z",[]]',
    ]
    const file = fileOf([kind('integer'), kind('double'), kind('boolean'), kind('timestamp'), kind('json')], lines)
    const rows = await parquetReadObjects({ file })
    expect(rows.map((row) => Object.values(row))).toEqual([
      [2n ** 63n - 1n, 1e300, true, new Date('0001-01-01T00:00:00.000Z'), [{ a: ']' }, []]],
      [-(2n ** 63n), -0.1, false, new Date('9999-12-31T23:59:59.999Z'), { b: 1 }],
      [0n, Number.POSITIVE_INFINITY, false, new Date('1900-01-01T00:00:00.000Z'), []],
    ])
  })

  it('takes rows as objects, whose names mean nothing', async () => {
    const file = fileOf([kind('integer'), kind('string')], ['{"c0":1,"c1":"a:b"}', '{"c0":1,"c1":"a:c"}'])
    expect(await parquetReadObjects({ file })).toEqual([
      { c0: 1n, c1: 'a:b' },
      { c0: 1n, c1: 'a:c' },
    ])
  })

  it('ends a group of rows before its values take too much memory', () => {
    const long = 'x'.repeat(4_000)
    const lines = Array.from({ length: 15_000 }, (_, no) => JSON.stringify([no + long]))
    const { row_groups } = parquetMetadata(fileOf([kind('string')], lines))
    expect(row_groups.length).toBeGreaterThan(3)
    // The memory of its values was used again for those of further groups.
    expect(row_groups[0]?.columns[0]?.meta_data?.statistics?.min_value).toBe(`0${'x'.repeat(15)}`)
    expect(row_groups.reduce((sum, { num_rows }) => sum + Number(num_rows), 0)).toBe(15_000)
  })
})

import { parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
import { afterAll, describe, expect, it } from 'vitest'
import { soon } from '../../test/support/soon.ts'
import type { ByteStream, QueryCaller } from '../store/store.ts'
import { ParquetEncoder } from './parquet-encoder.ts'

const encoder = new ParquetEncoder()
afterAll(() => encoder.close())

const DESCRIPTION = {
  columns: [{ name: 'no', type: { kind: 'integer' } }],
  about: {},
  createdBy: 'test',
} as const

const caller = (member: string, group = 'EN'): QueryCaller => ({ flow: { group, member }, onAbandoned: () => {} })

/** Numbers in lines, so many in all, `delay` after so many of them. */
async function* rows(count: number, pause?: Promise<void>): ByteStream {
  const AT_ONCE = 5_000
  for (let first = 0; first < count; first += AT_ONCE) {
    if (first > 0) await pause
    const some = Array.from({ length: Math.min(AT_ONCE, count - first) }, (_, no) => `[${first + no}]\n`)
    yield Buffer.from(some.join(''))
  }
  return count
}

const encode = (requester: QueryCaller, body: string | Uint8Array | ByteStream) =>
  encoder.encode(
    requester,
    async () => ({ body }),
    () => DESCRIPTION,
  )

async function fileOf(chunks: AsyncIterable<Uint8Array>): Promise<ArrayBuffer> {
  return Uint8Array.from(Buffer.concat(await Array.fromAsync(chunks))).buffer
}

describe('the encoder', () => {
  it('streams a file of several groups, in a process that serves the next one too', async () => {
    for (const count of [0, 1, 1_000, 1_001, 250_000]) {
      const { body } = await encode(caller('a'), rows(count))
      const file = await fileOf(body)
      const { num_rows, row_groups } = await parquetMetadataAsync(file)
      expect(Number(num_rows)).toBe(count)
      expect(row_groups.length).toBe(count === 0 ? 0 : count <= 1_000 ? 1 : 1 + Math.ceil((count - 1_000) / 100_000))
      const last = await parquetReadObjects({ file, rowStart: Math.max(0, count - 2), rowEnd: count })
      expect(last.map(({ no }) => Number(no))).toEqual([count - 2, count - 1].filter((no) => no >= 0))
    }
    expect(encoder.figures).toMatchObject({ running: 0 })
  })

  it('takes answers that are complete, and chunks that end within a row', async () => {
    const whole = await encode(caller('a'), '[1]\n[2]\n')
    expect(await parquetReadObjects({ file: await fileOf(whole.body) })).toEqual([{ no: 1n }, { no: 2n }])
    async function* pieces(): ByteStream {
      for (const piece of ['[', '10', ']\n[', '2', '0]', '\n']) yield Buffer.from(piece)
      return 2
    }
    const cut = await encode(caller('a'), pieces())
    expect(await parquetReadObjects({ file: await fileOf(cut.body) })).toEqual([{ no: 10n }, { no: 20n }])
  })

  it('throws what reading the rows throws, whenever that is, and frees its process', async () => {
    const failing = async function* (before: number): ByteStream {
      yield* rows(before)
      throw new Error('the query failed')
    }
    await expect(encode(caller('a'), failing(10))).rejects.toThrow('the query failed')
    const late = await encode(caller('a'), failing(300_000))
    await expect(fileOf(late.body)).rejects.toThrow('the query failed')
    await expect(encode(caller('a'), '["x"]\n')).rejects.toThrow('no Parquet file can be written')
    const unread = encoder.encode(
      caller('a'),
      () => Promise.reject(new Error('no session')),
      () => DESCRIPTION,
    )
    await expect(unread).rejects.toThrow('no session')
    await soon(() => expect(encoder.figures).toMatchObject({ running: 0 }))
  })

  it('ends the query and the process when nobody reads on', async () => {
    let isEnded = false
    const endless = async function* (): ByteStream {
      try {
        for (;;) yield* rows(100_000)
      } finally {
        isEnded = true
      }
    }
    const { body } = await encode(caller('a'), endless())
    await body.next()
    await body.return(0)
    await soon(() => expect([isEnded, encoder.figures.running]).toEqual([true, 0]))
  })

  it('writes one file for a client at a time, two for a company and three in all', async () => {
    let resume = () => {}
    const pause = new Promise<void>((resolve) => {
      resume = resolve
    })
    const members = ['a', 'a', 'b', 'c'].map((member) => caller(member)).concat(caller('x', 'SV'))
    const begun: number[] = []
    const files = members.map(async (requester, no) => {
      const { body } = await encoder.encode(
        requester,
        async () => {
          begun.push(no)
          return { body: rows(20_000, pause) }
        },
        () => DESCRIPTION,
      )
      return (await parquetMetadataAsync(await fileOf(body))).num_rows
    })
    await soon(() => expect(begun.length).toBe(3))
    expect(begun.toSorted()).toEqual([0, 2, 4])
    resume()
    expect(await Promise.all(files)).toEqual(members.map(() => 20_000n))
  })
})

// The rows of a page, as the database made them, within the object that OData asks for.
import { prepend } from '../base/byte-stream.ts'
import type { ValueType } from '../model/document.ts'
import type { SelectedProperty } from '../query/plan-select.ts'
import type { CollectionAnswer } from '../store/collection.ts'
import type { ByteStream } from '../store/store.ts'

type Body = CollectionAnswer['body']

/** So much is read before an answer begins, because most answers are shorter. */
const LOOK_AHEAD_BYTES = 1024 * 1024

interface ReadRows {
  readonly body: Body
  /** False: there are fewer rows than were asked for, so nothing comes behind them. */
  readonly mayBeFull: boolean
}

/** Reads the start of the rows. `shortest`: the least length of a row in bytes. */
export async function startOf(body: Body, rows: number, shortest: number): Promise<ReadRows> {
  if (typeof body === 'string' || body instanceof Uint8Array) {
    return { body, mayBeFull: body.length >= rows * (shortest + 1) }
  }
  const chunks: Uint8Array[] = []
  let bytes = 0
  while (bytes < LOOK_AHEAD_BYTES) {
    const next = await body.next()
    if (next.done) return { body: Buffer.concat(chunks), mayBeFull: next.value >= rows }
    chunks.push(next.value)
    bytes += next.value.length
  }
  return { body: prepend(chunks, body), mayBeFull: true }
}

export function framed(before: string, body: Body, after: string): Body {
  if (typeof body === 'string') return before + body + after
  if (body instanceof Uint8Array) return Buffer.concat([Buffer.from(before), body, Buffer.from(after)])
  return prepend([Buffer.from(before)], append(body, Buffer.from(after)))
}

/** The stream, and a chunk behind its end. */
function append(stream: ByteStream, last: Uint8Array): ByteStream {
  let rows: number | undefined
  return {
    async next() {
      if (rows !== undefined) return { done: true, value: rows }
      const next = await stream.next()
      if (!next.done) return next
      rows = next.value
      return { done: false, value: last }
    },
    return: (result) => stream.return(result),
    throw: (error) => stream.throw(error),
    [Symbol.asyncDispose]: () => stream[Symbol.asyncDispose](),
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

/** The least length of a row with these members: its names, and the shortest values. */
export function shortestRow(select: readonly SelectedProperty[]): number {
  const members = select.reduce((sum, one) => sum + one.name.length + '"":,'.length + shortestValue(one), 0)
  return '{}'.length + Math.max(0, members - 1)
}

const SHORTEST: Readonly<Record<ValueType, number>> = {
  string: '""'.length,
  integer: 1,
  number: 1,
  decimal: 1,
  exact: 1,
  boolean: 'true'.length,
  'date-time': '"2026-01-01"'.length,
}

function shortestValue(selected: SelectedProperty): number {
  switch (selected.kind) {
    case 'group':
    case 'association':
      return shortestRow(selected.properties)
    case 'value':
      return SHORTEST[selected.property.type]
    default:
      return '[]'.length
  }
}

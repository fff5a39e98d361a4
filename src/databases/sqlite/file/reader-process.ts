// A process that runs queries which may take long: a running statement cannot be interrupted, but a process can be
// killed. It waits for a query, answers it in chunks, and waits again; a full pipe blocks it, so it never runs ahead.
import { flushCompileCache } from 'node:module'
import type { StatementSync } from 'node:sqlite'
import { LRUCache } from 'lru-cache'
import { lowerPriority } from '../../../base/process/processes.ts'
import { FrameKind, receiveFrame, sendFrame } from '../../../process-pool/frames.ts'
import type { SqlValue } from '../../../sql/dialect.ts'
import { AnswerBytes } from '../../../store/answer-bytes.ts'
import type { CollectionQuery } from '../../../store/store.ts'
import { authorizeReading, firstColumn, openReader } from '../dialect/connection.ts'
import { isSqliteError } from '../dialect/faults.ts'
import { addFunctions } from '../dialect/functions.ts'
import { Snapshots } from '../dialect/snapshots.ts'

export interface ReaderQuery extends Pick<CollectionQuery, 'format' | 'cells' | 'style'> {
  readonly companyId: string
  readonly text: string
  readonly parameters: readonly SqlValue[]
  /** The places of parameters that follow in frames of their own: long texts, which would be escaped otherwise. */
  readonly followed?: readonly number[]
  /** The statement returns one value, which is sent as one chunk. */
  readonly isSingleValue: boolean
  /** True: all chunks together must be produced within the query timeout; otherwise each of them. */
  readonly isBounded?: boolean
}

/** An error; an SQLite error has its extended result code, so that the service can classify it. */
export interface Failure {
  readonly errcode?: number
  readonly message: string
}

const [, , file = '', ...attached] = process.argv

// Queries here take long anyway; a point read in the service does not.
lowerPriority()
const connection = openReader(file, attached)
const prepareQuery = authorizeReading(connection)
addFunctions(connection)
const snapshots = new Snapshots(connection)
// This process will be killed, and the next one should find the compiled code.
flushCompileCache()

/** Query texts differ only in the positions of literals. */
const PREPARED_QUERIES = 100
/** In characters: a statement takes about ten bytes for each. */
const PREPARED_TEXTS = 200_000
const statements = new LRUCache<string, StatementSync>({
  max: PREPARED_QUERIES,
  maxSize: PREPARED_TEXTS,
  sizeCalculation: (_statement, text) => text.length + 1,
})

sendFrame(FrameKind.ready, '')
for (let body = receiveFrame(); body; body = receiveFrame()) {
  try {
    sendFrame(FrameKind.end, String(answerOf(completed(JSON.parse(body.toString())))))
  } catch (error) {
    const { message } = error as Error
    const failure: Failure = { message, ...(isSqliteError(error) ? { errcode: error.errcode } : {}) }
    sendFrame(FrameKind.failure, JSON.stringify(failure))
  }
}
connection.close()

function completed(query: ReaderQuery): ReaderQuery {
  const parameters = [...query.parameters]
  for (const place of query.followed ?? []) parameters[place] = receiveFrame()?.toString() ?? ''
  return { ...query, parameters }
}

/** Sends the change number and the chunks of an answer, and returns the number of its rows. */
function answerOf(query: ReaderQuery): number {
  const statement = statements.get(query.text) ?? prepareQuery(query.text)
  statements.set(query.text, statement)
  return snapshots.read(query.companyId, (changeNumber) => {
    sendFrame(FrameKind.head, String(changeNumber))
    return sendRows(statement, query)
  })
}

function sendRows(statement: StatementSync, { parameters, isSingleValue, ...format }: ReaderQuery): number {
  if (isSingleValue) {
    sendFrame(FrameKind.chunk, String(firstColumn(statement, parameters)))
    return 1
  }
  const answer = new AnswerBytes(format)
  const isCells = format.format === 'csv'
  for (const row of statement.iterate(...parameters) as unknown as Iterable<[string]>) {
    answer.add(isCells ? row : row[0])
    for (const chunk of answer.takeChunks()) sendFrame(FrameKind.chunk, chunk)
  }
  sendFrame(FrameKind.chunk, answer.end())
  return answer.rows
}

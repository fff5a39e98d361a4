// A process that runs queries which may take long: a running statement cannot be interrupted, but a process can be
// killed. It waits for a query, answers it in chunks, and waits again; a full pipe blocks it, so it never runs ahead.
import { readSync, writeSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { constants, setPriority } from 'node:os'
import type { StatementSync } from 'node:sqlite'
import { LRUCache } from 'lru-cache'
import { AnswerText } from '../../../answer-text.ts'
import { firstColumn, openQueryReader, prepareArrays } from '../connection.ts'
import { isSqliteError } from '../faults.ts'
import { addFunctions } from '../functions/fold-case.ts'
import { CHANNEL, HEADER_BYTES, headerOf, Kind, type ReaderQuery } from './frames.ts'

const [, , file = '', ...attached] = process.argv

// Queries here take long anyway; a point read in the service does not.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
const connection = openQueryReader(file, attached)
addFunctions(connection)
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

for (;;) {
  const query = nextQuery()
  if (query === undefined) break
  try {
    send(Kind.end, String(answer(query)))
  } catch (error) {
    const { message } = error as Error
    send(Kind.failure, JSON.stringify({ message, ...(isSqliteError(error) ? { errcode: error.errcode } : {}) }))
  }
}
connection.close()

/** Sends the chunks of an answer and returns the number of its rows. */
function answer({ text, parameters, isSingleValue, ...format }: ReaderQuery): number {
  const statement = statements.get(text) ?? prepareArrays(connection, text)
  statements.set(text, statement)
  if (isSingleValue) {
    send(Kind.chunk, String(firstColumn(statement, parameters)))
    return 1
  }
  const answerText = new AnswerText(format)
  const isCells = format.format === 'csv'
  for (const row of statement.iterate(...parameters) as unknown as Iterable<[string]>) {
    if (answerText.add(isCells ? row : row[0])) send(Kind.chunk, answerText.takeChunk())
  }
  send(Kind.chunk, answerText.end())
  return answerText.rows
}

/** Undefined when the service has ended. */
function nextQuery(): ReaderQuery | undefined {
  const header = readExactly(HEADER_BYTES)
  const body = header && readExactly(header.readUInt32LE())
  return body && (JSON.parse(body.toString()) as ReaderQuery)
}

function readExactly(length: number): Buffer | undefined {
  const buffer = Buffer.allocUnsafe(length)
  for (let read = 0; read < length; ) {
    const count = readSync(CHANNEL, buffer, read, length - read, null)
    if (count === 0) return undefined
    read += count
  }
  return buffer
}

function send(kind: number, text: string): void {
  const body = Buffer.from(text)
  writeAll(headerOf(kind, body.length))
  writeAll(body)
}

function writeAll(bytes: Buffer): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(CHANNEL, bytes, written)
}

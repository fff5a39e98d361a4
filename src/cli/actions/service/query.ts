// A question of the command line: the rows as they come, in the form that is asked for.
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Client, type ClientRequest, createClient } from '#client'
import { digitsAsWritten, parseAsWritten } from '../../../base/long-number.ts'
import type { ServiceCredentials } from '../../settings/logins.ts'
import { badUsage } from '../../terminal/bad-usage.ts'
import { shownJson, shownLines, tableOf } from '../../terminal/terminal-text.ts'
import { answersTo, decodedBody, linesIn } from './answers.ts'
import { asking } from './asking.ts'

export interface QueryFlags {
  readonly select?: string
  readonly filter?: string
  readonly orderBy?: string
  readonly limit?: number
  readonly groupBy?: string
  readonly aggregate?: string
  readonly company?: string
  readonly format?: 'table' | 'json' | 'ndjson' | 'csv'
}

export interface Outputs {
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean }
  readonly error: NodeJS.WritableStream
}

/** A table is read by people. */
const TABLE_ROWS = 100

/** Nothing is printed of a question that the service refuses. */
export async function printQuery(
  credentials: ServiceCredentials,
  document: string,
  flags: QueryFlags,
  { output, error }: Outputs,
): Promise<void> {
  const isTerminal = output.isTTY === true
  const format = flags.format ?? (isTerminal ? 'table' : 'ndjson')
  const client = createClient(credentials, { company: flags.company })
  const request = requestFor(document, flags)
  await asking(credentials, async () => {
    if (format === 'table') return await printTable(client, request, flags.limit, { output, error })
    const shows = format === 'csv' ? shownLines : shownJson
    const texts = textsOf(format, client, request)
    await pipeline(Readable.from(isTerminal ? mapped(texts, shows) : texts), output, { end: false })
  })
}

function requestFor(document: string, flags: QueryFlags): ClientRequest {
  const [, name, parameters] = /^([\w-]+)(?:\?(.*))?$/s.exec(document) ?? []
  if (name === undefined) throw badUsage(`argument 'document': ${document} is no name of a document`)
  const query = {
    ...Object.fromEntries(new URLSearchParams(parameters)),
    $select: flags.select,
    $filter: flags.filter,
    $orderby: flags.orderBy,
    $groupby: flags.groupBy,
    $aggregate: flags.aggregate,
    $limit: flags.limit,
  }
  return { path: `/v1/objects/${name}`, query, headers: { accept: 'application/x-ndjson' }, streams: true }
}

async function* textsOf(format: 'json' | 'ndjson' | 'csv', client: Client, request: ClientRequest) {
  if (format === 'csv') return yield* csvOf(answersTo(client, { ...request, headers: { accept: 'text/csv' } }))
  if (format === 'json') return yield* arrayOf(linesIn(answersTo(client, request)))
  for await (const answer of answersTo(client, request)) yield* decodedBody(answer)
}

/** The rows of one array, with the digits that the service has sent. */
async function* arrayOf(lines: AsyncIterable<string>): AsyncGenerator<string, void> {
  let before = '['
  for await (const line of lines) {
    yield `${before}\n${line}`
    before = ','
  }
  yield before === '[' ? '[]\n' : '\n]\n'
}

/** Each answer begins with the names of the columns; they are printed once. */
export async function* csvOf(answers: AsyncIterable<Response>): AsyncGenerator<string, void> {
  let isFirst = true
  for await (const answer of answers) {
    let isInHeading = !isFirst
    for await (const text of decodedBody(answer)) {
      const end = isInHeading ? text.indexOf('\n') : -1
      if (!isInHeading || end !== -1) yield text.slice(end + 1)
      isInHeading &&= end === -1
    }
    isFirst = false
  }
}

async function* mapped(texts: AsyncIterable<string>, map: (text: string) => string): AsyncGenerator<string, void> {
  for await (const text of texts) yield map(text)
}

async function printTable(client: Client, request: ClientRequest, limit: number | undefined, outputs: Outputs) {
  const query = { ...request.query, $limit: limit ?? TABLE_ROWS + 1 }
  const lines: string[] = []
  for await (const line of linesIn(answersTo(client, { ...request, query }))) lines.push(line)
  const isCut = limit === undefined && lines.length > TABLE_ROWS
  const { headings, rows } = tableCells(isCut ? lines.slice(0, TABLE_ROWS) : lines)
  if (headings.length > 0) outputs.output.write(tableOf(headings, rows))
  if (rows.length === 0) outputs.error.write('no records\n')
  if (isCut) outputs.error.write(`the first ${TABLE_ROWS}; --limit tells how many, --format ndjson prints all\n`)
}

interface Cells {
  /** Such as `invoice.creditLimit`, in the order in which the rows have them. */
  readonly headings: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** Rows of JSON as the cells of a table: members of groups are columns, lists are JSON. */
export function tableCells(lines: readonly string[]): Cells {
  const rows = lines.map((line) => new Map(cellsIn(parseAsWritten(line), '')))
  const headings = [...new Set(rows.flatMap((row) => [...row.keys()]))]
  return { headings, rows: rows.map((row) => headings.map((heading) => row.get(heading) ?? '')) }
}

function cellsIn(value: unknown, name: string): (readonly [string, string])[] {
  const digits = digitsAsWritten(value)
  if (digits !== undefined) return [[name, digits]]
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return [[name, typeof value === 'string' ? value : JSON.stringify(value)]]
  return Object.entries(value).flatMap(([member, inner]) => cellsIn(inner, name === '' ? member : `${name}.${member}`))
}

// Exports of all posted ledger lines, as NDJSON and as CSV, streamed.

import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { Readable } from 'node:stream'
import { LEDGER_MEMBERS, POSTED_IN_ORDER } from '../questions/ledger-export.ts'
import { type Members, SQLITE, statementOf } from '../questions/question.ts'
import type { Handler } from './handler.ts'

const PIECE = 64 * 1024

export function exportHandlers(db: DatabaseSync): Handler[] {
  const question = { name: '', answer: 'record', select: LEDGER_MEMBERS, from: POSTED_IN_ORDER } as const
  const asJson = db.prepare(statementOf({ ...question, ask: () => ({}), service: () => '' }, SQLITE).text)
  const columns = columnsOf(LEDGER_MEMBERS)
  const asCells = db.prepare(`select ${columns.map(([, expression]) => expression).join(', ')} ${POSTED_IN_ORDER}`)
  const head = `${columns.map(([name]) => name).join(',')}\r\n`
  const exported = (path: string, type: string, pieces: () => Iterable<string>): Handler => ({
    method: 'GET',
    path,
    segments: 0,
    answer: () => ({ status: 200, type, stream: Readable.from(pieces(), { objectMode: false }) }),
  })
  return [
    exported('/export/ndjson', 'application/x-ndjson', () => pieces(asJson, ([text]) => `${text}\n`)),
    exported('/export/csv', 'text/csv; charset=utf-8', () => pieces(asCells, csvLine, head)),
  ]
}

type Cells = readonly unknown[]

function* pieces(rows: StatementSync, lineOf: (cells: Cells) => string, head = ''): Generator<string> {
  rows.setReturnArrays(true)
  let piece = head
  for (const row of rows.iterate() as Iterable<unknown>) {
    piece += lineOf(row as Cells)
    if (piece.length < PIECE) continue
    yield piece
    piece = ''
  }
  yield piece
}

function csvLine(cells: Cells): string {
  let line = ''
  for (const cell of cells) {
    const text = typeof cell === 'string' ? cell : String(cell)
    line += /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}",` : `${text},`
  }
  return `${line.slice(0, -1)}\r\n`
}

function columnsOf(members: Members, group = ''): [name: string, expression: string][] {
  return Object.entries(members).flatMap(([name, member]): [string, string][] =>
    typeof member === 'string' ? [[group + name, member]] : columnsOf(member as Members, `${group}${name}.`),
  )
}

// What a floor does for each request: the service's own SQL on the same data, with JSON made by SQLite, and no checks.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { Writable } from 'node:stream'
import type Database from 'better-sqlite3'
import { openWriter } from '../src/store/dialects/sqlite/connection.ts'
import { addFunctions } from '../src/store/dialects/sqlite/fold-case.ts'
import type { CompiledQuery } from '../src/store/store.ts'
import { commitEach, commitTogether } from './committer.ts'
import { collectionQuery, documentQuery, statementText } from './service-sql.ts'

export interface Floor {
  single(attributeValue: string): string
  customer(customerId: string): string
  collection(query: string): string
  /** Answers a question to an object endpoint, given as path and query. */
  document(url: string): string
  /** All rows of one, an object a line, written as they are read. */
  exported(url: string, response: Writable): Promise<void>
  /** Resolves with the stored record when it is committed. */
  create(body: string): Promise<string>
  patch(attributeValue: string, body: string): Promise<string>
}

const AT = '2026-01-01T00:00:00.000Z'
const INSERT = `
  insert into attribute_value (company_id, attribute_id, attribute_value, period_to, description, status, custom_value, updated_at)
  values ('EN', ?, ?, 209912, ?, 'N', ?, '${AT}')`
const UPDATE = `
  update attribute_value set description = ?, updated_at = '${AT}'
  where company_id = 'EN' and attribute_id = 'C1' and attribute_value = ? and period_from = 0`

/** Opens the data file; `shared` says whether writes that arrive together share a commit. */
export function openFloor(file: string, shared: boolean): Floor {
  const db = openFile(file)
  const single = db.prepare(statementText('find_attribute_value')).raw()
  const customer = db.prepare(statementText('find_customer')).raw()
  const [insert, update] = [db.prepare(INSERT), db.prepare(UPDATE)]
  const read = (attributeId: string, value: string) => (single.get('EN', attributeId, value, 0) as [number, string])[1]
  const commit = shared ? commitTogether(db) : commitEach(db)
  return {
    single: (value) => read('C1', value),
    customer: (id) => {
      const [before, , after] = customer.get('EN', id) as [string, string, string]
      return `${before.slice(0, -1)},"customFieldGroups":{},${after.slice(1)}`
    },
    collection: answers(db, collectionQuery),
    document: answers(db, documentQuery),
    exported: (url, response) => writeRows(db.prepare(documentQuery(url, 'rows').text).pluck(), url, response),
    create: (body) =>
      commit(() => {
        const { attributeId, attributeValue, description, customValue } = JSON.parse(body)
        insert.run(attributeId, attributeValue, description, customValue)
        return read(attributeId, attributeValue)
      }),
    patch: (value, body) =>
      commit(() => {
        update.run(JSON.parse(body)[0].value, value)
        return read('C1', value)
      }),
  }
}

/** With the settings of the service: a larger cache or laxer durability of either would be no difference of the code. */
function openFile(file: string): Database.Database {
  const db = openWriter(file)
  addFunctions(db)
  return db
}

/** Answers a question; it is compiled when it is first seen, and statements that differ in values only are one. */
function answers(db: Database.Database, compile: (question: string) => CompiledQuery): (question: string) => string {
  const prepared = new Map<string, Database.Statement>()
  const known = new Map<string, { run: Database.Statement; parameters: readonly unknown[] }>()
  const learn = (question: string) => {
    const { text, parameters } = compile(question)
    const run = prepared.get(text) ?? db.prepare(text).pluck()
    prepared.set(text, run)
    known.set(question, { run, parameters })
    return { run, parameters }
  }
  return (question) => {
    const { run, parameters } = known.get(question) ?? learn(question)
    return run.get(...parameters) as string
  }
}

const PIECE = 64 * 1024

async function writeRows(rows: Database.Statement, url: string, response: Writable): Promise<void> {
  let piece = ''
  for (const row of rows.iterate(...documentQuery(url, 'rows').parameters)) {
    piece += `${row}\n`
    if (piece.length < PIECE) continue
    if (!response.write(piece)) await once(response, 'drain')
    piece = ''
  }
  response.end(piece)
}

/** The arguments of a floor's process. Its end is an ordinary one, so that a profile of it is written. */
export function floorArguments(): { file: string; shared: boolean; keys: string } {
  process.once('SIGINT', () => process.exit(0))
  const [file = '', mode = 'shared', keys = ''] = process.argv.slice(2)
  return { file, shared: mode === 'shared', keys: keys && readFileSync(keys, 'utf8') }
}

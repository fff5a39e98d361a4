// What a floor does for each request: the service's own SQL on the same data, with JSON made by SQLite, and no checks.
import { readFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import { baseDataDocument } from '../src/records/attribute-values/attribute-value-document.ts'
import '../src/records/attribute-values/attribute-value-store.ts'
import { readOptions } from '../src/query/options.ts'
import { planCollection } from '../src/query/plan.ts'
import { compileCollection } from '../src/store/compile/compile-query.ts'
import { sqliteCompiler } from '../src/store/dialects/sqlite/compiler.ts'
import { sqliteEngine } from '../src/store/dialects/sqlite/engine.ts'
import { functions, sqliteExpressions } from '../src/store/dialects/sqlite/expressions.ts'
import { compileStatement, declaredStatements } from '../src/store/statement.ts'

export interface Floor {
  single(attributeValue: string): string
  collection(query: string): string
  /** Resolves with the stored record when it is committed. */
  create(body: string): Promise<string>
  patch(attributeValue: string, body: string): Promise<string>
}

const AT = '2026-01-01T00:00:00.000Z'

/** Opens the data file; `shared` says whether writes that arrive together share a commit. */
export function openFloor(file: string, shared: boolean): Floor {
  const db = new Database(file)
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  for (const [name, run] of Object.entries(functions)) db.function(name, { deterministic: true }, run)
  const single = db.prepare(statementText('find_attribute_value')).raw()
  const insert = db.prepare(
    `insert into attribute_value (company_id, attribute_id, attribute_value, period_to, description, status, custom_value, updated_at)
     values ('EN', ?, ?, 209912, ?, 'N', ?, '${AT}')`,
  )
  const update = db.prepare(
    `update attribute_value set description = ?, updated_at = '${AT}' where company_id = 'EN' and attribute_id = 'C1' and attribute_value = ? and period_from = 0`,
  )
  const read = (attributeId: string, value: string) => (single.get('EN', attributeId, value, 0) as [number, string])[1]
  const commit = committer(db, shared)
  const collections = new Map<string, { run: Database.Statement; parameters: readonly unknown[] }>()
  return {
    single: (value) => read('C1', value),
    collection(query) {
      let known = collections.get(query)
      if (!known) {
        const compiled = collectionQuery(query)
        known = { run: db.prepare(compiled.text).pluck(), parameters: compiled.parameters }
        collections.set(query, known)
      }
      return known.run.get(...known.parameters) as string
    },
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

/** The SQL of a statement of the service, as it runs it. */
function statementText(name: string): string {
  const declared = declaredStatements().find((statement) => statement.name === name)
  if (!declared) throw new Error(`the service has no statement ${name}`)
  return compileStatement(sqliteCompiler, sqliteEngine, declared).text
}

function collectionQuery(query: string) {
  const plan = planCollection(baseDataDocument, readOptions(new URLSearchParams(query)))
  const scope = [
    ['company_id', 'EN'],
    ['attribute_id', 'C1'],
  ] as const
  return compileCollection(plan, scope, sqliteExpressions)
}

/** Runs a write in its own transaction, or with all that arrived in the same turn of the event loop. */
function committer(db: Database.Database, shared: boolean): (work: () => string) => Promise<string> {
  if (!shared) {
    const alone = db.transaction((work: () => string) => work())
    return async (work) => alone.immediate(work)
  }
  let waiting: { work: () => string; done: (text: string) => void }[] = []
  const together = db.transaction((jobs: typeof waiting) => jobs.map((job) => job.work()))
  return (work) =>
    new Promise((done) => {
      waiting.push({ work, done })
      if (waiting.length > 1) return
      setImmediate(() => {
        const jobs = waiting
        waiting = []
        const texts = together.immediate(jobs)
        for (const [index, job] of jobs.entries()) job.done(texts[index] ?? '')
      })
    })
}

/** The token that the guarded floor knows, and the arguments of a floor's process. */
export function floorArguments(): { file: string; shared: boolean; keys: string } {
  const [file = '', mode = 'shared', keys = ''] = process.argv.slice(2)
  return { file, shared: mode === 'shared', keys: keys && readFileSync(keys, 'utf8') }
}

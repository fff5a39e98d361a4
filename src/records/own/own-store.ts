// The SQL of the records of a document of the setup: made once for each declaration. Only this file uses the query
// builder.
import { type RawBuilder, sql } from 'kysely'
import type { DocumentDefinition } from '../../model/document.ts'
import type { Fields } from '../../model/record-fields.ts'
import { ATTRIBUTE_COLUMN } from '../../setup/rules/own/own-fields.ts'
import type { OwnRecordRules } from '../../setup/rules/own/own-record.ts'
import { type Placeholder, quote, type SqlValue } from '../../store/dialects/dialect.ts'
import { fromRecord, placeholdersOf, recordJson, rowOf } from '../../store/record-statements.ts'
import { type Statement, setupStatement } from '../../store/statement.ts'
import type { ReadTx, Tx } from '../../store/store.ts'
import { CHANGE_COLUMN } from '../../store/tables.ts'
import { keyColumns, keyFields, type OwnDraft, type OwnKey } from './own-record.ts'

/** The record as JSON for the single GET, and the number of its last journal entry. */
export interface FoundOwnRecord {
  readonly body: string
  readonly change_no: number
}

type Values = Record<string, SqlValue>

export class OwnStatements {
  readonly #rules: OwnRecordRules
  readonly find: Statement<Values, FoundOwnRecord>
  readonly insert: Statement<Values, never>
  readonly update: Statement<Values, never>
  readonly remove: Statement<Values, never>
  readonly #holders = new Map<string, Statement<Values, Values>>()

  constructor(rules: OwnRecordRules) {
    this.#rules = rules
    const { fields, document } = rules.record
    const table = sql.raw(quote(document.table))
    const others = [ATTRIBUTE_COLUMN, CHANGE_COLUMN].filter(
      (column) => column !== ATTRIBUTE_COLUMN || rules.attributeId !== undefined,
    )
    this.find = this.#statement(
      'find',
      (p, dialect) => sql`
        select ${recordJson(fields, dialect, p('company_id'))} as body, m.${sql.ref(CHANGE_COLUMN)} as change_no
        ${fromRecord({ ...document, table: quote(document.table) }, p('company_id'))}
        where ${this.#hasKey('m.', p, dialect)}`,
    )
    this.insert = this.#statement('insert', (p, dialect) => {
      const columns = Object.entries(placeholdersOf(fields, ['company_id', ...others], p, dialect))
      const names = columns.map(([name]) => sql.ref(name))
      return sql`insert into ${table} (${sql.join(names)}) values (${sql.join(columns.map(([, value]) => value))})`
    })
    this.update = this.#statement('update', (p, dialect) => {
      const columns = Object.entries(placeholdersOf(withoutKey(rules), others, p, dialect))
      const set = columns.map(([name, value]) => sql`${sql.ref(name)} = ${value}`)
      return sql`update ${table} set ${sql.join(set)} where ${this.#hasKey('', p, dialect)}`
    })
    this.remove = this.#statement(
      'remove',
      (p, dialect) => sql`delete from ${table} where ${this.#hasKey('', p, dialect)}`,
    )
  }

  /** Finds the key of another record that has the same value in a column. */
  holderOf(column: string): Statement<Values, Values> {
    let statement = this.#holders.get(column)
    if (!statement) {
      const { fields, document } = this.#rules.record
      const keys = sql.join(keyColumns(this.#rules).map((name) => sql.ref(name)))
      statement = this.#statement(`find_${column}_of`, (p, dialect) => {
        const { [column]: wanted } = placeholdersOf(fields, [], p, dialect) as Values & Record<string, never>
        const isIt = sql.join(this.#keyTerms('', p, dialect), sql` and `)
        return sql`select ${keys} from ${sql.raw(quote(document.table))}
          where company_id = ${p('company_id')} and ${sql.ref(column)} = ${wanted} and not (${isIt})`
      })
      this.#holders.set(column, statement)
    }
    return statement
  }

  #statement<Row>(
    name: string,
    build: (p: Placeholder<Values>, dialect: Parameters<Statement<Values, Row>['build']>[2]) => RawBuilder<unknown>,
  ): Statement<Values, Row> {
    return setupStatement<Values, Row>(`${name}_${this.#rules.record.document.table}`, (_db, p, dialect) =>
      build(p, dialect),
    )
  }

  #hasKey(alias: string, p: Placeholder<Values>, dialect: Parameters<typeof placeholdersOf>[3]): RawBuilder<unknown> {
    const terms = [sql`${sql.raw(alias)}company_id = ${p('company_id')}`, ...this.#keyTerms(alias, p, dialect)]
    return sql.join(terms, sql` and `)
  }

  #keyTerms(alias: string, p: Placeholder<Values>, dialect: Parameters<typeof placeholdersOf>[3]) {
    const values = Object.entries(placeholdersOf(keyFields(this.#rules), [], p, dialect))
    return values.map(([name, value]) => sql`${sql.raw(alias)}${sql.ref(name)} = ${value}`)
  }
}

const statementsByRules = new WeakMap<OwnRecordRules, OwnStatements>()

export function statementsOf(rules: OwnRecordRules): OwnStatements {
  let statements = statementsByRules.get(rules)
  if (!statements) {
    statements = new OwnStatements(rules)
    statementsByRules.set(rules, statements)
  }
  return statements
}

/** The columns that a change may change. */
function withoutKey({ record: { fields }, keyNames }: OwnRecordRules): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !keyNames.includes(name)))
}

/** The parameters for the key of a record. */
function keyValues(rules: OwnRecordRules, { companyId }: ReadTx, { stored }: OwnKey): Values {
  const values: Values = { company_id: companyId }
  for (const [at, column] of keyColumns(rules).entries()) values[column] = stored[at] ?? ''
  return values
}

export function findRecord(tx: ReadTx, rules: OwnRecordRules, key: OwnKey): Promise<FoundOwnRecord | undefined> {
  return tx.first(statementsOf(rules).find, keyValues(rules, tx, key))
}

/** Inserts a record whose key is known to be free. `tag` is the number of the entry that becomes its last change. */
export function insertRecord(tx: Tx, rules: OwnRecordRules, draft: OwnDraft, tag: number): void {
  tx.send(statementsOf(rules).insert, columnsOf(tx, rules, draft, tag))
}

/** Updates every column except those of the key. */
export function updateRecord(tx: Tx, rules: OwnRecordRules, draft: OwnDraft): void {
  tx.send(statementsOf(rules).update, columnsOf(tx, rules, draft, tx.entryNo))
}

export function removeRow(tx: Tx, rules: OwnRecordRules, key: OwnKey): void {
  tx.send(statementsOf(rules).remove, keyValues(rules, tx, key))
}

function columnsOf(tx: Tx, { attributeId, record }: OwnRecordRules, draft: OwnDraft, tag: number): Values {
  return {
    ...(rowOf(record.fields, draft) as Values),
    company_id: tx.companyId,
    ...(attributeId === undefined ? {} : { [ATTRIBUTE_COLUMN]: attributeId }),
    updated_at: tx.at,
    updated_by: tx.actor.userId,
    [CHANGE_COLUMN]: tag,
  }
}

/** The key columns of another record with the value of `draft` in a column; undefined when it is the only one. */
export function findHolder(
  tx: ReadTx,
  rules: OwnRecordRules,
  column: string,
  draft: OwnDraft,
): Promise<Values | undefined> {
  const values = { ...(rowOf(rules.record.fields, draft) as Values), company_id: tx.companyId }
  return tx.first(statementsOf(rules).holderOf(column), values)
}

const present = new WeakMap<OwnRecordRules, Statement<{ companyId: string; ids: string }, { id: string }>>()

/** Those of the ids that are taken; undefined where keys are no single texts, which one statement cannot look up. */
export async function findPresentRecords(
  tx: ReadTx,
  rules: OwnRecordRules,
  keys: readonly OwnKey[],
): Promise<readonly string[] | undefined> {
  const [column = '', second] = keyColumns(rules)
  const isText = rules.checks.some((field) => field.column === column && field.type === 'string')
  if (second !== undefined || !isText) return undefined
  let statement = present.get(rules)
  if (!statement) {
    const { table } = rules.record.document
    statement = setupStatement(`list_present_${table}`, (_db, p, dialect) => {
      const ids = dialect.selectTexts(p('ids'))
      return sql`
        select ${sql.ref(column)} as id from ${sql.raw(quote(table))}
        where company_id = ${p('companyId')} and ${sql.ref(column)} in (${ids})`
    })
    present.set(rules, statement)
  }
  const ids = JSON.stringify(keys.map(({ stored: [id = ''] }) => id))
  return (await tx.all(statement, { companyId: tx.companyId, ids })).map(({ id }) => id)
}

/** Whether a document has a record whose columns have these values, in their order and without the company. */
type HasRecord = (
  tx: ReadTx,
  definition: DocumentDefinition,
  columns: readonly string[],
  values: readonly SqlValue[],
) => Promise<boolean>

/** By the columns of the key. */
export const hasRecord = existence('has')

/** By these and that of the state. */
export const hasClosedRecord = existence('has_closed')

/** `name`: of the statement, whose columns are the same for each document. */
function existence(name: string): HasRecord {
  const existing = new WeakMap<DocumentDefinition, Statement<Values, { found: number }>>()
  return async (tx, definition, columns, values) => {
    let statement = existing.get(definition)
    if (!statement) {
      const table = sql.raw(quote(definition.table))
      statement = setupStatement<Values, { found: number }>(`${name}_${definition.table}`, (_db, p) => {
        const terms = columns.map((column) => sql`${sql.ref(column)} = ${p(column)}`)
        const all = [sql`${sql.ref(definition.companyColumn)} = ${p('company_id')}`, ...terms]
        return sql`select 1 as found from ${table} where ${sql.join(all, sql` and `)}`
      })
      existing.set(definition, statement)
    }
    const parameters = Object.fromEntries(columns.map((column, at) => [column, values[at] ?? '']))
    return (await tx.first(statement, { ...parameters, company_id: tx.companyId })) !== undefined
  }
}

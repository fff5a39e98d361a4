// The SQL of the records of a kind: made once for each. Only this file uses the query builder.

import { type RawBuilder, sql } from 'kysely'
import { getOrInsert, memo } from '../../base/memo.ts'
import { joinedObjects } from '../../base/text.ts'
import { type DocumentDefinition, MAX_LINES } from '../../model/document.ts'
import type { Fields } from '../../model/record-fields.ts'
import { kindOf } from '../../model/schema.ts'
import { ATTRIBUTE_COLUMN, type ClosedState } from '../../setup/rules/declared-fields.ts'
import type { CompletedMember, OwnerRules, RecordRules, ReferenceRules } from '../../setup/rules/record-rules.ts'
import { membersJson } from '../../sql/compile/record-lines.ts'
import { type Dialect, type Placeholder, quote, type SqlValue } from '../../sql/dialect.ts'
import { equalColumns, fromRecord, placeholdersOf, recordJson, rowOf } from '../../sql/record-statements.ts'
import { type Statement, setupStatement, type statement } from '../../sql/statement.ts'
import { CHANGE_COLUMN, COMPANY_COLUMN } from '../../sql/tables.ts'
import type { ReadTx, Tx } from '../../store/store.ts'
import type { Stamp } from '../shared/master-data/source-stamp.ts'
import type { RecordKey } from '../shared/record-type.ts'
import { type KeyRules, keyColumns, keyFields, keyFrom, stampOf } from './record.ts'
import type { RecordDraft } from './record-kind.ts'
import { shownComputed, shownLines } from './shown-lines.ts'

/** The record as JSON for the single GET, and the number of its last journal entry. */
export interface StoredRecord {
  readonly body: string
  readonly change_no: number
  /** What is computed of it, and the lines that its reader sees: no part of the record in the change log. */
  readonly members?: string
}

type Values = Record<string, SqlValue>
/** Parameters beside those that are called as columns are, of which none has such a name. */
const [TAG, MOST] = ['#tag', '#most'] as const
type Build = (p: Placeholder<Values>, dialect: Dialect) => RawBuilder<unknown>

/** Under their names in the listing of all SQL, or prepared under their texts, which a later setup may change. */
type Declare = typeof statement

/** What the statements of a kind are made of. */
type StatementRules = KeyRules &
  Pick<RecordRules, 'attributeId' | 'computed' | 'lines'> & {
    readonly completed?: Pick<CompletedMember, 'name' | 'column'>
  }

/** What its rows are made of. */
export type RowRules = KeyRules & Pick<RecordRules, 'attributeId' | 'completed' | 'computed' | 'lines' | 'owner'>

/** Statements that keep other columns; with more, all columns are written. */
const MOST_UPDATES = 100

class RecordStatements {
  readonly #rules: StatementRules
  readonly #declare: Declare
  readonly find: Statement<Values, StoredRecord & { readonly stored?: string }>
  readonly insert: Statement<Values, never>
  readonly remove: Statement<Values, never>
  readonly present: Statement<Values, { id: string }> | undefined
  #owners: Statement<Values, { id: string }> | undefined
  readonly #whole = new WeakMap<DocumentDefinition, Statement<Values, StoredRecord>>()
  readonly #others = new Map<string, Statement<Values, Values>>()
  readonly #updates = new Map<string, Statement<Values, never>>()
  /** The columns that are not of the record. */
  readonly #further: readonly string[]

  constructor(rules: StatementRules, declare: Declare) {
    this.#rules = rules
    this.#declare = declare
    const { record, completed } = rules
    const { document } = record
    const table = sql.raw(quote(document.table))
    const { [completed?.name ?? '']: _completed, ...selected } = record.fields
    const stored = completed ? sql`m.${sql.ref(completed.column)} as stored, ` : sql``
    const tag = tagColumnOf(document)
    // Some show who has changed them last, and when: then these are columns of a field.
    const stamp = record.fields.lastUpdated?.schema ? [] : ['updated_at', 'updated_by']
    const others = [...stamp, ...(rules.attributeId === undefined ? [] : [ATTRIBUTE_COLUMN]), tag]
    this.#further = others
    this.find = this.#statement(
      'find',
      (p, dialect) => sql`
        select ${recordJson(selected, dialect, p('company_id'))} as body,
          ${stored}m.${sql.ref(tag)} as change_no
        ${fromRecord({ ...document, table: quote(document.table) }, p('company_id'))}
        where ${this.#hasKey('m.', p, dialect)}`,
    )
    this.insert = this.#statement('insert', (p, dialect) => {
      const columns = Object.entries(placeholdersOf(record.fields, [COMPANY_COLUMN, ...others], p, dialect))
      const names = columns.map(([name]) => sql.ref(name))
      return sql`insert into ${table} (${sql.join(names)}) values (${sql.join(columns.map(([, value]) => value))})`
    })
    this.update([])
    this.remove = this.#statement(
      'remove',
      (p, dialect) => sql`delete from ${table} where ${this.#hasKey('', p, dialect)}`,
    )
    this.present = this.#presentOf('list_present', keyColumns(rules).length)
  }

  /** Updates every column except those of the key, and others that are kept. */
  update(kept: readonly string[]): Statement<Values, never> {
    const known = this.#updates.get(kept.join())
    if (known) return known
    const left = this.#updates.size < MOST_UPDATES ? kept : []
    const name = ['update', this.#rules.record.document.table, ...left].join('_')
    const declare = left.length === 0 ? this.#declare : setupStatement
    return getOrInsert(this.#updates, left.join(), () =>
      declare<Values, never>(name, (_db, p, dialect) => {
        const columns = Object.entries(placeholdersOf(withoutKey(this.#rules), this.#further, p, dialect))
        const set = columns.flatMap(([one, value]) => (left.includes(one) ? [] : [sql`${sql.ref(one)} = ${value}`]))
        const table = sql.raw(quote(this.#rules.record.document.table))
        return sql`update ${table} set ${sql.join(set)} where ${this.#hasKey('', p, dialect)}`
      }),
    )
  }

  /** Finds the record with all that a definition shows: as it is for all, or for a caller. */
  findWhole(definition: DocumentDefinition): Statement<Values, StoredRecord> {
    let found = this.#whole.get(definition)
    if (!found) {
      const { record } = this.#rules
      const computed = shownComputed(this.#rules.computed, definition)
      const lines = shownLines(this.#rules.lines, definition)
      found = this.#statement(
        'find_whole',
        (p, dialect) => sql`
          select ${recordJson(record.fields, dialect, p('company_id'))} as body,
            m.${sql.ref(tagColumnOf(record.document))} as change_no,
            ${membersJson(definition, computed, lines, MAX_LINES, dialect, p('company_id'))} as members
          ${fromRecord({ ...record.document, table: quote(record.document.table) }, p('company_id'))}
          where ${this.#hasKey('m.', p, dialect)}`,
      )
      this.#whole.set(definition, found)
    }
    return found
  }

  /** Finds the keys of records that are lines of one, as many as may be removed with it and one more. */
  keysOfLines({ keyColumns: ofOwner }: OwnerRules, column: string | undefined): Statement<Values, Values> {
    const columns = keyColumns(this.#rules)
    const { record } = this.#rules
    return this.#other(column === undefined ? 'list_lines_of' : 'list_open_lines_of', (p) => {
      const own = columns.slice(0, ofOwner.length).map((name) => sql`${sql.ref(name)} = ${p(name)}`)
      const isOpen = column === undefined ? [] : [sql`${sql.ref(column)} <> ${p(column)}`]
      return sql`select ${sql.join(columns.map((name) => sql.ref(name)))} from ${sql.raw(quote(record.document.table))}
        where ${sql.join([sql`company_id = ${p('company_id')}`, ...own, ...isOpen], sql` and `)}
        order by ${sql.join(columns.map((name) => sql.ref(name)))} limit ${sql.lit(MAX_LINES + 1)}`
    })
  }

  /** Lists keys in their order, as many as `most`; `isFurther`: those behind one. */
  keys(isFurther: boolean): Statement<Values, Values> {
    const { fields, document } = { fields: keyFields(this.#rules), document: this.#rules.record.document }
    return this.#other(isFurther ? 'list_further_keys' : 'list_keys', (p, dialect) => {
      const columns = sql.join(keyColumns(this.#rules).map((name) => sql.ref(name)))
      const after = sql.join(Object.values(placeholdersOf(fields, [], p, dialect)))
      const further = isFurther ? sql`and (${columns}) > (${after})` : sql``
      return sql`select ${columns} from ${sql.raw(quote(document.table))}
        where company_id = ${p('company_id')} ${further} order by ${columns} limit ${p(MOST)}`
    })
  }

  /** Finds when the record was last changed, and by whom. */
  stamp(): Statement<Values, Values> {
    return this.#other('find_stamp', (p, dialect) => {
      const table = sql.raw(quote(this.#rules.record.document.table))
      return sql`select updated_at, updated_by from ${table} where ${this.#hasKey('', p, dialect)}`
    })
  }

  /** Gives the record that has this one among its lines another tag. */
  touchOwner(owner: OwnerRules): Statement<Values, Values> {
    return this.#other('touch_owner_of', (p) => {
      const key = owner.keyColumns.map((name) => sql`${sql.ref(name)} = ${p(name)}`)
      return sql`update ${sql.raw(quote(owner.table))} set ${sql.ref(CHANGE_COLUMN)} = ${p(TAG)}
        where ${sql.join([sql`company_id = ${p('company_id')}`, ...key], sql` and `)}`
    })
  }

  /** Finds the key of another record that has the same value in a column. */
  holderOf(column: string): Statement<Values, Values> {
    const { fields, document } = this.#rules.record
    const keys = sql.join(keyColumns(this.#rules).map((name) => sql.ref(name)))
    return this.#other(`find_${column}_of`, (p, dialect) => {
      const { [column]: wanted } = placeholdersOf(fields, [], p, dialect) as Values & Record<string, never>
      const isIt = sql.join(this.#keyTerms('', p, dialect), sql` and `)
      return sql`select ${keys} from ${sql.raw(quote(document.table))}
        where company_id = ${p('company_id')} and ${sql.ref(column)} = ${wanted} and not (${isIt})`
    })
  }

  /** Which of many records have lines of this kind; undefined as for `present`. */
  owners({ keyColumns: ofOwner }: OwnerRules): Statement<Values, { id: string }> | undefined {
    this.#owners ??= this.#presentOf('list_owners', ofOwner.length)
    return this.#owners
  }

  /**
   * Which of many texts are the first of a key, or of its first parts; undefined where these are no single texts, which
   * one statement cannot look up.
   */
  #presentOf(name: string, parts: number): Statement<Values, { id: string }> | undefined {
    const { record, keyNames } = this.#rules
    const [column = ''] = keyColumns(this.#rules)
    const { schema } = record.fields[keyNames[0] ?? ''] ?? {}
    if (parts !== 1 || !schema || kindOf(schema) !== 'string') return undefined
    const build: Build = (p, dialect) => sql`
      select distinct ${sql.ref(column)} as id from ${sql.raw(quote(record.document.table))}
      where company_id = ${p('company_id')} and ${sql.ref(column)} ${dialect.isOneOfTexts(p('ids'))}
      order by ${sql.ref(column)}`
    return this.#statement(name, build, { isInOrderOfIndex: true })
  }

  #other(name: string, build: Build): Statement<Values, Values> {
    return getOrInsert(this.#others, name, () => this.#statement<Values>(name, build))
  }

  #statement<Row>(name: string, build: Build, order?: Parameters<Declare>[2]): Statement<Values, Row> {
    const declared = `${name}_${this.#rules.record.document.table}`
    return this.#declare<Values, Row>(declared, (_db, p, dialect) => build(p, dialect), order)
  }

  #hasKey(alias: string, p: Placeholder<Values>, dialect: Dialect): RawBuilder<unknown> {
    const terms = [sql`${sql.raw(alias)}company_id = ${p('company_id')}`, ...this.#keyTerms(alias, p, dialect)]
    return sql.join(terms, sql` and `)
  }

  #keyTerms(alias: string, p: Placeholder<Values>, dialect: Dialect) {
    const values = Object.entries(placeholdersOf(keyFields(this.#rules), [], p, dialect))
    return values.map(([name, value]) => sql`${sql.raw(alias)}${sql.ref(name)} = ${value}`)
  }
}

const statementsByFields = new WeakMap<Fields, RecordStatements>()

export function statementsOf(rules: StatementRules, declare: Declare = setupStatement): RecordStatements {
  return getOrInsert(statementsByFields, rules.record.fields, () => new RecordStatements(rules, declare))
}

/** The column with the number of the last change of a record. */
function tagColumnOf({ changeColumn = 'change_no' }: DocumentDefinition): string {
  return changeColumn
}

/** The columns that a change may change. */
function withoutKey({ record: { fields }, keyNames }: KeyRules): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !keyNames.includes(name)))
}

/** The parameters for the key of a record. */
function keyValues(rules: KeyRules, { companyId }: ReadTx, { stored }: RecordKey): Values {
  const values: Values = { company_id: companyId }
  for (const [at, column] of keyColumns(rules).entries()) values[column] = stored[at] ?? ''
  return values
}

export function findRecord(tx: ReadTx, rules: RowRules, key: RecordKey): Promise<StoredRecord | undefined> {
  const { completed } = rules
  const reading = tx.first(statementsOf(rules).find, keyValues(rules, tx, key))
  return completed ? reading.then((found) => found && withCompleted(completed, found)) : reading
}

function withCompleted(
  { name, complete }: CompletedMember,
  { body, stored = '', change_no }: StoredRecord & { readonly stored?: string },
): StoredRecord {
  return { body: joinedObjects(body, `{${JSON.stringify(name)}:${complete(stored)}}`), change_no }
}

/** When a record was last changed, and by whom, of a kind whose records do not show it. */
export async function findStamp(tx: ReadTx, rules: StatementRules, key: RecordKey): Promise<Stamp | undefined> {
  const found = await tx.first(statementsOf(rules).stamp(), keyValues(rules, tx, key))
  return found && { updatedAt: String(found.updated_at), updatedBy: String(found.updated_by) }
}

/** Whether a record is answered with more than its own columns. */
export function hasMembers({ computed, lines }: Pick<RecordRules, 'computed' | 'lines'>): boolean {
  return computed.length > 0 || lines.length > 0
}

/** The record with what is computed and with its lines, as a definition shows them. */
export function findWhole(
  tx: ReadTx,
  rules: RecordRules,
  key: RecordKey,
  definition: DocumentDefinition,
): Promise<StoredRecord | undefined> {
  return tx.first(statementsOf(rules).findWhole(definition), keyValues(rules, tx, key))
}

/** The keys of the lines of a record, up to one more than MAX_LINES; `open`: without those that have this state. */
export async function findLines(
  tx: ReadTx,
  lines: RecordRules,
  { stored }: RecordKey,
  open: ClosedState | undefined,
): Promise<readonly RecordKey[]> {
  const columns = keyColumns(lines)
  const values: Values = { company_id: tx.companyId, ...(open ? { [open.column]: open.value } : {}) }
  for (const [at, value] of stored.entries()) values[columns[at] ?? ''] = value
  if (!lines.owner) return []
  const found = await tx.all(statementsOf(lines).keysOfLines(lines.owner, open?.column), values)
  return found.map((row) => {
    const stored = columns.map((column) => row[column] ?? '')
    return { stored, texts: stored.map(String) }
  })
}

/** Up to `most` keys of records in their order, behind one. */
export async function listKeys(
  tx: ReadTx,
  rules: StatementRules,
  after: RecordKey | undefined,
  most: number,
): Promise<readonly RecordKey[]> {
  const values = { ...keyValues(rules, tx, after ?? { stored: [], texts: [] }), [MOST]: most }
  const columns = keyColumns(rules)
  const found = await tx.all(statementsOf(rules).keys(after !== undefined), values)
  return found.map((row) => {
    const stored = columns.map((column) => row[column] ?? '')
    // As records name their keys, times without a zone.
    return { stored, texts: keyFrom(rules, stored.map(String))?.texts ?? stored.map(String) }
  })
}

/**
 * The record with a line that is copied, emptied or purged has another tag, as what it is answered with has changed:
 * such a write tells of what it is given alone.
 */
export function touchOwner(tx: Tx, rules: RowRules, { stored }: RecordKey): void {
  if (!rules.owner) return
  const values: Values = { company_id: tx.companyId, [TAG]: tx.entryNo }
  for (const [at, column] of rules.owner.keyColumns.entries()) values[column] = stored[at] ?? ''
  tx.send(statementsOf(rules).touchOwner(rules.owner), values)
}

/** Inserts a record whose key is known to be free. `tag` is the number of the entry that becomes its last change. */
export function insertRecord(tx: Tx, rules: RowRules, draft: RecordDraft, tag: number, stamp = stampOf(tx)): void {
  tx.send(statementsOf(rules).insert, columnsOf(tx, rules, draft, tag, stamp))
}

/**
 * Updates every column except those of the key. Those of indexes that are as in the stored record are left alone:
 * SQLite would write the entries of each such index anew.
 */
export function updateRecord(
  tx: Tx,
  rules: RowRules,
  stored: RecordDraft | undefined,
  draft: RecordDraft,
  stamp = stampOf(tx),
): void {
  const { fields, document } = rules.record
  const kept = stored ? equalColumns(fields, indexedColumns(document), stored, draft) : []
  tx.send(statementsOf(rules).update(kept), columnsOf(tx, rules, draft, tx.entryNo, stamp))
}

const indexedColumns = memo(
  ({ indexes = [] }: DocumentDefinition): ReadonlySet<string> => new Set(indexes.flatMap(({ columns }) => columns)),
)

export function removeRow(tx: Tx, rules: RowRules, key: RecordKey): void {
  tx.send(statementsOf(rules).remove, keyValues(rules, tx, key))
}

function columnsOf(
  tx: Tx,
  { attributeId, record }: RowRules,
  draft: RecordDraft,
  tag: number,
  { updatedAt, updatedBy }: Stamp,
): Values {
  const values = rowOf(record.fields, draft) as Values
  values.company_id = tx.companyId
  if (attributeId !== undefined) values[ATTRIBUTE_COLUMN] = attributeId
  values.updated_at = updatedAt
  values.updated_by = updatedBy
  values[tagColumnOf(record.document)] = tag
  return values
}

/** The key columns of another record with the value of `draft` in a column; undefined when it is the only one. */
export function findHolder(
  tx: ReadTx,
  rules: RecordRules,
  column: string,
  draft: RecordDraft,
): Promise<Values | undefined> {
  const values = { ...(rowOf(rules.record.fields, draft) as Values), company_id: tx.companyId }
  return tx.first(statementsOf(rules).holderOf(column), values)
}

/** Those of the ids that are taken; undefined where one statement cannot look them up. */
export async function findPresentRecords(
  tx: ReadTx,
  rules: RecordRules,
  keys: readonly RecordKey[],
): Promise<readonly string[] | undefined> {
  return presentBy(tx, statementsOf(rules).present, keys)
}

/** Those of the records that have lines of a kind; undefined where one statement cannot look them up. */
export async function findOwners(
  tx: ReadTx,
  lines: RecordRules,
  keys: readonly RecordKey[],
): Promise<ReadonlySet<string> | undefined> {
  const found = lines.owner && (await presentBy(tx, statementsOf(lines).owners(lines.owner), keys))
  return found && new Set(found)
}

async function presentBy(
  tx: ReadTx,
  present: Statement<Values, { id: string }> | undefined,
  keys: readonly RecordKey[],
): Promise<readonly string[] | undefined> {
  if (!present) return undefined
  const ids = JSON.stringify(keys.map(({ stored: [id = ''] }) => id))
  return (await tx.all(present, { company_id: tx.companyId, ids })).map(({ id }) => id)
}

const referable = new WeakMap<ReferenceRules, Statement<Values, { id: string }>>()

/** Those of the texts that are keys of records which a reference by one text may refer to. */
export async function findReferable(
  tx: ReadTx,
  reference: ReferenceRules,
  { table, companyColumn }: DocumentDefinition,
  texts: readonly string[],
): Promise<readonly string[]> {
  const statement = getOrInsert(referable, reference, () =>
    setupStatement<Values, { id: string }>(`list_referable_${table}`, (_db, p, dialect) => {
      const column = sql.ref(reference.otherColumns[0] ?? '')
      const { closed } = reference
      const isOpen = closed ? sql`and ${sql.ref(closed.column)} <> ${p('closed')}` : sql``
      return sql`select ${column} as id from ${sql.raw(quote(table))}
        where ${sql.ref(companyColumn)} = ${p('company_id')} and ${column} ${dialect.isOneOfTexts(p('ids'))} ${isOpen}`
    }),
  )
  const values = { company_id: tx.companyId, closed: reference.closed?.value ?? '', ids: JSON.stringify(texts) }
  return (await tx.all(statement, values)).map(({ id }) => id)
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
export const hasRecordInState = existence('has_in_state')

/** `name`: of the statement, whose columns are the same for each document. */
function existence(name: string): HasRecord {
  const existing = new WeakMap<DocumentDefinition, Statement<Values, { found: number }>>()
  return async (tx, definition, columns, values) => {
    const statement = getOrInsert(existing, definition, () => {
      const table = sql.raw(quote(definition.table))
      return setupStatement<Values, { found: number }>(`${name}_${definition.table}`, (_db, p) => {
        const terms = columns.map((column) => sql`${sql.ref(column)} = ${p(column)}`)
        const all = [sql`${sql.ref(definition.companyColumn)} = ${p('company_id')}`, ...terms]
        return sql`select 1 as found from ${table} where ${sql.join(all, sql` and `)}`
      })
    })
    const parameters = Object.fromEntries(columns.map((column, at) => [column, values[at] ?? '']))
    return (await tx.first(statement, { ...parameters, company_id: tx.companyId })) !== undefined
  }
}

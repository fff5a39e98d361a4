// Finds a page of the document list: the ids and the total count, from one statement and therefore from one snapshot.

import { wholeText } from '../../base/byte-stream.ts'
import type { DocumentDefinition } from '../../model/document.ts'
import { folded } from '../../model/word-parts.ts'
import type { SearchedWord } from '../../model/words.ts'
import { rowRuleOf } from '../../query/row-rule.ts'
import { jsonIn } from '../../sql/compile/members.ts'
import type { Dialect } from '../../sql/dialect.ts'
import { FilterCompiler } from '../../sql/rows/compile-filter.ts'
import type { AnswerForm, CompiledQuery } from '../../sql/rows/compiled-query.ts'
import { SqlParameters } from '../../sql/rows/emitter.ts'
import { FromClause } from '../../sql/rows/rows.ts'
import { successorOf } from '../../sql/rows/successor.ts'
import { workOf } from '../../sql/rows/work.ts'
import { lastChangeNumber } from '../../store/change-number.ts'
import type { QueryCaller, Snapshot, Store } from '../../store/store.ts'

interface DocumentFilter {
  readonly docType: string | undefined
  readonly title: string | undefined
  readonly indexes: readonly string[]
  readonly id: string | undefined
  /** Without a word nothing is found. */
  readonly search: readonly SearchedWord[] | undefined
  /** The archive restricted to the caller's access. */
  readonly archive: DocumentDefinition
}

interface PageOfIds {
  readonly total: number
  readonly ids: readonly string[]
  /** The company's last change in that snapshot. */
  readonly changeNumber: number
}

/** Maximum number of indexes: a setup allows the numbers 1 to 200. */
const MAX_INDEXES = 200

/** Index conditions that may become joins: with more of them, planning in PostgreSQL would take seconds. */
const MAX_JOINS = 6

/** Size of a result row with an id and the total count. */
const ID_BYTES = 100
/** Estimated work for the lookup of one index of a document. */
const INDEX_WORK = 60

/** Newest documents first, then by id. */
const ORDER = 'order by t.updated_at desc, t.document_id'

export async function findPage(
  store: Store,
  companyId: string,
  filter: DocumentFilter,
  page: { start: number; limit: number },
  caller: QueryCaller,
): Promise<PageOfIds> {
  if (filter.search?.length === 0 || filter.indexes.length > MAX_INDEXES) {
    return { total: 0, ids: [], changeNumber: await lastChangeNumber(store.reading(companyId)) }
  }
  const found = page.limit === 0 ? undefined : await idsOf(store, companyId, filter, page, caller)
  const [first] = found?.content ?? []
  if (found && first) {
    return { total: first.total, ids: found.content.map(({ id }) => id), changeNumber: found.changeNumber }
  }
  const compile = (dialect: Dialect) => compileCount(companyId, filter, dialect)
  const { content, changeNumber } = await store.count(companyId, { compile, ...caller })
  return { total: content, ids: [], changeNumber: found?.changeNumber ?? changeNumber }
}

interface FoundId {
  readonly id: string
  readonly total: number
}

async function idsOf(
  store: Store,
  companyId: string,
  filter: DocumentFilter,
  page: { start: number; limit: number },
  caller: QueryCaller,
): Promise<Snapshot<readonly FoundId[]>> {
  const { content, changeNumber } = await store.collect(companyId, {
    format: 'json',
    cells: [],
    compile: (dialect, form) => compilePage(companyId, filter, page, dialect, form),
    ...caller,
    isUrgent: false,
  })
  return { content: JSON.parse(await wholeText(content)) as FoundId[], changeNumber }
}

function compilePage(
  companyId: string,
  filter: DocumentFilter,
  { start, limit }: { start: number; limit: number },
  dialect: Dialect,
  form: AnswerForm,
): CompiledQuery {
  const emitter = new SqlParameters(dialect, companyId)
  const members = [
    { name: 'id', sql: 't.document_id', type: 'string' },
    {
      name: 'total',
      sql: `(select count(*) from document t where ${conditionOf(filter, emitter)})`,
      type: 'integer',
    },
  ] as const
  const where = conditionOf(filter, emitter)
  const window = `limit ${emitter.bind(limit, 'integer')} offset ${emitter.bind(start, 'integer')}`
  const from = `from document t where ${where} ${ORDER} ${window}`
  const text = jsonIn(form, members, from, dialect)
  return { text, parameters: emitter.parameters, ...sizeOf(companyId, filter, dialect, limit) }
}

function compileCount(companyId: string, filter: DocumentFilter, dialect: Dialect): CompiledQuery {
  const emitter = new SqlParameters(dialect, companyId)
  const text = `select count(*) as total from document t where ${conditionOf(filter, emitter)}`
  return { text, parameters: emitter.parameters, ...sizeOf(companyId, filter, dialect, 1) }
}

/**
 * The scan estimate only decides whether the archive is small; the list of a larger one is computed in a reader
 * process.
 */
function sizeOf(
  companyId: string,
  { archive, indexes }: DocumentFilter,
  dialect: Dialect,
  rows: number,
): Pick<CompiledQuery, 'rows' | 'rowBytes' | 'scanEstimate'> {
  if (!dialect.needsScanEstimate) return { rows, rowBytes: ID_BYTES }
  const { visit, answer } = workOf({ filter: rowRuleOf(archive), order: [] }, [], false)
  const edge = (visits: number) => {
    const emitter = new SqlParameters(dialect, companyId)
    const text = `select 1 from document t where ${notDeletedCondition(emitter)} limit 1 offset ${visits}`
    return { text, parameters: emitter.parameters }
  }
  // The matching documents are scanned twice: for the count and for the page.
  const work = { visit: 2 * (visit + indexes.length * INDEX_WORK), answer }
  return { rows, rowBytes: ID_BYTES, scanEstimate: { most: rows, work, edge } }
}

function notDeletedCondition(emitter: SqlParameters): string {
  return `t.company_id = ${emitter.company} and t.is_deleted = 0`
}

function conditionOf(filter: DocumentFilter, emitter: SqlParameters): string {
  const conditions = [notDeletedCondition(emitter)]
  if (filter.id !== undefined) conditions.push(`t.document_id = ${emitter.bind(filter.id, 'string', true)}`)
  if (filter.docType !== undefined) conditions.push(`t.doc_type = ${emitter.bind(filter.docType, 'string', true)}`)
  if (filter.title !== undefined) conditions.push(titleCondition(filter.title, emitter))
  for (const [position, value] of filter.indexes.entries()) conditions.push(indexCondition(position, value, emitter))
  if (filter.search) {
    const bind = (value: string) => emitter.bind(value, 'string')
    const found = emitter.dialect.fullText.documentsWith(emitter.companyId, filter.search, bind)
    conditions.push(`t.document_id in (${found})`)
  }
  const rule = rowRuleOf(filter.archive)
  // The archive has no joins, so the alias of the rule's rows is that of this statement.
  if (rule) conditions.push(new FilterCompiler(emitter, FromClause.of(filter.archive, emitter)).condition(rule))
  return conditions.join(' and ')
}

/** Texts with a prefix lie between the prefix and its successor in sort order. */
function titleCondition(title: string, emitter: SqlParameters): string {
  const prefix = folded(title)
  const upperBound = successorOf(prefix)
  const from = `t.title_key >= ${emitter.bind(prefix, 'string')}`
  return upperBound === undefined ? from : `${from} and t.title_key < ${emitter.bind(upperBound, 'string')}`
}

function indexCondition(position: number, value: string, emitter: SqlParameters): string {
  const key = emitter.bind(folded(value), 'string', true)
  const condition = `i.place = ${emitter.bind(position, 'integer')} and i.index_key = ${key}`
  const from = `from document_index i where i.company_id = ${emitter.company} and i.document_id = t.document_id and ${condition}`
  return position < MAX_JOINS ? `exists (select 1 ${from})` : `(select count(*) ${from}) > 0`
}

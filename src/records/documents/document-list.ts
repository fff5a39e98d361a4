// Which documents a list answers: their ids and how many there are in all, by one statement on one state of the archive.
import type { DocumentDefinition } from '../../model/document.ts'
import type { Plan } from '../../query/plan.ts'
import { rowRuleOf } from '../../query/row-rule.ts'
import { FilterCompiler } from '../../store/compile/compile-filter.ts'
import { Emitter } from '../../store/compile/emitter.ts'
import type { Expressions } from '../../store/compile/expressions.ts'
import { Rows } from '../../store/compile/rows.ts'
import { successorOf } from '../../store/compile/successor.ts'
import { workOf } from '../../store/compile/work.ts'
import type { Asker, CompiledQuery, Store } from '../../store/store.ts'
import type { WordTerm } from '../../store/word-index.ts'
import { filingKey } from './filing-key.ts'

export interface DocumentFilter {
  readonly docType: string | undefined
  readonly title: string | undefined
  readonly indexes: readonly string[]
  readonly id: string | undefined
  /** All of them; nothing is found by none. */
  readonly words: readonly WordTerm[] | undefined
  /** What the caller sees of the archive. */
  readonly archive: DocumentDefinition
}

export interface PageOfIds {
  readonly total: number
  readonly ids: readonly string[]
}

/** Their numbers go from 1 to 200, as a setup may have them. */
const MOST_INDEXES = 200

/** The database plans joins with so many; for more of them PostgreSQL would plan for seconds. */
const MOST_JOINS = 6

/** Of an id, and how many there are. */
const ID_BYTES = 100
/** To look up one index of a document. */
const INDEX_WORK = 60

/** The newest first, then by id. */
const ORDER = 'order by t.updated_at desc, t.document_id'

export async function findPage(
  store: Store,
  companyId: string,
  filter: DocumentFilter,
  page: { start: number; limit: number },
  asker: Asker,
): Promise<PageOfIds> {
  if (filter.words?.length === 0 || filter.indexes.length > MOST_INDEXES) return { total: 0, ids: [] }
  const found = page.limit === 0 ? [] : await idsOf(store, companyId, filter, page, asker)
  const [first] = found
  const compile = (engine: Expressions) => compileCount(companyId, filter, engine)
  const total = first?.total ?? (await store.count(companyId, { compile, ...asker }))
  return { total, ids: found.map(({ id }) => id) }
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
  asker: Asker,
): Promise<readonly FoundId[]> {
  const answer = await store.collect(companyId, {
    format: 'json',
    cells: [],
    compile: (engine, form) => compilePage(companyId, filter, page, engine, form === 'array'),
    ...asker,
    isUrgent: false,
  })
  if (typeof answer === 'string') return JSON.parse(answer) as FoundId[]
  if (answer instanceof Uint8Array) return JSON.parse(Buffer.from(answer).toString()) as FoundId[]
  const pieces: Uint8Array[] = []
  for await (const piece of answer) pieces.push(piece)
  return JSON.parse(Buffer.concat(pieces).toString()) as FoundId[]
}

function compilePage(
  companyId: string,
  filter: DocumentFilter,
  { start, limit }: { start: number; limit: number },
  engine: Expressions,
  isOneRow: boolean,
): CompiledQuery {
  const emitter = new Emitter(engine, '')
  const members = [
    { name: 'id', sql: 't.document_id', type: 'string' },
    {
      name: 'total',
      sql: `(select count(*) from document t where ${conditionOf(companyId, filter, emitter)})`,
      type: 'integer',
    },
  ] as const
  const where = conditionOf(companyId, filter, emitter)
  const window = `limit ${emitter.bind(limit, 'integer')} offset ${emitter.bind(start, 'integer')}`
  const from = `from document t where ${where} ${ORDER} ${window}`
  const text = isOneRow ? engine.jsonArray(members, from) : engine.jsonRows(members, from)
  return { text, parameters: emitter.parameters, reach: reachOf(companyId, filter, engine, limit) }
}

function compileCount(companyId: string, filter: DocumentFilter, engine: Expressions): CompiledQuery {
  const emitter = new Emitter(engine, '')
  const text = `select count(*) as total from document t where ${conditionOf(companyId, filter, emitter)}`
  return { text, parameters: emitter.parameters, reach: reachOf(companyId, filter, engine, 1) }
}

/** Whether the archive is small is all that is asked: otherwise its lists are made in a reader. */
function reachOf(
  companyId: string,
  { archive, indexes }: DocumentFilter,
  engine: Expressions,
  most: number,
): CompiledQuery['reach'] {
  const order: Plan['order'] = []
  const { visit, answer, bytes } = workOf(
    { definition: archive, scope: [], filter: rowRuleOf(archive), order },
    [],
    false,
  )
  // What meets the conditions is found twice: to be counted, and for the page.
  const work = { visit: 2 * (visit + indexes.length * INDEX_WORK), answer, bytes: bytes + ID_BYTES }
  return {
    rows: most,
    most,
    work,
    edge(visits) {
      const emitter = new Emitter(engine, '')
      const text = `select 1 from document t where ${livingOf(companyId, emitter)} limit 1 offset ${visits}`
      return { text, parameters: emitter.parameters }
    },
  }
}

function livingOf(companyId: string, emitter: Emitter): string {
  return `t.company_id = ${emitter.bind(companyId, 'string', true)} and t.is_deleted = 0`
}

function conditionOf(companyId: string, filter: DocumentFilter, emitter: Emitter): string {
  const conditions = [livingOf(companyId, emitter)]
  if (filter.id !== undefined) conditions.push(`t.document_id = ${emitter.bind(filter.id, 'string', true)}`)
  if (filter.docType !== undefined) conditions.push(`t.doc_type = ${emitter.bind(filter.docType, 'string', true)}`)
  if (filter.title !== undefined) conditions.push(...titleConditions(filingKey(filter.title), emitter))
  for (const [place, value] of filter.indexes.entries()) conditions.push(indexCondition(place, value, emitter))
  if (filter.words) {
    const found = emitter.engine.documentsWith(companyId, filter.words, (value) => emitter.bind(value, 'string'))
    conditions.push(`t.document_id in (${found})`)
  }
  const rule = rowRuleOf(filter.archive)
  // The archive joins nothing, so that its rows are those of the statement.
  if (rule) conditions.push(new FilterCompiler(emitter, Rows.of(filter.archive, emitter)).condition(rule))
  return conditions.join(' and ')
}

/** What begins so lies between the beginning and the text that would follow all of them. */
function titleConditions(prefix: string, emitter: Emitter): string[] {
  const below = successorOf(prefix)
  const from = `t.title_key >= ${emitter.bind(prefix, 'string')}`
  return below === undefined ? [from] : [from, `t.title_key < ${emitter.bind(below, 'string')}`]
}

function indexCondition(place: number, value: string, emitter: Emitter): string {
  const wanted = `i.place = ${emitter.bind(place, 'integer')} and i.index_key = ${emitter.bind(filingKey(value), 'string', true)}`
  const from = `from document_index i where i.company_id = t.company_id and i.document_id = t.document_id and ${wanted}`
  return place < MOST_JOINS ? `exists (select 1 ${from})` : `(select count(*) ${from}) > 0`
}

// `query`: records of a document, in the query language.
import type { JsonObject, JsonValue } from '../../base/strict-json.ts'
import { askFor, askJson, urlOf } from './ask-json.ts'
import { collectionPath, documentNamed, parametersOf } from './named-document.ts'
import { COUNT, gives, NAME, READS, RECORDS, TEXT, takes } from './schemas.ts'
import { MAX_ROWS, shownValue, withinBytes } from './shown-values.ts'
import type { McpTool } from './tool.ts'

export const query: McpTool = {
  name: 'query',
  title: 'Query records',
  description:
    "Reads records. select: comma-separated properties, list(inner), code[C;T] with its text. filter: eq ne gt ge lt le and or not in(), contains(p,'x'), list/any(x: x/p eq 1). Strings in single quotes. At most 100 rows and 32 kB; go on with cursor.",
  inputSchema: takes(
    {
      document: NAME,
      select: TEXT,
      filter: TEXT,
      orderBy: TEXT,
      limit: { type: 'integer', minimum: 1, maximum: MAX_ROWS },
      cursor: { type: 'string', pattern: '^[0-9]{1,9}$' },
      parameters: { type: 'object', maxProperties: 5, description: 'Of the document, such as {"posted":"true"}.' },
    },
    'document',
  ),
  outputSchema: gives(
    { rows: RECORDS, total: COUNT, nextCursor: { type: 'string' }, cut: { type: 'string' } },
    'rows',
    'total',
  ),
  ...READS,
  async call(context, args, companyId) {
    const document = documentNamed(context, companyId, String(args.document))
    const { select, filter, orderBy, limit = MAX_ROWS, cursor = '0' } = args as Record<string, string | undefined>
    const requested = { ...parametersOf(document, args.parameters), $filter: filter, companyId }
    const path = collectionPath(document)
    const offset = Number(cursor)
    const page = { $select: select, $orderby: orderBy, $limit: String(limit), $offset: String(offset) }
    const { json } = await askJson(context, { method: 'GET', url: urlOf(path, { ...requested, ...page }) })
    const counted = await askFor(context, { method: 'HEAD', url: urlOf(path, requested) })
    const total = Number(counted.headers['x-erp-total-count'] ?? 0)
    const found = (json as JsonValue[]).map(shownValue)
    const rows = withinBytes(found)
    return { content: { rows, total, ...restOf(rows.length, found.length, offset, total) }, rows: rows.length }
  },
}

/** How to go on, and why the answer ends where it does. */
function restOf(told: number, found: number, offset: number, total: number): JsonObject {
  const next = offset + told
  if (told === 0 && found > 0) return { cut: 'The next record alone is longer than 32 kB: select fewer properties.' }
  if (next >= total) return {}
  const cut = told < found ? `${found - told} of ${found} rows were cut: 32 kB.` : `${total - next} more.`
  return { nextCursor: String(next), cut }
}

/** `aggregate`: counts and exact sums, so that nobody has to read all records to add them up. */
export const aggregate: McpTool = {
  name: 'aggregate',
  title: 'Count and sum records',
  description:
    'Counts and exact sums of groups of records. compute: such as count(), sum(amount) as total, min(p), max(p), avg(p). by: up to three properties, also group/property or code[C;T]. having and orderBy use the names of the result.',
  inputSchema: takes(
    {
      document: NAME,
      compute: { ...TEXT, minLength: 1 },
      by: { type: 'array', items: NAME, maxItems: 3 },
      filter: TEXT,
      having: TEXT,
      orderBy: TEXT,
      parameters: { type: 'object', maxProperties: 5 },
    },
    'document',
    'compute',
  ),
  outputSchema: gives({ groups: RECORDS, cut: { type: 'string' } }, 'groups'),
  ...READS,
  async call(context, args, companyId) {
    const document = documentNamed(context, companyId, String(args.document))
    const { compute, filter, having, orderBy } = args as Record<string, string | undefined>
    const by = ((args.by ?? []) as string[]).join(',')
    const url = urlOf(collectionPath(document), {
      ...parametersOf(document, args.parameters),
      $aggregate: compute,
      $groupby: by === '' ? undefined : by,
      $filter: filter,
      $having: having,
      $orderby: orderBy,
      $limit: MAX_ROWS + 1,
      companyId,
    })
    const { json } = await askJson(context, { method: 'GET', url })
    const found = (json as JsonValue[]).map(shownValue)
    const groups = withinBytes(found.slice(0, MAX_ROWS))
    const cut: JsonObject =
      groups.length < found.length ? { cut: 'There are more groups: filter, or group by less.' } : {}
    return { content: { groups, ...cut }, rows: groups.length }
  },
}

const MOST_DOCUMENTS = 20

/** `search_documents`: documents of the archive by their words. */
export const searchDocuments: McpTool = {
  name: 'search_documents',
  title: 'Search documents',
  description:
    'Finds invoices, contracts and other documents by words of their title, description, index values and text; all words must be there. Answers 20 at a time, the newest first.',
  inputSchema: takes(
    { words: { type: 'string', minLength: 1, maxLength: 200 }, docType: NAME, start: { ...COUNT, maximum: 1_000_000 } },
    'words',
  ),
  outputSchema: gives(
    { documents: RECORDS, total: COUNT, nextStart: COUNT, cut: { type: 'string' } },
    'documents',
    'total',
  ),
  ...READS,
  async call(context, args, companyId) {
    const { words, docType, start = 0 } = args as { words: string; docType?: string; start?: number }
    const url = urlOf('/v1/documents', { search: words, doctype: docType, start, limit: MOST_DOCUMENTS, companyId })
    const { json } = await askJson(context, { method: 'GET', url })
    const { items = [], total = 0 } = json as { items?: JsonValue[]; total?: number }
    const documents = withinBytes(items.map(shownValue))
    const rest = restOfDocuments(documents.length, items.length, start, total)
    return { content: { documents, total, ...rest }, rows: documents.length }
  },
}

/** Where to go on, and why the answer ends where it does. A document that is too long by itself is passed over. */
function restOfDocuments(told: number, found: number, start: number, total: number): JsonObject {
  if (told === 0 && found > 0) return { nextStart: start + 1, cut: 'The next document alone is longer than 32 kB.' }
  const nextStart = start + told
  if (nextStart >= total || found === 0) return {}
  const cut = told < found ? `${found - told} of ${found} documents were cut: 32 kB.` : `${total - nextStart} more.`
  return { nextStart, cut }
}

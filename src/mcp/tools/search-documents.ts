// `search_documents`: documents of the archive by their words.
import type { JsonObject, JsonValue } from '../../base/strict-json.ts'
import { askJson, urlOf } from '../answers/ask-json.ts'
import { companyOf } from '../answers/company-of.ts'
import { COUNT, gives, NAME, READS, RECORDS, takes } from '../answers/schemas.ts'
import { shownValue } from '../answers/shown-values.ts'
import type { McpTool } from '../answers/tool.ts'
import { withinBytes } from '../answers/within-bytes.ts'

const MOST_DOCUMENTS = 20

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
  annotations: READS,
  scope: 'mcp:read',
  async call(context, args) {
    const companyId = companyOf(context, args)
    const { words, docType, start = 0 } = args as { words: string; docType?: string; start?: number }
    const url = urlOf('/v1/documents', { search: words, doctype: docType, start, limit: MOST_DOCUMENTS, companyId })
    const { json } = await askJson(context, { method: 'GET', url })
    const { items = [], total = 0 } = json as { items?: JsonValue[]; total?: number }
    const documents = withinBytes(items.map(shownValue))
    const rest = restOf(documents.length, items.length, start, total)
    return { content: { documents, total, ...rest }, rows: documents.length, companyId }
  },
}

/** Where to go on, and why the answer ends where it does. A document that is too long by itself is passed over. */
function restOf(told: number, found: number, start: number, total: number): JsonObject {
  if (told === 0 && found > 0) return { nextStart: start + 1, cut: 'The next document alone is longer than 32 kB.' }
  const nextStart = start + told
  if (nextStart >= total || found === 0) return {}
  const cut = told < found ? `${found - told} of ${found} documents were cut: 32 kB.` : `${total - nextStart} more.`
  return { nextStart, cut }
}

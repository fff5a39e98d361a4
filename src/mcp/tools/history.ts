// `history`: who changed a record, when, and what.
import type { JsonObject, JsonValue } from '../../base/strict-json.ts'
import { askJson, urlOf } from '../answers/ask-json.ts'
import { companyOf, documentNamed } from '../answers/company-of.ts'
import { recordPath } from '../answers/record-path.ts'
import { gives, KEY, NAME, READS, RECORDS, takes } from '../answers/schemas.ts'
import { shownValue } from '../answers/shown-values.ts'
import type { McpTool } from '../answers/tool.ts'
import { withinBytes } from '../answers/within-bytes.ts'

const MOST_CHANGES = 50

export const history: McpTool = {
  name: 'history',
  title: 'Read the changes of a record',
  description: 'Reads who changed a record, when, and each member before and after; the newest first.',
  inputSchema: takes(
    { document: NAME, key: KEY, before: { type: 'string', pattern: '^[0-9]{1,16}$' } },
    'document',
    'key',
  ),
  outputSchema: gives({ changes: RECORDS, next: { type: 'string' }, cut: { type: 'string' } }, 'changes'),
  annotations: READS,
  scope: 'mcp:read',
  async call(context, args) {
    const companyId = companyOf(context, args)
    const { definition } = documentNamed(context, companyId, String(args.document))
    const path = `${recordPath(definition, args.key as JsonObject)}/history`
    const before = args.before as string | undefined
    const { json } = await askJson(context, {
      method: 'GET',
      url: urlOf(path, { limit: MOST_CHANGES, before, companyId }),
    })
    const { changes, next } = json as { changes: JsonValue[]; next: JsonValue }
    const found = changes.map(shownValue)
    const told = withinBytes(found)
    return { content: { changes: told, ...restOf(told, found, String(next ?? '')) }, rows: told.length, companyId }
  },
}

/** Where to go on, and why the answer ends where it does. A change that is too long by itself is passed over. */
function restOf(told: readonly JsonValue[], found: readonly JsonValue[], next: string): JsonObject {
  if (told.length === found.length) return next === '' ? {} : { next, cut: 'There are older changes.' }
  const last = numberOf(told.at(-1) ?? found[0])
  if (told.length === 0) return { next: last, cut: `The change ${last} alone is longer than 32 kB.` }
  return { next: last, cut: `${found.length - told.length} of ${found.length} changes were cut: 32 kB.` }
}

function numberOf(change: JsonValue | undefined): string {
  return String((change as { readonly number?: JsonValue } | undefined)?.number ?? '')
}

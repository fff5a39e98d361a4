// `aggregate`: counts and exact sums, so that nobody has to read all records to add them up.
import type { JsonObject, JsonValue } from '../../base/strict-json.ts'
import { askJson, urlOf } from '../answers/ask-json.ts'
import { collectionPath, companyOf, documentNamed } from '../answers/company-of.ts'
import { parametersOf } from '../answers/parameters-of.ts'
import { gives, NAME, READS, RECORDS, TEXT, takes } from '../answers/schemas.ts'
import { shownValue } from '../answers/shown-values.ts'
import type { McpTool } from '../answers/tool.ts'
import { MAX_ROWS, withinBytes } from '../answers/within-bytes.ts'

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
  annotations: READS,
  scope: 'mcp:read',
  async call(context, args) {
    const companyId = companyOf(context, args)
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
    return { content: { groups, ...cut }, rows: groups.length, companyId }
  },
}

// `read`: one record, with its lists and what it is related to.
import type { JsonValue } from '../../base/strict-json.ts'
import type { Properties } from '../../model/document.ts'
import { askJson, urlOf } from '../answers/ask-json.ts'
import { collectionPath, companyOf, documentNamed } from '../answers/company-of.ts'
import { parametersOf } from '../answers/parameters-of.ts'
import { keyFilter } from '../answers/record-path.ts'
import { gives, KEY, NAME, READS, RECORD, takes } from '../answers/schemas.ts'
import { shownValue } from '../answers/shown-values.ts'
import { type McpTool, ToolError } from '../answers/tool.ts'
import { withinBytes } from '../answers/within-bytes.ts'

export const read: McpTool = {
  name: 'read',
  title: 'Read a record',
  description:
    'Reads one record by its key, with contact points, related values and custom fields. describe tells the key of a document.',
  inputSchema: takes({ document: NAME, key: KEY, parameters: { type: 'object', maxProperties: 5 } }, 'document', 'key'),
  outputSchema: gives({ record: RECORD }, 'record'),
  annotations: READS,
  scope: 'mcp:read',
  async call(context, args) {
    const companyId = companyOf(context, args)
    const document = documentNamed(context, companyId, String(args.document))
    const url = urlOf(collectionPath(document), {
      ...parametersOf(document, args.parameters),
      $filter: keyFilter(document.definition, args.key as never),
      $select: wholeSelect(document.definition.properties),
      $limit: 1,
      companyId,
    })
    const { json } = await askJson(context, { method: 'GET', url })
    const [record] = (json as JsonValue[]).map(shownValue)
    if (record === undefined) throw new ToolError('There is no such record, or it is out of your sight.')
    if (withinBytes([record]).length === 0) throw new ToolError('The record is longer than 32 kB: query parts of it.')
    return { content: { record }, rows: 1, companyId }
  },
}

/** Everything of a record itself; associated records are records of their own. */
function wholeSelect(properties: Properties): string {
  const onRequest = Object.entries(properties).flatMap(([name, property]) =>
    property.kind === 'list' || (property.kind === 'group' && property.isOnRequest) ? [name] : [],
  )
  return ['*', ...onRequest].join(',')
}

// `explain_access`: what the caller may do, and why something is not there.
import type { JsonObject, JsonValue } from '../../base/strict-json.ts'
import { askJson, urlOf } from '../answers/ask-json.ts'
import { companyOf } from '../answers/company-of.ts'
import { gives, NAME, READS, RECORDS, takes } from '../answers/schemas.ts'
import { shownValue } from '../answers/shown-values.ts'
import type { McpTool } from '../answers/tool.ts'

const NAMES = { type: 'array', items: { type: 'string' } } as const

interface Access {
  readonly companies: JsonValue[]
  readonly apis: Readonly<Record<string, string[]>>
  readonly documents: readonly { readonly name: string; readonly operations: string[] }[]
  readonly rules: readonly { readonly document: string }[]
}

export const explainAccess: McpTool = {
  name: 'explain_access',
  title: 'Explain your access',
  description:
    'Tells what you may do in a company: operations, documents, and the rules that hide rows or properties from you. With document, of that one alone.',
  inputSchema: takes({ document: NAME }),
  outputSchema: gives(
    { companies: RECORDS, operations: NAMES, documents: NAMES, rules: RECORDS },
    'companies',
    'operations',
    'documents',
    'rules',
  ),
  annotations: READS,
  scope: 'mcp:read',
  async call(context, args) {
    const companyId = companyOf(context, args)
    const { json } = await askJson(context, { method: 'GET', url: urlOf('/v1/access', { companyId }) })
    const { companies, apis, documents, rules } = json as unknown as Access
    const name = args.document as string | undefined
    const isRequested = (one: string) =>
      name === undefined || one === name || (name === 'document-archive' && one === 'documents')
    const content = {
      companies,
      operations: Object.entries(apis).flatMap(([api, all]) =>
        isRequested(api) ? all.map((one) => `${api}:${one}`) : [],
      ),
      documents: documents.flatMap((one) =>
        isRequested(one.name) ? one.operations.map((each) => `${one.name}:${each}`) : [],
      ),
      rules: rules.filter((rule) => isRequested(rule.document)) as unknown as JsonValue[],
    }
    return { content: shownValue(content) as JsonObject, rows: 1, companyId }
  },
}

// A question as others take it away: a URL, curl, TypeScript, and addresses for Excel.
import { requiredParameters } from '../../service/metadata.ts'
import { addressOf, type Question } from '../../service/question.ts'

export interface Printed {
  readonly url: string
  readonly curl: string
  readonly typescript: string
  /** The answer as a file for Excel. */
  readonly excelFile: string
  /** A file that connects Excel with all records of the document. */
  readonly excel: string
}

/** `root`: where the service is, with its base path. No secret of the session is in any of them. */
export function printed(root: string, company: string, question: Question): Printed {
  const url = root + addressOf(company, question)
  return {
    url,
    curl: `curl -s -g -u CLIENT:SECRET '${url.replaceAll("'", '%27')}'`,
    typescript: typescriptOf(root, company, question),
    excelFile: `${url}&$format=excel`,
    excel: `${root}/odata/v4/${encodeURIComponent(company)}/link-files/${entitySetOf(question.document)}.odc`,
  }
}

/** Identifiers of OData have no hyphens, and names of documents nothing else that these lack. */
const entitySetOf = (document: string) => document.replaceAll('-', '_')

function typescriptOf(root: string, company: string, question: Question): string {
  const { document, groupBy, aggregate, ...options } = question
  const isGrouped = (groupBy ?? '') !== '' || (aggregate ?? '') !== ''
  const given = Object.entries(isGrouped ? { ...options, select: undefined, groupBy, aggregate } : options)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => `  ${name}: ${literal(value)},\n`)
  const parameters = [...new URLSearchParams(requiredParameters(document))].map(([name, value]) => `${name}: ${value}`)
  if (parameters.length > 0) given.push(`  parameters: { ${parameters.join(', ')} },\n`)
  const call = isGrouped ? 'aggregate' : 'list'
  return `import { createClient } from '@tabularium/client'

const client = createClient(
  { url: ${literal(root)}, clientId: 'CLIENT', clientSecret: process.env.CLIENT_SECRET ?? '' },
  { company: ${literal(company)} },
)
const rows = await client.objects[${literal(document)}].${call}({
${given.join('')}})
`
}

const literal = (value: unknown): string =>
  typeof value === 'string'
    ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n').replaceAll('\r', '\\r')}'`
    : String(value)

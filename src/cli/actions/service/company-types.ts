// The types of what a client may read of a company, as a TypeScript file.
import type { Client } from '#client'

interface ListedDocument {
  readonly name: string
  readonly version: number
  readonly parameters: readonly string[]
}

const KINDS = ['Association', 'Coded', 'ComplexGroup', 'Group', 'GroupOnRequest', 'List', 'Value']

/** The text of the file. It is the same as long as nothing has changed for the client. */
export async function companyTypes(client: Client): Promise<string> {
  const documents = (await jsonOf(client, '/v1/objects')) as ListedDocument[]
  const codes = await codesOf(client, documents)
  const names = new Map(documents.map((document) => [document, typeNameOf(document)]))
  const interfaces: string[] = []
  for (const [document, typeName] of names) {
    const { name, version, parameters } = document
    // The ledger answers no question, not even this one, without a state.
    const states = parameters.includes('posted') ? parameters : []
    const query = states.length > 0 ? { posted: true } : {}
    const path = `/v${version}/objects/${name}`
    const schema = (await jsonOf(client, path, 'application/schema+json', query)) as DocumentSchema
    interfaces.push(interfaceOf({ typeName, name, states }, schema.items ?? {}, codes))
  }
  const used = KINDS.filter((kind) => interfaces.some((text) => text.includes(`${kind}<`)))
  return [
    '// Written by `tabularium types` of a running service: what this client may read there. Do not edit.',
    `import type { ${used.join(', ')} } from '@tabularium/client'`,
    '',
    ...interfaces.flatMap((text) => [text, '']),
    'export interface Company {',
    '  objects: {',
    ...[...names].map(([{ name }, typeName]) => `    ${/^\w+$/.test(name) ? name : JSON.stringify(name)}: ${typeName}`),
    '  }',
    '}',
    '',
  ].join('\n')
}

/** `WorkOrders` for `work-orders`; of a later version `WorkOrdersV2`. */
function typeNameOf({ name, version }: ListedDocument): string {
  const pascal = name.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9]?)/g, (_all, letter: string) => letter.toUpperCase())
  const typeName =
    KINDS.includes(pascal) || pascal === 'Company' || !/^[A-Z]/.test(pascal) ? `Document${pascal}` : pascal
  return version === 1 ? typeName : `${typeName}V${version}`
}

/** None if the client may not read value lists: codes are plain texts then. */
async function codesOf(client: Client, documents: readonly ListedDocument[]): Promise<CodeLists> {
  const document = documents.find(({ name }) => name === 'value-list')
  if (!document) return new Map()
  const query = { $select: 'name,description' }
  const rows = (await jsonOf(client, '/v1/objects/value-list', undefined, query)) as {
    readonly name: string
    readonly description: string
  }[]
  const byList = Map.groupBy(rows, ({ name }) => name)
  return new Map([...byList].map(([name, all]) => [name, all.map(({ description }) => description)]))
}

async function jsonOf(client: Client, path: string, accept = 'application/json', query = {}): Promise<unknown> {
  const answer = await client.request({ method: 'GET', path, headers: { accept }, query })
  return await answer.json()
}

// The types of a document's properties, as its JSON Schema describes them.

interface DocumentSchema {
  readonly type?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, DocumentSchema>>
  readonly items?: DocumentSchema
  readonly 'x-erp-complextype'?: unknown
  readonly 'x-erp-describable'?: unknown
  readonly 'x-erp-document'?: string
  readonly 'x-erp-valueList'?: { readonly valueList: string }
  readonly 'x-erp-onRequest'?: DocumentSchema
  readonly 'x-erp-onRequestOnly'?: boolean
}

/** The codes of each value list. */
type CodeLists = ReadonlyMap<string, readonly string[]>

/** Longer lists are plain texts: nobody writes so many codes into a program. */
const MOST_CODES = 500
const INDENT = '  '
const NAME = /^[A-Za-z_$][\w$]*$/

interface TypedDocument {
  readonly typeName: string
  readonly name: string
  /** Parameters, one of which must be true. Empty where none is needed. */
  readonly states: readonly string[]
}

/** The interface of a document, in the words of `@tabularium/client`. */
function interfaceOf(document: TypedDocument, row: DocumentSchema, codes: CodeLists): string {
  const { typeName, name, states } = document
  const onRequest = row['x-erp-onRequest']?.properties ?? {}
  const lines = [
    `export interface ${typeName} {`,
    `${INDENT}name: ${JSON.stringify(name)}`,
    `${INDENT}properties: {`,
    ...members({ ...row.properties, ...onRequest }, codes, INDENT + INDENT),
    `${INDENT}}`,
    ...(states.length > 0 ? [`${INDENT}states: ${literals(states)}`] : []),
    '}',
  ]
  return lines.join('\n')
}

type Schemas = Readonly<Record<string, DocumentSchema>>

function members(properties: Schemas, codes: CodeLists, indent: string): string[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    // The text of a code follows from the code.
    if (name.endsWith('(description)')) return []
    const text = `${indent}${NAME.test(name) ? name : JSON.stringify(name)}: ${typeOf(schema, codes, indent)}`
    return schema.description === undefined ? [text] : [`${indent}/** ${commentOf(schema.description)} */`, text]
  })
}

function typeOf(schema: DocumentSchema, codes: CodeLists, indent: string): string {
  const inner = schema.type === 'array' ? schema.items?.properties : schema.properties
  if (inner === undefined) return valueType(schema, codes)
  const inside = ['{', ...members(inner, codes, indent + INDENT), `${indent}}`].join('\n')
  return `${kindOf(schema)}<${inside}>`
}

function kindOf(schema: DocumentSchema): string {
  if (schema.type === 'array') return 'List'
  if (schema['x-erp-document'] !== undefined) return 'Association'
  if (schema['x-erp-complextype'] !== undefined) return 'ComplexGroup'
  return schema['x-erp-onRequestOnly'] === true ? 'GroupOnRequest' : 'Group'
}

const SCALARS: Readonly<Record<string, string>> = { integer: 'number', number: 'number', boolean: 'boolean' }

function valueType(schema: DocumentSchema, codes: CodeLists): string {
  const scalar = SCALARS[schema.type ?? ''] ?? 'string'
  if (schema['x-erp-describable'] === undefined) return `Value<${scalar}>`
  const list = schema['x-erp-valueList']?.valueList
  const known = list === undefined || scalar !== 'string' ? undefined : codes.get(list)
  return `Coded<${known ? unionOf(known) : scalar}>`
}

/** The codes, and the empty text of a record that has none. */
export function unionOf(codes: readonly string[]): string {
  // A code has a row for each of its languages.
  const all = new Set(codes)
  return all.size === 0 || all.size > MOST_CODES ? 'string' : literals([...all.add('')].toSorted())
}

const literals = (texts: readonly string[]) => texts.map((text) => JSON.stringify(text)).join(' | ')

/** A description comes from the setup: it must not end the comment that it stands in. */
function commentOf(text: string): string {
  return text.replaceAll(/[\r\n\u2028\u2029]+/g, ' ').replaceAll('*/', '*\\/')
}

// The types of what a client may read of a company, as a TypeScript file.
import type { Client } from '#client'
import { type CodeLists, type DocumentSchema, interfaceOf } from './schema-types.ts'

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

// The setup in force as a file that can be applied again without a change.
import { stringify } from 'yaml'
import type { ItemKind, SetupItem } from '../items/setup-item.ts'
import { withoutHash } from '../items/setup-items.ts'
import { definitionsOf } from '../rules/access-definitions.ts'

const HEADING = `# The setup in force. It holds hashes of secrets: let nobody else read it.
# The values that attributes have are records: \`export attribute-values\` writes them.
`

export function printSetup(items: readonly SetupItem[]): string {
  const companies = items.filter(({ kind }) => kind === 'company').map((company) => companyOf(company, items))
  const definitions = <Definition>(kind: ItemKind) => definitionsOf<Definition>(items, kind)
  const indexes = definitions<{ id: string; indexes: unknown; textIndexes: unknown }>('indexes')
  const setup = {
    version: 1,
    companies,
    documents: definitions<{ id: string }>('document').map(({ id: _name, ...document }) => document),
    indexes: Object.fromEntries(indexes.map(({ id, indexes: of }) => [id, of])),
    textIndexes: Object.fromEntries(indexes.map(({ id, textIndexes: of }) => [id, of])),
    roles: definitions('role'),
    users: definitions('user'),
    clients: definitions('client'),
    ...(definitions('authentication').length > 0 ? { authentication: definitions('authentication')[0] } : {}),
  }
  // Without aliases and folded lines, so that each part can be read and moved by itself.
  return HEADING + stringify(setup, { lineWidth: 0, aliasDuplicateObjects: false })
}

function companyOf({ companyId, definition }: SetupItem, items: readonly SetupItem[]): object {
  const own = items.filter((item) => item.companyId === companyId)
  const valueLists = own.filter(({ kind }) => kind === 'valueList').map((item) => [item.id, item.definition])
  const [customers] = definitionsOf(own, 'customers')
  return {
    ...definition,
    ...(customers === undefined ? {} : { customers }),
    attributes: definitionsOf(own, 'attribute'),
    relations: definitionsOf(own, 'relation'),
    documentTypes: definitionsOf(own, 'documentType'),
    valueLists: Object.fromEntries(valueLists),
    subscriptions: definitionsOf<Parameters<typeof withoutHash>[0]>(own, 'subscription').map(withoutHash),
  }
}

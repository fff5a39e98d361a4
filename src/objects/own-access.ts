// What a caller may do in a company, in the words of the setup. Everything is asked of the caller, whose answers decide
// requests too.
import type { Caller, Permission } from '../access/caller.ts'
import type { DocumentRule } from '../model/restricted.ts'

interface QueryableDocument {
  readonly name: string
  readonly operations: readonly QueryOperation[]
}

const QUERY_OPERATIONS = ['read', 'export'] as const
type QueryOperation = (typeof QUERY_OPERATIONS)[number]

/** The Enterprise Document whose rule applies to the records of an API, where it has another name. */
const DOCUMENT_OF_API: Readonly<Record<string, string>> = {
  documents: 'document-archive',
}

/** API -> the operations that the roles allow. */
export function apisOf(caller: Caller, companyId: string): Record<string, string[]> {
  const apis: Record<string, string[]> = {}
  for (const permission of caller.permissionsIn(companyId)) {
    const [api = '', operation = ''] = permission.split(':')
    // Documents follow the operation `read` of the object endpoints.
    if (!operation.includes('/')) apis[api] = [...(apis[api] ?? []), operation]
  }
  return apis
}

/** Empty for a document that the caller may not query. */
export function queryOperations(caller: Caller, companyId: string, name: string): QueryOperation[] {
  const operations = QUERY_OPERATIONS.filter((operation) => caller.mayQuery(companyId, operation, name))
  return operations.includes('read') ? operations : []
}

export function queryableDocuments(caller: Caller, companyId: string, names: readonly string[]): QueryableDocument[] {
  return [...new Set(names)].flatMap((name) => {
    const operations = queryOperations(caller, companyId, name)
    return operations.length > 0 ? [{ name, operations }] : []
  })
}

/** What the roles leave out of a document, and in which operations they do. */
export interface OwnRule {
  readonly document: string
  /** Such as `customers:update`; `objects:read` is a query. */
  readonly operations: readonly string[]
  /** Only the rows that meet it are there. */
  readonly filter?: string
  readonly hidden: readonly string[]
}

export function rulesOf(caller: Caller, companyId: string, documents: readonly QueryableDocument[]): OwnRule[] {
  const rules = new Map<string, OwnRule>()
  const add = (document: string, operation: string, rule: DocumentRule | undefined) => {
    if (!rule) return
    const described = { document, ...describe(rule) }
    const key = JSON.stringify(described)
    rules.set(key, { ...described, operations: [...(rules.get(key)?.operations ?? []), operation] })
  }
  for (const [api, operations] of Object.entries(apisOf(caller, companyId))) {
    const document = DOCUMENT_OF_API[api] ?? api
    for (const operation of operations) {
      const permission = `${api}:${operation}` as Permission
      add(document, permission, caller.rulesFor(companyId, permission)?.get(document))
    }
  }
  for (const { name } of documents) {
    add(name, 'objects:read', caller.rulesForQuery(companyId, name, [])?.get(name))
  }
  return [...rules.values()]
}

function describe({ filters, hidden }: DocumentRule): Pick<OwnRule, 'filter' | 'hidden'> {
  const filter = filters?.length === 1 ? filters[0] : filters?.map((one) => `(${one})`).join(' or ')
  return { ...(filter === undefined ? {} : { filter }), hidden: [...hidden] }
}

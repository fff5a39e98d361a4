// Requests for the paths of OData that the metadata allow, and that must be accepted.
import type { DescribedOperation } from '../description.ts'
import type { Draft } from '../good-request.ts'
import type { FuzzRequest, Session } from '../session.ts'
import type { DeclaredSet } from './entity-sets.ts'
import { legalOptions } from './legal-options.ts'

const CALLER = 'integration'
const ROOT = '/odata/v4/EN'
/** Their records may be removed between two requests. */
const MAY_GO = new Set(['attribute_relations', 'document_archive', 'work_orders'])

export function isOData({ path }: Pick<DescribedOperation, 'path'>): boolean {
  return path.startsWith('/odata/')
}

/** Sets with records in the setup of the tests, whose keys are texts and numbers that stand in columns. */
const WITH_ENTITIES = ['attribute_values', 'customers', 'companies', 'attribute_relations', 'work_orders']
/** Always has records. */
const SURE = 'attribute_values'

export async function odataDraft(session: Session, operation: DescribedOperation): Promise<Draft> {
  const { chance } = session
  const sets = await session.declaredSets()
  const taken = operation.parameters.filter(({ in: place }) => place === 'query').map(({ name }) => name)
  const draft = (params: Draft['params'], set?: DeclaredSet, expected = [200]): Draft => {
    const query = set ? legalOptions(sets, set, taken, chance) : formatOf(session, operation)
    const takesSize = operation.parameters.some(({ name }) => name === 'Prefer')
    const headers = takesSize && chance.happens(0.2) ? SMALL_PAGES : NO_HEADERS
    return { operation, record: undefined, params: { companyId: 'EN', ...params }, query, headers, expected }
  }
  if (operation.path.includes('{file}')) {
    return draft({ file: chance.pick(['tabularium.pbids', ...[...sets.keys()].map((name) => `${name}.odc`)]) })
  }
  if (!operation.path.includes('{entitySet}')) return draft({})
  if (!operation.path.includes('{key}')) {
    const set = chance.pick([...sets.values()])
    return draft({ entitySet: set.name }, set)
  }
  const needsList = operation.path.includes('{navigation}')
  const { set, key } = await entityOf(session, (one) => !needsList || one.lists.size > 0)
  const expected = MAY_GO.has(set.name) ? [200, 404] : [200]
  if (!needsList) return draft({ entitySet: set.name, key }, set, expected)
  const [navigation, target] = chance.pick([...set.lists])
  return draft({ entitySet: set.name, key, navigation }, sets.get(target), expected)
}

const NO_HEADERS = {}
const SMALL_PAGES = { prefer: 'odata.maxpagesize=2' }

/** The service document and the metadata take no other option. */
function formatOf({ chance }: Session, { path, parameters }: DescribedOperation): Draft['query'] {
  if (!parameters.some(({ name }) => name === '$format') || chance.happens(0.5)) return []
  return [['$format', chance.pick(path.endsWith('$metadata') ? ['xml', 'json', 'application/xml'] : ['json'])]]
}

/** An entity that is there, and the text of its key. */
async function entityOf(session: Session, isFit: (set: DeclaredSet) => boolean) {
  const sets = await session.declaredSets()
  const usable = WITH_ENTITIES.flatMap((name) => sets.get(name) ?? []).filter(isFit)
  const set = session.chance.pick(usable)
  const found = await anyKeyOf(session, set)
  if (found !== undefined) return { set, key: found }
  const sure = sets.get(SURE)
  const key = sure && (await anyKeyOf(session, sure))
  if (!sure || key === undefined) throw new Error(`there is nothing in ${SURE}`)
  return { set: sure, key }
}

async function anyKeyOf(session: Session, { name, key }: DeclaredSet): Promise<string | undefined> {
  const asked: FuzzRequest = {
    operation: session.description.operation('readODataEntitySet'),
    method: 'GET',
    url: `${ROOT}/${name}?$select=${key.join(',')}&$top=20`,
    as: CALLER,
    expected: [200],
    what: 'an entity for a later call',
  }
  const { json } = await session.send(asked)
  const rows = json.value as Readonly<Record<string, string | number>>[]
  if (rows.length === 0) return undefined
  const row = session.chance.pick(rows)
  const parts = key.map((part) => [part, literalOf(row[part] ?? '')] as const)
  const [only] = parts
  if (parts.length === 1 && only && session.chance.happens(0.7)) return only[1]
  return parts.map(([part, literal]) => `${part}=${literal}`).join(',')
}

function literalOf(value: string | number): string {
  return typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`
}

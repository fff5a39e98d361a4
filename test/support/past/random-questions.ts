// Random questions about records, whose answers are remembered and asked again for the moment at which they were given.
// They select no associated records and no descriptions of codes: those are of the moment of reading.
import type { Pick } from './random-writes.ts'

export interface Question {
  readonly as: string
  readonly method: 'GET' | 'HEAD'
  readonly url: string
}

/** The callers of `rules.yaml` who may read all documents: of all rows, of some rows, and of some members. */
const CALLERS = ['admin', 'rows', 'fields']

interface Asked {
  readonly filters: readonly string[]
  readonly selects: readonly string[]
  readonly orders: readonly string[]
}

const STAMPS = ["lastUpdated/updatedBy eq 'svc-admin'", 'lastUpdated/updatedAt ge 2026-01-01']

const COLLECTIONS: Readonly<Record<string, Asked>> = {
  'attribute-values': {
    filters: [
      "status eq 'N'",
      "contains(description,'a')",
      'periodFrom ge 202601',
      "startswith(attributeValue,'V') and status ne 'C'",
      "relatedValues/any(r: r/relatedValue eq 'P1')",
      'contactPoints/any(p: p/sortOrder ge 0)',
      "attributeId in ('C1','C2') and not (description eq '')",
      ...STAMPS,
    ],
    selects: [
      '',
      '*',
      'attributeValue,relatedValues(*)',
      '*,contactPoints(*)',
      'attributeValue,periodFrom,lastUpdated',
    ],
    orders: ['', 'description desc', 'lastUpdated/updatedAt desc', 'status,attributeValue desc'],
  },
  'attribute-relations': {
    filters: ["relationValue eq 'P1'", 'dateTo lt 2099-01-01', "attributeValue eq 'CC100'", ...STAMPS],
    selects: ['', '*', 'attributeValue,relationValue,dateTo'],
    orders: ['', 'dateTo desc', 'relationValue'],
  },
  customers: {
    filters: [
      "countryCode eq 'NO'",
      "payment/status eq 'N'",
      "customerName eq 'Süd'",
      "customFieldGroups/LOYALTY/tier eq 'G'",
      ...STAMPS,
    ],
    selects: ['', '*', 'customerId,relatedValues(*)', 'customerId,payment(*),customFieldGroups(*)'],
    orders: ['', 'customerName desc', 'lastUpdated/updatedAt'],
  },
  'document-archive': {
    filters: ["docType eq 'NOTE'", "description ne ''", "status eq 'T' or status eq 'N'", 'revisionNo gt 1'],
    selects: ['', '*', 'id,revisionNo,docSize', '*,indexes(*)'],
    orders: ['', 'revisionNo desc,id', 'description'],
  },
}

const SINGLES = [
  '/v1/attribute-values/C1/CC100/0',
  '/v1/attribute-values/C1/V1/202601',
  '/v1/attribute-values/C1/V%2F3/0',
  '/v1/attribute-relations/C1/CC100/C3/P1',
  '/v1/attribute-relations/C1/V%2F3/C3/P2',
  '/v1/customers/1001',
  '/v1/customers/2001',
]

export function randomQuestion(pick: Pick): Question {
  const as = pick(CALLERS)
  const kind = pick(['collection', 'collection', 'collection', 'list', 'count', 'single'])
  if (kind === 'single') return { as, method: 'GET', url: pick(SINGLES) }
  const name = kind === 'list' ? 'attribute-values' : pick(Object.keys(COLLECTIONS))
  const { filters, selects, orders } = COLLECTIONS[name] as Asked
  const path = kind === 'list' ? '/v1/attribute-values/C1' : `/v1/objects/${name}`
  const filter = pick(['', '', ...(kind === 'list' ? filters.slice(0, 4) : filters)])
  if (kind === 'count') return { as, method: 'HEAD', url: `${path}?${query({ $filter: filter })}` }
  const select = kind === 'list' ? pick(['', 'attributeValue,status']) : pick(selects)
  const order = kind === 'list' ? '' : pick(orders)
  const page = pick<Readonly<Record<string, string>>>([
    {},
    {},
    { $limit: '3' },
    { $limit: '2', $offset: '1' },
    { $format: 'ndjson' },
    { $format: 'csv' },
  ])
  return { as, method: 'GET', url: `${path}?${query({ $filter: filter, $select: select, $orderby: order, ...page })}` }
}

function query(options: Readonly<Record<string, string>>): string {
  const given = Object.entries(options).filter(([, value]) => value !== '')
  return given.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')
}

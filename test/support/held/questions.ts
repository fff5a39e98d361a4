// Questions that go through as much as they can, one for each reading operation of the description.

/** What a path names. A path with anything else is asked as it stands, and the service refuses it. */
const PLACES: Readonly<Record<string, string>> = {
  companyId: 'EN',
  attributeId: 'C2',
  attributeValue: '100',
  periodFrom: '0',
  customerId: 'K1',
  entity: 'customers',
  document: 'customers',
  relatedAttributeId: 'C2',
  relationValue: '100',
}

const COLLECTIONS = [
  'customers',
  'attribute-values',
  'attribute-relations',
  'audit-entries',
  'general-ledger-transactions',
]

/** Combinations of options that make long work of a collection. */
const COLLECTION_OPTIONS = [
  '',
  '?$limit=2000',
  "?$filter=contains(tolower(customerName),'zq')",
  '?$orderby=customerName desc&$limit=10',
  '?$asOf=60&$limit=1',
  "?$asOf=61&$filter=contains(customerName,'zq')",
  '?$groupby=countryCode&$aggregate=$count as n',
  '?$asOf=62&$groupby=countryCode&$aggregate=$count as n',
  '?$format=parquet',
  '?$format=ndjson',
  '?$format=excel',
  '?$select=contactPoints(address),relatedValues',
  '?$limit=1&$offset=19000',
]

const CHANGES = [
  '?since=0&limit=1000',
  "?since=0&entities=customers&limit=1000&$filter=customerId eq 'nobody'",
  "?since=0&entities=customers&limit=10&latest=true&$filter=contains(customerName,'zq')",
  '?since=0&entities=attribute-relations&limit=1000&latest=true',
]

const ODATA_OPTIONS = [
  '',
  '?$top=1000',
  "?$filter=contains(tolower(customerName),'zq')",
  '?$expand=contactPoints&$top=500',
  '?$orderby=customerName desc&$top=5',
  '?$count=true&$top=1',
  '?$apply=groupby((countryCode),aggregate($count as n))',
  '/$count',
]

export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** The addresses of all reading operations, with what makes them long. */
export function questionsOf({ paths }: Description): string[] {
  const asked = Object.entries(paths).flatMap(([path, operations]) => ('get' in operations ? addressesOf(path) : []))
  return [...new Set(asked)]
}

function addressesOf(path: string): string[] {
  const filled = path.replaceAll(/\{(\w+)\}/g, (whole, name: string) => PLACES[name] ?? whole)
  if (path === '/v1/changes') return CHANGES.map((options) => `${path}${options}`)
  if (path.startsWith('/v1/objects/')) return COLLECTION_OPTIONS.map((options) => `${filled}${options}`)
  if (path.includes('{entitySet}')) {
    const sets = COLLECTIONS.map((name) => name.replaceAll('-', '_'))
    if (path.includes('{key}')) return [filled.replace('{entitySet}', 'customers').replace('{key}', "'K1'")]
    return sets.flatMap((set) => ODATA_OPTIONS.map((options) => `${filled.replace('{entitySet}', set)}${options}`))
  }
  return [filled, `${filled}?asOf=70`, `${filled}?limit=1000`]
}

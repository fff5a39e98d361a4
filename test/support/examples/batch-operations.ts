import { BUILT_IN_EXAMPLES } from './built-in.ts'
import { exampleId } from './documents.ts'
import { type ExampleRequest, type ExampleRequests, KEYED } from './example-request.ts'

const OPERATIONS = '/v1/batch-operations'
const SINGLE = `${OPERATIONS}/{id}`
/** The number of ids that the examples before these take. */
const TAKEN = 6
const first = `${OPERATIONS}/${exampleId(TAKEN + 1)}`
const ofCustomers = `${OPERATIONS}/${exampleId(TAKEN + 3)}`
const unknown = `${OPERATIONS}/${exampleId(999)}`
const CSV = { 'content-type': 'text/csv' }
const LINES = { 'content-type': 'application/x-ndjson' }

const upload = (resource: string, body: string): ExampleRequests => {
  const path = `/v1/${resource}/batch`
  return {
    [`POST ${path}`]: [
      { name: 'CSV with two rows', headers: CSV, body },
      { name: 'A separator that is none', url: `${path}?separator=/`, headers: CSV, body },
      { name: 'No token', as: 'nobody', headers: CSV, body },
      { name: 'A company of others', url: `${path}?companyId=XX`, headers: CSV, body },
      { name: 'A body of 200 MB', headers: { ...CSV, 'content-length': '200000000' }, body },
      { name: 'Another request under the same key', headers: { ...CSV, ...KEYED }, body },
    ],
    [`POST ${path}/preview`]: [
      { name: 'CSV with two rows', headers: CSV, body },
      { name: 'A separator that is none', url: `${path}/preview?separator=/`, headers: CSV, body },
      { name: 'No token', as: 'nobody', headers: CSV, body },
      { name: 'A company of others', url: `${path}/preview?companyId=XX`, headers: CSV, body },
      { name: 'A body of 200 MB', headers: { ...CSV, 'content-length': '200000000' }, body },
    ],
  }
}

const patches = (resource: string, body: string): ExampleRequests => {
  const path = `/v1/${resource}/batch/patches`
  return {
    [`POST ${path}`]: [
      { name: 'A change of one record', headers: LINES, body },
      { name: 'A number that is none', url: `${path}?unchangedSince=now`, headers: LINES, body },
      { name: 'No token', as: 'nobody', headers: LINES, body },
      { name: 'A company of others', url: `${path}?companyId=XX`, headers: LINES, body },
      { name: 'A body of 200 MB', headers: { ...LINES, 'content-length': '200000000' }, body },
      { name: 'Another request under the same key', headers: { ...LINES, ...KEYED }, body },
    ],
  }
}

/** Requests that every address of an operation rejects. */
const refused = (path: string): ExampleRequest[] => [
  { name: 'A company given twice', url: `${first}${path}?companyId=EN&companyId=SV` },
  { name: 'No token', url: first + path, as: 'nobody' },
  { name: 'A company of others', url: `${first}${path}?companyId=XX` },
  { name: 'No such operation', url: unknown + path },
]

export const batchOperationExamples: ExampleRequests = {
  ...upload('attribute-values', 'attributeId,attributeValue,description\r\nC1,2098,Quay 4\r\nC1,2099,Quay 5\r\n'),
  ...upload(
    'attribute-relations',
    'attributeId;attributeValue;relatedAttributeId;relationValue\r\nC1;2098;C2;100\r\nC1;2099;C2;100\r\n',
  ),
  ...Object.assign({}, ...BUILT_IN_EXAMPLES.map(([name, { rows }]) => upload(name, rows))),
  ...patches(
    'attribute-values',
    '{"attributeId":"C1","attributeValue":"2098","periodFrom":0,"operations":[{"op":"replace","path":"/description","value":"Quay 14"}]}\n',
  ),
  ...Object.assign({}, ...BUILT_IN_EXAMPLES.map(([name, { changes }]) => patches(name, changes))),
  [`GET ${OPERATIONS}`]: [
    { name: 'The newest', url: `${OPERATIONS}?limit=1` },
    { name: 'No limit of that size', url: `${OPERATIONS}?limit=5000` },
    { name: 'No token', as: 'nobody' },
    { name: 'A company of others', url: `${OPERATIONS}?companyId=XX` },
  ],
  [`GET ${SINGLE}/status`]: [{ name: 'One that waits', url: `${first}/status` }, ...refused('/status')],
  [`GET ${SINGLE}/results`]: [{ name: 'Nothing rejected', url: `${first}/results` }, ...refused('/results')],
  [`DELETE ${SINGLE}/records`]: [
    { name: 'What nobody has changed since', url: `${ofCustomers}/records` },
    ...refused('/records'),
    { name: 'Another request under the same key', url: `${ofCustomers}/records`, headers: KEYED },
  ],
  [`DELETE ${SINGLE}`]: [
    { name: 'One that waits', url: first },
    ...refused(''),
    { name: 'Another request under the same key', url: first, headers: KEYED },
  ],
}

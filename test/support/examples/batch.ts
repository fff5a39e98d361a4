import { type ExampleRequests, FORM } from './example-request.ts'

const BATCH = '/v1/batch'
const VALUES = '/v1/attribute-values'

const project = (id: string, description: string) => ({
  id,
  method: 'POST',
  url: VALUES,
  atomicityGroup: 'projects',
  body: { attributeId: 'C5', description },
})

/** Longer than a batch may be. */
const TOO_LARGE = 'x'.repeat(4_300_000)

export const batchExamples: ExampleRequests = {
  [`POST ${BATCH}`]: [
    {
      name: 'A value, a relation of it, and how it is then',
      body: {
        requests: [
          {
            id: '1',
            method: 'POST',
            url: VALUES,
            body: { attributeId: 'C1', attributeValue: '2097', description: 'Bergen, rental', owner: '100' },
          },
          {
            id: '2',
            method: 'PATCH',
            url: '$1',
            dependsOn: ['1'],
            headers: { 'if-match': '$1' },
            body: [{ op: 'replace', path: '/description', value: 'Bergen, rental and service' }],
          },
          { id: '3', method: 'GET', url: '$1', dependsOn: ['1', '2'] },
        ],
      },
    },
    {
      name: 'Two projects, both or none',
      headers: { prefer: 'continue-on-error', 'idempotency-key': 'projects-2026' },
      body: { requests: [project('warehouse', 'Old warehouse'), project('office', 'x'.repeat(300))] },
    },
    {
      name: 'Validated only',
      url: `${BATCH}?validateOnly=true`,
      body: { requests: [project('warehouse', 'Old warehouse'), project('office', 'New office')] },
    },
    {
      name: 'Another batch under the same key',
      headers: { 'idempotency-key': 'projects-2026' },
      body: { requests: [] },
    },
    { name: 'Mistakes in the batch', body: { requests: [{ id: '1', method: 'FETCH', url: VALUES }, { id: '1' }] } },
    { name: 'No token', as: 'nobody', body: { requests: [] } },
    { name: 'A company of others', url: `${BATCH}?companyId=SV`, as: 'demo-reader', body: { requests: [] } },
    { name: 'A body of 4.3 MB', body: TOO_LARGE },
    { name: 'A form', headers: FORM, body: 'requests=1' },
  ],
}

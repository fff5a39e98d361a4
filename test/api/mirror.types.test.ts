// The types of documents that a mirror has: as its source lists them, or describes them, or has them.
import { expect, it } from 'vitest'
import { documentTypes } from '../../src/mirror/discover/document-types.ts'
import { schemaIn } from '../../src/mirror/discover/found-schema.ts'
import { ErpSource } from '../../src/mirror/source/source.ts'
import { sourceRules } from '../../src/setup/rules/source.ts'

const INDEX = { sequenceNo: 1, name: 'Cost centre', required: true, maxLength: 25, attributeId: 'C1' }
const LISTED = [
  {
    id: 'INVOICE',
    description: 'Invoices',
    retentionMonths: 120,
    indexes: [INDEX, { ...INDEX, sequenceNo: 2, name: 'Text', required: false, attributeId: '' }, { sequenceNo: 0 }],
  },
  { id: 'NOTE', description: '', retentionMonths: 0, indexes: [] },
  { id: 'x'.repeat(26) },
]
const VALUES = [
  { attributeId: 'DT', attributeValue: 'INVOICE', description: 'Invoices' },
  { attributeId: 'DT', attributeValue: 'LETTER', description: '' },
]
const ROWS: readonly Record<string, string>[] = [{ docType: 'NOTE' }, { docType: 'INVOICE' }, { docType: 'NOTE' }, {}]
const schema = (docType: object) =>
  schemaIn(JSON.stringify({ properties: { docType: { type: 'string', ...docType } } }))
const DESCRIBED = schema({ 'x-acme-attribute': { attributeId: 'DT' } })

/** A source that has these paths alone. */
function sourceWith(answers: Readonly<Record<string, unknown>>): ErpSource {
  const rules = sourceRules({ url: 'http://erp', clientIdEnv: 'C', secretEnv: 'S' }, 'EN')
  const fetch = async (input: string | URL | Request) => {
    const { pathname } = new URL(String(input))
    const body = answers[pathname]
    return Response.json(body ?? { code: 1030, message: 'No resource matches the URI.' }, { status: body ? 200 : 404 })
  }
  const environment = { C: 'mirror', S: 'secret' }
  return new ErpSource({ rules, environment, now: Date.now, sleep: async () => {}, fetch })
}

it.each([
  [
    'that it lists, with their indexes',
    { '/v1/document-types': LISTED, '/v1/objects/attribute-values': VALUES },
    DESCRIBED,
    [
      {
        id: 'INVOICE',
        description: 'Invoices',
        retentionMonths: 120,
        indexes: [INDEX, { sequenceNo: 2, name: 'Text', maxLength: 25 }],
      },
      { id: 'NOTE' },
    ],
  ],
  [
    'that are values of the attribute of its description',
    { '/v1/objects/attribute-values': VALUES },
    DESCRIBED,
    [{ id: 'INVOICE', description: 'Invoices' }, { id: 'LETTER' }],
  ],
  ['that some of its documents have', {}, schema({}), [{ id: 'NOTE' }, { id: 'INVOICE' }]],
])('a mirror knows the types of its source %s', async (_which, answers, described, types) => {
  const found = { schema: described, rows: ROWS }
  expect(await documentTypes(sourceWith(answers), found, new Set(['C1']))).toEqual(types)
})

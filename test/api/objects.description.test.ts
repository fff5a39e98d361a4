// What /openapi.json says of Enterprise Documents: the annotations of the interface, also for documents of a setup.

import { expect, expectTypeOf, it } from 'vitest'
import type { AttributeValue } from '../../src/model/records/attribute-value.ts'
import { onEachStore, startWorld } from '../support/world.ts'

onEachStore(
  'The description of Enterprise Documents',
  (world) => {
    const schemaOf = async (path: string) => {
      const { json } = await world().send({ url: '/openapi.json' })
      const { items } = json.paths[path].get.responses[200].content['application/json'].schema
      const name = String(items.anyOf[0].$ref).split('/').at(-1) ?? ''
      return json.components.schemas[name]
    }

    it('has the keys, the filterable and the describable properties, value lists and attributes', async () => {
      const schema = await schemaOf('/v1/objects/general-ledger-transactions')
      expect(schema['x-erp-key']).toEqual({ keys: 'companyId,transactionNumber,sequenceNumber' })
      expect(schema.properties.status).toEqual({
        type: 'string',
        'x-erp-filterable': true,
        'x-erp-describable': { propertyName: 'status(description)' },
        'x-erp-valueList': { valueList: 'STATUS' },
      })
      const about = schema.properties.accountingInformation.properties
      expect(about.account['x-erp-attribute']).toEqual({ attributeId: '', attributeName: 'ACCOUNT' })
      expect(about.attributeValue3['x-erp-attribute']).toEqual({
        attributeId: '',
        attributeIdProperty: 'accountingInformation/attributeId3',
      })
      expect(schema.properties.lastUpdated['x-erp-complextype']).toEqual({ isComplexType: true })
    })

    it('lists the documents of the setup, each with its own schema', async () => {
      const schema = await schemaOf('/v1/objects/work-orders')
      expect(schema['x-erp-key']).toEqual({ keys: 'companyId,workOrderId' })
      expect(Object.keys(schema.properties)).toContain('lastUpdated')
    })
  },
  (kind) => startWorld(kind, 'test/fixtures/objects.yaml'),
)

it('a definition gives the type of its records', () => {
  type Value = AttributeValue
  expectTypeOf<Value['periodFrom']>().toEqualTypeOf<number>()
  expectTypeOf<Value['relatedValues'][number]['relatedValue']>().toEqualTypeOf<string>()
})

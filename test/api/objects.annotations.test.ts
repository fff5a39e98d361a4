// The annotations of Enterprise Documents, in /openapi.json and for `Accept: application/schema+json`: what they
// promise is checked with the service, property by property.
import { expect, it } from 'vitest'
import type { OpenApi, Schema } from '../../src/http/openapi/document.ts'
import { objects, startObjects } from '../support/object-records.ts'
import { onEachStore } from '../support/world.ts'

interface Step {
  readonly name: string
  readonly isList: boolean
}

interface Leaf {
  /** From the record down to the value. */
  readonly steps: readonly Step[]
  readonly schema: Schema
  /** The object that it is a member of. */
  readonly owner: Schema
}

/** Every value of a record, at any depth, without descriptions. */
function leavesOf(owner: Schema, above: readonly Step[] = []): Leaf[] {
  return Object.entries((owner.properties ?? {}) as Record<string, Schema>).flatMap(([name, schema]) => {
    const isList = schema.type === 'array'
    const steps = [...above, { name, isList }]
    if (isList || schema.type === 'object') return leavesOf(isList ? (schema.items as Schema) : schema, steps)
    return name.endsWith('(description)') ? [] : [{ steps, schema, owner }]
  })
}

/** Such as `customer(payment(status))`. */
function selectOf({ steps }: Leaf, suffix = ''): string {
  return `${steps.map(({ name }) => name).join('(')}${suffix}${')'.repeat(steps.length - 1)}`
}

/** Such as `customer/contactPoints/any(x: x/address/place eq 'x')`. */
function filterOf({ steps, schema }: Leaf): string {
  const path = steps.map(({ name, isList }) => (isList ? `${name}/any(x: x/` : `${name}/`)).join('')
  const lists = steps.filter(({ isList }) => isList).length
  return `${path.slice(0, -1)} eq ${LITERALS[String(schema.format ?? schema.type)]}${')'.repeat(lists)}`
}

const LITERALS: Readonly<Record<string, string>> = {
  string: "'x'",
  integer: '1',
  number: '1',
  decimal: '1',
  boolean: 'true',
  'date-time': '2026-01-01',
}

onEachStore(
  'The annotations of Enterprise Documents',
  (world) => {
    const ask = (url: string, accept = 'application/json') =>
      world().send({ as: 'integration', url, headers: { accept } })
    const openApi = async (): Promise<OpenApi> => (await world().send({ url: '/openapi.json' })).json

    /** The path of each document, with a state for the ledger, and the schema of its records. */
    const documents = async (): Promise<[path: string, row: Schema, selected: Schema][]> => {
      const { paths, components } = await openApi()
      return Object.entries(paths).flatMap(([path, { get }]) => {
        if (!/^\/v\d+\/objects\/[a-z-]+$/.test(path)) return []
        const answered = get?.responses['200']?.content?.['application/json']?.schema as { items: { anyOf: Schema[] } }
        const [row, selected] = answered.items.anyOf.map(
          ({ $ref }) => components.schemas[String($ref).split('/').at(-1) ?? ''] ?? {},
        )
        const states = get?.parameters?.some(({ name }) => name === 'posted') ? '?posted=true&' : '?'
        return [[path + states, row ?? {}, selected ?? {}]]
      })
    }

    /** The annotations of the value for a request that selects it. */
    const askedFor = async (path: string, leaf: Leaf): Promise<Schema> => {
      const url = `${path}$select=${encodeURIComponent(selectOf(leaf))}`
      const { json } = await ask(url, 'application/schema+json')
      return leavesOf(json.items).find((one) => selectOf(one) === selectOf(leaf))?.schema ?? {}
    }

    it('name just the properties that a filter takes (x-erp-filterable)', async () => {
      let asked = 0
      for (const [path, row] of await documents()) {
        for (const leaf of leavesOf(row)) {
          const url = `${path}$limit=1&$filter=${encodeURIComponent(filterOf(leaf))}`
          expect([url, (await ask(url)).status]).toEqual([url, leaf.schema['x-erp-filterable'] ? 200 : 400])
          asked++
        }
      }
      expect(asked).toBeGreaterThan(200)
    })

    it('name just the properties that have descriptions, which are optional members (x-erp-describable)', async () => {
      let found = 0
      for (const [path, row, selected] of await documents()) {
        expect(namesIn(selected)).toEqual(namesIn(row))
        for (const leaf of leavesOf(row)) {
          const description = `${leaf.steps.at(-1)?.name}(description)`
          const isDescribed = description in (leaf.owner.properties as object)
          const named = { propertyName: description }
          expect(leaf.schema['x-erp-describable']).toEqual(isDescribed ? named : undefined)
          expect(leaf.owner.required).not.toContain(description)
          const asked = await askedFor(path, leaf)
          const isInForce = asked['x-erp-describable'] !== undefined
          if (isInForce) expect([asked['x-erp-describable'], isDescribed]).toEqual([named, true])
          const url = `${path}$limit=1&$select=${encodeURIComponent(selectOf(leaf, '[T]'))}`
          const { status, text } = await ask(url, 'application/schema+json')
          expect([url, status]).toEqual([url, isInForce ? 200 : 400])
          if (!isInForce) continue
          expect(text).toContain(`"required":["${description}"]`)
          found++
        }
      }
      expect(found).toBeGreaterThan(20)
    })

    it('are the same for a request as for all, but for what a company has set up', async () => {
      for (const [path, row] of await documents()) {
        for (const leaf of leavesOf(row)) {
          const place = [path, selectOf(leaf)]
          expect([place, forAll(await askedFor(path, leaf))]).toEqual([place, forAll(leaf.schema)])
        }
      }
    })

    it('are on every date-time, which is answered with its zone', async () => {
      let found = 0
      for (const [path, row] of await documents()) {
        for (const leaf of leavesOf(row).filter(({ schema }) => schema.format === 'date-time')) {
          expect(leaf.schema['x-erp-filterable']).toBe(true)
          const { json } = await ask(`${path}$limit=1&$select=${encodeURIComponent(selectOf(leaf))}`)
          for (const value of valuesAt(leaf.steps, json)) expect(value).toMatch(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/)
          found++
        }
      }
      expect(found).toBeGreaterThan(20)
    })

    it('require of a record what is there without a select', async () => {
      for (const [path, row] of await documents()) {
        const { json } = await ask(`${path}$limit=1`)
        const [first] = json
        if (first) expect(Object.keys(first).sort()).toEqual((row.required as string[]).toSorted())
        const { json: schema } = await ask(path, 'application/schema+json')
        expect([path, schema.items.required.toSorted()]).toEqual([path, (row.required as string[]).toSorted()])
      }
    })

    it('list which relations are set up, on the document and on its related values (x-erp-relation)', async () => {
      const relationsIn = async (document: string) => {
        const url = objects(document, { select: '*,relatedValues' })
        const { items } = (await ask(url, 'application/schema+json')).json
        expect(items.properties.relatedValues['x-erp-relation']).toEqual(items['x-erp-relation'])
        const plain = (await ask(objects(document), 'application/schema+json')).json
        expect(plain.items['x-erp-relation']).toEqual(items['x-erp-relation'])
        return items['x-erp-relation']
      }
      expect(await relationsIn('customers')).toEqual({ attributeId: 'A4' })
      expect(await relationsIn('attribute-values')).toEqual({
        attributeId: 'A4,C1',
        attributeIdProperty: 'attributeId',
      })
      const { components } = await openApi()
      const { CustomersDocument = {}, AttributeValuesDocument = {} } = components.schemas
      expect(CustomersDocument['x-erp-relation']).toEqual({ attributeId: '' })
      expect(AttributeValuesDocument['x-erp-relation']).toEqual({
        attributeId: '',
        attributeIdProperty: 'attributeId',
      })
      for (const schema of [CustomersDocument, AttributeValuesDocument]) {
        const { relatedValues } = schema.properties as Record<string, Schema>
        expect(relatedValues?.['x-erp-relation']).toEqual(schema['x-erp-relation'])
      }
    })

    it('name the attribute of a code, which a company has under an id of its own (x-erp-attribute)', async () => {
      const url = objects('general-ledger-transactions', { posted: 'true', select: 'accountingInformation,status' })
      const { accountingInformation } = (await ask(url, 'application/schema+json')).json.items.properties
      const { account, attributeValue1 } = accountingInformation.properties
      expect(account['x-erp-attribute']).toEqual({ attributeId: 'A0', attributeName: 'ACCOUNT' })
      expect(attributeValue1['x-erp-attribute']).toEqual({
        attributeId: '',
        attributeIdProperty: 'accountingInformation/attributeId1',
      })
    })
  },
  startObjects,
)

/** Names of members at any depth. */
function namesIn({ properties, items }: Schema): unknown {
  if (items) return namesIn(items as Schema)
  const inner = Object.entries((properties ?? {}) as Record<string, Schema>)
  return Object.fromEntries(inner.map(([name, schema]) => [name, namesIn(schema)]))
}

/** Without company-specific annotations: which of its codes are described, and by what. */
function forAll(schema: Schema): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => !OF_CODES.has(name)))
}

const OF_CODES = new Set(['x-erp-describable', 'x-erp-attribute', 'x-erp-valueList'])

function valuesAt([step, ...below]: readonly Step[], value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap((item) => valuesAt(step ? [step, ...below] : [], item))
  return step ? valuesAt(below, (value as Record<string, unknown>)[step.name]) : [value]
}

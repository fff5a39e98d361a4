import { describe, expect, it } from 'vitest'
import type { AssociationProperty, DocumentDefinition } from '../../model/document.ts'
import { associatedWith, restricted } from '../../model/restricted.ts'
import type { DocumentSetup } from '../file/document-schema.ts'
import { declaredRecordOf, declaredRecordsOf } from './declared-record.ts'
import { declaredTableOf } from './declared-table.ts'

const SUPPLIERS: DocumentSetup = {
  name: 'suppliers',
  key: ['companyId', 'supplierId'],
  numbering: { series: 'SUPP', from: 50_000, to: 59_999 },
  attributeId: 'A6',
  relations: true,
  contactPoints: true,
  state: { property: 'payment/status', closed: 'C' },
  properties: {
    companyId: { type: 'string' },
    supplierId: { type: 'string', maxLength: 25 },
    supplierName: { type: 'string', maxLength: 255, required: true },
    registrationNumber: { type: 'string', maxLength: 25, pattern: '[0-9]{9}', unique: true },
    payment: {
      group: {
        status: { type: 'string', legalValues: { valueList: 'STATUS' }, default: 'N' },
        creditLimit: { type: 'decimal', scale: 2, minimum: 0, maximum: 1_000_000 },
        days: { type: 'integer', minimum: 5, maximum: 90 },
      },
    },
    bankAccounts: { list: { iban: { type: 'string', required: true }, isMain: { type: 'boolean' } } },
    parent: { reference: 'suppliers', key: ['parentSupplierId'] },
    parentSupplierId: { type: 'string', maxLength: 25 },
    contract: { reference: 'contracts', key: ['contractNo'] },
    contractNo: { type: 'integer' },
  },
}
const CONTRACTS: DocumentSetup = {
  name: 'contracts',
  key: ['contractNo'],
  properties: {
    contractNo: { type: 'integer' },
    supplierId: { type: 'string' },
    supplier: { reference: 'suppliers', key: ['supplierId'] },
    customerId: { type: 'string' },
    customer: { reference: 'customers', key: ['customerId'] },
  },
}

const records = declaredRecordsOf([SUPPLIERS, CONTRACTS])
const suppliers = records.get('suppliers')
const documentOf = (name: string) => records.get(name)?.record.document as DocumentDefinition
const association = (document: DocumentDefinition, name: string) => document.properties[name] as AssociationProperty

describe('a record of the setup', () => {
  it('has its members as declared, then those that the service keeps', () => {
    expect(Object.keys(suppliers?.record.schema.properties ?? {})).toEqual([
      'companyId',
      'supplierId',
      'supplierName',
      'registrationNumber',
      'payment',
      'bankAccounts',
      'parentSupplierId',
      'contractNo',
      'lastUpdated',
      'contactPoints',
      'relatedValues',
    ])
  })

  it('describes what its members may be', () => {
    expect(suppliers?.record.schema.properties).toMatchObject({
      supplierName: { minLength: 1, maxLength: 255 },
      registrationNumber: { pattern: '^(?:[0-9]{9})?$', maxLength: 25 },
      payment: {
        properties: {
          status: { default: 'N', maxLength: 10_000 },
          creditLimit: { minimum: 0, maximum: 1_000_000 },
          days: { anyOf: [{ const: 0 }, { minimum: 5, maximum: 90 }] },
        },
      },
    })
  })

  it('knows the rules of its properties', () => {
    expect(suppliers?.keyNames).toEqual(['supplierId'])
    expect(suppliers?.state).toEqual({ path: ['payment', 'status'], closed: 'C', meanings: {} })
    const rulesAt = (path: string) => suppliers?.checks.find((one) => one.path.join('/') === path)
    expect(rulesAt('supplierId')).toMatchObject({ required: false, maxLength: 25, column: 'supplier_id' })
    expect(rulesAt('payment/status')).toMatchObject({ legalValues: { valueList: 'STATUS' }, absent: 'N' })
    expect(rulesAt('iban')).toMatchObject({ itemsOf: 'bankAccounts', required: true })
    const matches = rulesAt('registrationNumber')?.pattern?.matches
    expect([matches?.('123456789'), matches?.('1234567890')]).toEqual([true, false])
  })

  it('refers to others and to itself, in circles too', () => {
    const parent = association(documentOf('suppliers'), 'parent')
    expect(parent.document).toBe(documentOf('suppliers'))
    expect(parent.on).toEqual([['parent_supplier_id', 'supplier_id']])
    expect(association(documentOf('contracts'), 'supplier').document).toBe(documentOf('suppliers'))
    expect(association(documentOf('contracts'), 'customer').document.name).toBe('customers')
    expect(associatedWith(documentOf('contracts'))).toEqual(['suppliers', 'contracts', 'customers'])
  })

  it('hides what the rules of others hide, along circles', () => {
    const rules = new Map([['customers', { filters: undefined, hidden: new Set(['payment']) }]])
    const seen = restricted(documentOf('suppliers'), rules)
    const contracts = association(seen, 'contract').document
    expect(association(contracts, 'supplier').document).toBe(seen)
    expect(Object.keys(association(contracts, 'customer').document.properties)).not.toContain('payment')
    expect(
      restricted(documentOf('suppliers'), new Map([['other', { filters: undefined, hidden: new Set('x') }]])),
    ).toBe(documentOf('suppliers'))
  })

  it('is the same by itself each time, without references to others', () => {
    expect(declaredRecordOf(SUPPLIERS)).toBe(declaredRecordOf(SUPPLIERS))
    expect(Object.keys(declaredRecordOf(SUPPLIERS).record.document.properties)).toContain('parent')
    expect(Object.keys(declaredRecordOf(SUPPLIERS).record.document.properties)).not.toContain('contract')
  })

  it('is kept in a table with a column for each property and list', () => {
    const { columns, unique } = declaredTableOf(SUPPLIERS)
    expect(columns).toContainEqual({ name: 'payment_status', type: 'string', initial: 'N' })
    expect(columns).toContainEqual({ name: 'bank_accounts', type: 'json' })
    expect(columns).toContainEqual({ name: 'contact_points', type: 'json' })
    expect(columns).toContainEqual({ name: 'attribute_id', type: 'string', initial: 'A6' })
    expect(unique).toEqual(['registration_number'])
  })
})

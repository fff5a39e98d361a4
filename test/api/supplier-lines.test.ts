// Ledger lines with their suppliers: an association where the setup declares a document of that name.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { setupTask } from '../../src/app/setup/setup-task.ts'
import { Customer } from '../../src/model/records/customer.ts'
import { ledgerDocument, withSupplier } from '../../src/objects/general-ledger-transactions.ts'
import { applySetup } from '../../src/setup/apply/apply-setup.ts'
import { declaredRecordOf } from '../../src/setup/rules/declared-record.ts'
import { insertRows, ledger, startObjects } from '../support/object-records.ts'
import { onEachStore } from '../support/world.ts'

const before = readFileSync('test/fixtures/objects.yaml', 'utf8')
const declared = before.replace(
  '\nroles:',
  `  - name: suppliers
    key: [companyId, supplierNo]
    properties:
      companyId: { type: string }
      supplierNo: { type: string }
      name: { type: string }
      ownerNo: { type: string }
      owner: { reference: suppliers, key: [ownerNo] }

roles:`,
)

onEachStore(
  'The supplier of a ledger line',
  (world) => {
    const ask = (options: Record<string, string>, as = 'both', headers: Record<string, string> = {}) =>
      world().send({ as, url: ledger(options), headers })
    const apply = (text: string) => {
      const file = join(world().folder, 'suppliers.yaml')
      writeFileSync(file, text)
      return applySetup(setupTask(world().application.service.store, file, () => {}))
    }
    const select = 'transactionNumber,supplierId,supplier(name)'

    it('is an id alone without such a document', async () => {
      const { status, json } = await ask({ select })
      expect(status).toBe(400)
      expect(json.message).toMatch(/^Unknown property 'supplier' at position 29 of \$select/)
      const named = await ask({ select: 'transactionNumber', filter: "supplierId eq '20610'" })
      expect(named.json).toEqual([{ transactionNumber: 2 }])
    })

    it('is a record as soon as a setup declares it, in the company of the line', async () => {
      await apply(declared)
      await vi.waitFor(async () => expect((await ask({ select })).status).toBe(200), { timeout: 120_000, interval: 50 })
      await insertRows(world(), 'own_suppliers', [
        { company_id: 'EN', supplier_no: '20610', name: 'Kraftlinje', owner_no: '20000' },
        { company_id: 'EN', supplier_no: '20000', name: 'Fjordblikk', owner_no: '' },
        { company_id: 'SV', supplier_no: '', name: 'canary', owner_no: '' },
      ])
      const filter = 'transactionNumber in (1, 2) and sequenceNumber eq 1'
      expect((await ask({ select, filter })).json).toEqual([
        { transactionNumber: 1, supplierId: '', supplier: { name: '' } },
        { transactionNumber: 2, supplierId: '20610', supplier: { name: 'Kraftlinje' } },
      ])
    })

    it('is found, ordered and followed by its properties', async () => {
      const numbers = async (filter: string) =>
        (await ask({ select: 'transactionNumber', filter })).json.map((line: object) => Object.values(line)[0])
      expect(await numbers("supplier/name eq 'Kraftlinje'")).toEqual([2])
      const ordered = await ask({ select: 'supplier(owner(name))', orderby: 'supplier/name desc', limit: '1' })
      expect(ordered.json).toEqual([{ supplier: { owner: { name: 'Fjordblikk' } } }])
      const csv = await ask({ select, filter: "supplierId eq '20610'" }, 'both', { accept: 'text/csv' })
      expect(csv.text).toBe('transactionNumber,supplierId,supplier.name\r\n2,20610,Kraftlinje\r\n')
    })

    it('reads as absent for a role that does not name the document', async () => {
      const { json } = await ask({ select, filter: "supplierId eq '20610'" }, 'split')
      expect(json).toEqual([{ transactionNumber: 2, supplierId: '20610', supplier: { name: '' } }])
      expect((await ask({ filter: "supplier/name eq 'Kraftlinje'" }, 'split')).json).toEqual([])
    })
  },
  startObjects,
)

it.each([
  ['number', 'integer', ['companyId', 'number']],
  ['id', 'string', ['companyId', 'id', 'other']],
] as const)('There is none by a key that is no single id: %s, %s', (name, type, key) => {
  const properties = { companyId: { type: 'string' }, [name]: { type }, other: { type: 'string' } } as const
  const { document } = declaredRecordOf({ name: 'suppliers', key: [...key], properties }).record
  const lines = ledgerDocument(Customer.document)
  expect(withSupplier(lines, document)).toBe(lines)
})

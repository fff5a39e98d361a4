// Creates the contracts, purchase orders and invoices of suppliers that the ledger tells of.
import { ledgerDocument } from '../objects/general-ledger-transactions.ts'
import { recordBatches } from '../records/engine/create-records.ts'
import { customerDocument } from '../records/kinds/customer-document.ts'
import { declaredKind } from '../records/kinds/declared.ts'
import type { Service } from '../records/shared/service.ts'
import {
  COMPANY,
  countRecords,
  createRecords,
  demoCaller,
  hasRecords,
  type RecordLine,
  readDemoRecords,
  type TellProgress,
} from './demo-records.ts'
import { ledgerLines } from './ledger.ts'
import type { DemoCompany, DemoSupplier } from './pools.ts'
import { type PurchaseLedger, purchasesOf } from './purchases.ts'

/**
 * Creates them unless the company has orders already. A ledger of so many transactions that was there before is made
 * again, to be read; of another one nothing is known.
 */
export async function loadPurchases(
  service: Service,
  ledger: PurchaseLedger,
  { attributeValues }: Pick<DemoCompany, 'attributeValues'>,
  count: number,
  progress: TellProgress,
): Promise<void> {
  const { companies, own } = service
  const orders = own.findRecord('v1', 'purchase-orders')
  if (!orders || (await hasRecords(service, orders.record.document))) return
  const suppliers = readDemoRecords<DemoSupplier>('suppliers').filter(({ companyId }) => companyId === COMPANY)
  if (ledger.isEmpty) {
    if ((await countRecords(service, ledgerDocument(customerDocument(undefined)))) !== count) return
    for (const line of ledgerLines(count, { attributeValues, suppliers })) ledger.take(line)
  }
  const made = purchasesOf(ledger, suppliers)
  const all = [
    ['contracts', made.contracts],
    ['purchase-orders', made.orders],
    ['supplier-invoices', made.invoices],
  ] as const
  const total = all.reduce((sum, [, lines]) => sum + lines.length, 0)
  let before = 0
  for (const [name, records] of all) {
    const rules = own.findRecord('v1', name)
    if (!rules) continue
    // The numbers are those that the ledger names.
    const kind = { ...declaredKind(rules), keepsIds: true }
    const rulesOf = (companyId: string) => recordBatches(demoCaller(companyId), companies.require(companyId), kind, own)
    const lines = records as unknown as readonly RecordLine[]
    await createRecords(service, { lines, rulesOf }, (done) => progress(before + done, total))
    before += lines.length
  }
}

// What vouchers choose from: the values and the suppliers of the company, with the prices and accounts that it does not
// have.

/** What the ledger is generated from: the attribute values and the suppliers of the company. */
export interface DemoCompany {
  readonly attributeValues: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly suppliers: readonly DemoSupplier[]
}

/** The body of a supplier. */
export interface DemoSupplier {
  readonly companyId: string
  readonly supplierId: string
  readonly supplierName: string
  readonly payment: { readonly currencyCode: string; readonly paymentTermsId: string }
  readonly relatedValues: readonly { readonly relationId: string; readonly relatedValue: string }[]
}

export type ValuePools = ReturnType<typeof poolsOf>
export type Item = ValuePools['items'][number]
export type Supplier = ValuePools['suppliers'][number]
export type Branch = ValuePools['branches'][number]

interface Value {
  readonly id: string
  readonly name: string
}

/** By item prefix: revenue and purchase account, price of the smallest size in kroner, largest usual lot, unit. */
const FAMILIES: Readonly<Record<string, readonly [string, string, price: number, lot: number, unit: string]>> = {
  PC: ['3005', '4305', 18_500, 4, 'pcs'],
  PS: ['3005', '4305', 6_900, 6, 'pcs'],
  PD: ['3005', '4305', 8_200, 4, 'pcs'],
  BS: ['3005', '4305', 64_000, 2, 'pcs'],
  VB: ['3010', '4300', 96, 60, 'pcs'],
  VG: ['3010', '4300', 1_640, 16, 'pcs'],
  FL: ['3010', '4300', 365, 48, 'pcs'],
  TE: ['3000', '4300', 32, 600, 'm'],
  MF: ['3000', '4300', 14_900, 4, 'pcs'],
  SM: ['3020', '4320', 1_140, 10, 'pcs'],
  SG: ['3020', '4320', 48, 100, 'pcs'],
}

export function poolsOf({ attributeValues, suppliers }: DemoCompany) {
  const named = (attribute: string): Value[] =>
    Object.entries(attributeValues[attribute] ?? {}).map(([id, name]) => ({ id, name }))
  const costCentres = named('C1')
  return {
    items: itemsOf(named('IT')),
    suppliers: suppliers.map(({ supplierId, supplierName, payment }) => {
      // Such as `Pumps` or `Energy`.
      const trade = supplierName.split(' ').slice(1, -1).join(' ')
      return { id: supplierId, name: supplierName, trade, currency: payment.currencyCode }
    }),
    branches: branchesOf(costCentres),
    headOffice: costCentres.filter(({ id }) => id < '2000'),
    projects: named('C5').filter(({ name }) => !name.startsWith('Internal')),
    vehicles: named('AS').filter(({ id }) => /^(?:VAN|LOR)/.test(id)),
  }
}

/** The items of known families, with prices in oere; each larger size costs a third more. */
function itemsOf(values: readonly Value[]) {
  const sizes = new Map<string, number>()
  return values.flatMap(({ id, name }) => {
    const family = id.slice(0, 2)
    const properties = FAMILIES[family]
    if (!properties) return []
    const [revenueAccount, purchaseAccount, smallest, lot, unit] = properties
    const size = sizes.get(family) ?? 0
    sizes.set(family, size + 1)
    const kroner = smallest * 1.34 ** size
    const price = kroner >= 1000 ? Math.round(kroner / 50) * 5_000 : Math.round(kroner * 2) * 50
    // `Dosing pump, l/h 10` becomes `Dosing pump 10 l/h`.
    const label = name.replace(/, (l\/h|m3\/h|mm|m) (\d+)$/, ' $2 $1').replace(/, type (\d+)$/, ' $1')
    return [{ id, label, revenueAccount, purchaseAccount, price, lot, unit }]
  })
}

/** The places with the cost centres of their tasks: `Oslo, sales`, `Oslo, workshop` and so on. */
function branchesOf(costCentres: readonly Value[]) {
  const ids = new Map(costCentres.map(({ id, name }) => [name, id]))
  const places = costCentres.filter(({ id }) => id >= '2000').map(({ name }) => name.split(', ')[0] ?? '')
  return [...new Set(places)].map((place) => ({
    place,
    costCentre: (task: string) => ids.get(`${place}, ${task}`) ?? '',
  }))
}

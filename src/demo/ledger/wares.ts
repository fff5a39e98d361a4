import type { Values } from './pools.ts'

/** An item with its price and accounts, which the setup does not have. */
export interface Ware {
  readonly id: string
  readonly label: string
  readonly family: string
  readonly revenueAccount: string
  readonly purchaseAccount: string
  /** In oere. */
  readonly price: number
  /** The largest usual quantity of a line. */
  readonly lot: number
  /** For example `pcs`, `m` or `h`; '' for items that are always sold singly. */
  readonly unit: string
}

/** By item prefix: revenue account, price of the smallest size in kroner, largest lot, unit. */
const FAMILIES: Readonly<Record<string, readonly [account: string, price: number, lot: number, unit: string]>> = {
  PC: ['3005', 18_500, 4, 'pcs'],
  PI: ['3005', 12_400, 4, 'pcs'],
  PS: ['3005', 6_900, 6, 'pcs'],
  PW: ['3005', 29_800, 3, 'pcs'],
  PD: ['3005', 8_200, 4, 'pcs'],
  BS: ['3005', 64_000, 2, 'pcs'],
  VB: ['3010', 96, 60, 'pcs'],
  VS: ['3010', 285, 40, 'pcs'],
  VG: ['3010', 1_640, 16, 'pcs'],
  VF: ['3010', 980, 20, 'pcs'],
  VC: ['3010', 2_150, 8, 'pcs'],
  FL: ['3010', 365, 48, 'pcs'],
  CP: ['3010', 590, 24, 'pcs'],
  TE: ['3000', 32, 600, 'm'],
  TS: ['3000', 240, 120, 'm'],
  HO: ['3000', 115, 80, 'm'],
  MF: ['3000', 14_900, 4, 'pcs'],
  ML: ['3000', 11_700, 4, 'pcs'],
  FY: ['3000', 890, 12, 'pcs'],
  SM: ['3020', 1_140, 10, 'pcs'],
  SG: ['3020', 48, 100, 'pcs'],
  BB: ['3020', 94, 40, 'pcs'],
  IM: ['3020', 2_900, 4, 'pcs'],
  SH: ['3030', 940, 24, 'h'],
  SC: ['3035', 6_400, 1, ''],
  HP: ['3060', 2_350, 6, 'weeks'],
}

/** All items of known families; each larger size costs a third more. */
export function waresOf(items: Values): Ware[] {
  const sizes = new Map<string, number>()
  return Object.entries(items).flatMap(([id, description]) => {
    const family = id.slice(0, 2)
    const properties = FAMILIES[family]
    if (!properties) return []
    const [revenueAccount, smallest, lot, unit] = properties
    const size = sizes.get(family) ?? 0
    sizes.set(family, size + 1)
    const kroner = smallest * (family === 'SH' ? 1 + size * 0.15 : 1.34 ** size)
    const price = kroner >= 1000 ? Math.round(kroner / 50) * 5_000 : Math.round(kroner * 2) * 50
    const purchaseAccount = revenueAccount === '3005' ? '4305' : revenueAccount === '3020' ? '4320' : '4300'
    return [{ id, label: labelOf(description), family, revenueAccount, purchaseAccount, price, lot, unit }]
  })
}

/** `Dosing pump, l/h 10` becomes `Dosing pump 10 l/h`. */
function labelOf(description: string): string {
  return description
    .replace(/, (l\/h|m3\/h|mm|m) (\d+)$/, ' $2 $1')
    .replace(/, type (\d+)$/, ' $1')
    .replace(/, visits a year, +(\d+)$/, ', visits a year: $1')
    .replace(/, category, level (\d)$/, ', level $1')
}

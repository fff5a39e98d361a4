import { type Overhead, overheadKinds } from './overhead.ts'
import { type Ware, waresOf } from './wares.ts'

/** The part of a setup that the ledger is generated from: the attribute values of the company. */
export interface ParsedDemoSetup {
  readonly attributeValues: Readonly<Record<string, Values>>
}

/** Descriptions by value. */
export type Values = Readonly<Record<string, string>>

export interface Supplier {
  readonly id: string
  readonly name: string
  /** For example `Pumps`, `Transport` or `Energy`: the words between the first and the last word of the name. */
  readonly trade: string
  readonly currency: string
  /** Number of its next invoice to the company. */
  nextInvoice: number
  readonly invoicePrefix: string
}

export interface Branch {
  readonly place: string
  readonly common: string
  readonly sales: string
  readonly warehouse: string
  readonly workshop: string
  readonly service: string
  readonly projects: string
}

export interface NamedValue {
  readonly id: string
  readonly name: string
}

export interface Project extends NamedValue {
  /** The branch at the location of the project, if there is one. */
  readonly branch: Branch | undefined
}

export interface Asset extends NamedValue {
  readonly costCentre: string
  readonly isVehicle: boolean
  /** Depreciation per month, in oere. */
  readonly depreciation: number
}

/** Data that vouchers choose from, read once from the setup. */
export interface ValuePools {
  readonly goods: readonly Ware[]
  readonly services: readonly Ware[]
  readonly waresOfTrade: ReadonlyMap<string, readonly Ware[]>
  readonly suppliersOfTrade: ReadonlyMap<string, readonly Supplier[]>
  readonly merchants: readonly Supplier[]
  readonly merchantsAbroad: readonly Supplier[]
  readonly overhead: readonly Overhead[]
  readonly overheadAbroad: readonly Overhead[]
  readonly branches: readonly Branch[]
  readonly headOffice: readonly NamedValue[]
  readonly departments: readonly NamedValue[]
  readonly projects: readonly Project[]
  readonly employees: readonly NamedValue[]
  readonly assets: readonly Asset[]
  readonly vehicles: readonly Asset[]
}

const SERVICES = ['SH', 'SC', 'HP']
const FAMILIES_OF_TRADE: Readonly<Record<string, string>> = {
  Pumps: 'PC PI PS PW PD BS IM',
  Valves: 'VB VS VG VF VC',
  'Pipe Systems': 'FL CP TE TS HO',
  Seals: 'SM SG BB',
  Instruments: 'MF ML FY',
}
/** Currencies of foreign suppliers, by the last word of their names. */
const CURRENCIES: Readonly<Record<string, string>> = { GmbH: 'EUR', AB: 'SEK', ApS: 'DKK', Oy: 'EUR', Inc: 'USD' }

/** The cost centre that uses an asset and its monthly depreciation when new, in kroner, by the prefix of its id. */
const ASSETS: Readonly<Record<string, readonly [user: keyof Branch, kroner: number]>> = {
  VAN: ['service', 5_200],
  LOR: ['warehouse', 16_900],
  CAR: ['common', 4_650],
  FLT: ['warehouse', 3_100],
  HPU: ['workshop', 1_480],
  RIG: ['workshop', 2_240],
  WLD: ['projects', 1_150],
}
const VEHICLES = ['VAN', 'LOR', 'CAR']

export function poolsOf({ attributeValues }: ParsedDemoSetup): ValuePools {
  const costCentres = named(attributeValues.C1)
  const branches = branchesOf(costCentres)
  const assets = named(attributeValues.AS).flatMap((asset) => assetOf(asset, branches))
  return {
    ...waresIn(attributeValues.IT),
    ...suppliersIn(attributeValues.A6),
    branches,
    headOffice: costCentres.filter(({ id }) => id < '2000'),
    departments: named(attributeValues.C2),
    projects: named(attributeValues.C5)
      .filter(({ name }) => !name.startsWith('Internal'))
      .map((project) => ({ ...project, branch: branches.find(({ place }) => project.name.endsWith(`, ${place}`)) })),
    employees: named(attributeValues.RE),
    assets,
    vehicles: assets.filter(({ isVehicle }) => isVehicle),
  }
}

function waresIn(items: Values = {}): Pick<ValuePools, 'goods' | 'services' | 'waresOfTrade'> {
  const wares = waresOf(items)
  const waresOfTrade = Object.entries(FAMILIES_OF_TRADE).map(([trade, families]) => {
    return [trade, wares.filter((ware) => families.split(' ').includes(ware.family))] as const
  })
  return {
    goods: wares.filter((ware) => !SERVICES.includes(ware.family)),
    services: wares.filter((ware) => SERVICES.includes(ware.family)),
    waresOfTrade: new Map(waresOfTrade),
  }
}

type SupplierPools = 'suppliersOfTrade' | 'merchants' | 'merchantsAbroad' | 'overhead' | 'overheadAbroad'

function suppliersIn(values: Values | undefined): Pick<ValuePools, SupplierPools> {
  const suppliers = named(values).map(supplierOf)
  const suppliersOfTrade = Map.groupBy(suppliers, ({ trade }) => trade)
  const merchants = suppliers.filter(({ trade }) => trade in FAMILIES_OF_TRADE)
  const overhead = overheadKinds().filter(({ trade }) => suppliersOfTrade.has(trade))
  return {
    suppliersOfTrade,
    merchants: merchants.filter(({ currency }) => currency === 'NOK'),
    merchantsAbroad: merchants.filter(({ currency }) => currency !== 'NOK'),
    overhead: overhead.filter(({ vat, tax }) => vat > 0 || tax === '0'),
    overheadAbroad: overhead.filter(({ tax }) => tax === '86'),
  }
}

function named(values: Values = {}): NamedValue[] {
  return Object.entries(values).map(([id, name]) => ({ id, name }))
}

/** Combines the cost centres `Oslo, sales`, `Oslo, workshop` and so on to one branch. */
function branchesOf(costCentres: readonly NamedValue[]): Branch[] {
  const ids = new Map(costCentres.map(({ id, name }) => [name, id]))
  const places = costCentres.filter(({ id }) => id >= '2000').map(({ name }) => name.split(', ')[0] ?? '')
  return [...new Set(places)].map((place) => {
    const of = (task: string) => ids.get(`${place}, ${task}`) ?? ''
    return {
      place,
      common: of('common'),
      sales: of('sales'),
      warehouse: of('warehouse'),
      workshop: of('workshop'),
      service: of('field service'),
      projects: of('projects'),
    }
  })
}

function supplierOf({ id, name }: NamedValue): Supplier {
  const words = name.split(' ')
  const n = Number(id)
  return {
    id,
    name,
    trade: words.slice(1, -1).join(' '),
    currency: CURRENCIES[words.at(-1) ?? ''] ?? 'NOK',
    nextInvoice: 1000 + ((n * 7919) % 88_000),
    invoicePrefix: ['', 'F', 'SI-', 'INV', ''][n % 5] ?? '',
  }
}

/** Assigns an asset to its branch: `Service van, Oslo 1` belongs to the field service of Oslo. */
function assetOf({ id, name }: NamedValue, branches: readonly Branch[]): Asset[] {
  const [user, kroner] = ASSETS[id.slice(0, 3)] ?? []
  const branch = branches.find(({ place }) => name.includes(`, ${place}`))
  if (!user || !kroner || !branch) return []
  const isVehicle = VEHICLES.includes(id.slice(0, 3))
  const depreciation = kroner * 100 + (Number(id.slice(4)) % 7) * 4_175
  return [{ id, name, costCentre: branch[user], isVehicle, depreciation }]
}

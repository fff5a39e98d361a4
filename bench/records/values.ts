// Master data: departments, cost centres, the chart of accounts, and projects, which are most of the values.
import { Random } from './random.ts'

export interface ValueRecord {
  readonly attributeId: string
  readonly attributeValue: string
  readonly description: string
  readonly owner?: string
  readonly customValue?: number
  readonly relatedValues?: readonly { readonly relationId: string; readonly relatedValue: string }[]
}

export const REGIONS = ['E', 'W', 'M', 'S', 'N']
export const ACCOUNTS = 500
export const COST_CENTRES = 300
const DEPARTMENTS = 40
/** Every fifth project belongs to a region. */
const WITH_REGION = 5

const WORK = 'Installation,Replacement,Service,Inspection,Upgrade,Rental,Overhaul,Commissioning'.split(',')
const THINGS =
  'heat pump,pump station,water main,ventilation,boiler,valves,control system,pipework,compressor,fire protection,pool plant,district heating,cooling plant,sewage pump,filters,tanks,fish farm,snow melting,gas line,sprinklers'.split(
    ',',
  )
export const PLACES =
  'Oslo,Bergen,Trondheim,Stavanger,Drammen,Kristiansand,Sandnes,Ålesund,Bodø,Tromsø,Hamar,Moss,Skien,Larvik,Molde,Narvik,Harstad,Alta,Lillehammer,Gjøvik,Haugesund,Arendal,Halden,Kongsberg,Horten,Elverum,Steinkjer,Namsos,Florø,Vadsø'.split(
    ',',
  )
const ACCOUNT_KINDS = 'Sales,Purchases,Wages,Travel,Premises,Freight,Tools,Energy,Insurance,Bank'.split(',')

export const projectAt = (index: number): string => `P${String(index).padStart(6, '0')}`
export const departmentAt = (index: number): string => String(100 + index)
export const costCentreAt = (index: number): string => String(2000 + index * 5)
export const accountAt = (index: number): string => String(1000 + index * 17)

/** The values that projects refer to; they are imported first. */
export function* baseValues(): Generator<ValueRecord> {
  for (let index = 0; index < DEPARTMENTS; index++) {
    const description = `Department ${PLACES[index % PLACES.length]} ${index + 1}`
    yield { attributeId: 'C2', attributeValue: departmentAt(index), description }
  }
  for (let index = 0; index < ACCOUNTS; index++) {
    const kind = ACCOUNT_KINDS[Math.floor((index * ACCOUNT_KINDS.length) / ACCOUNTS)]
    yield { attributeId: 'A0', attributeValue: accountAt(index), description: `${kind}, account ${accountAt(index)}` }
  }
}

export function* costCentres(): Generator<ValueRecord> {
  for (let index = 0; index < COST_CENTRES; index++) {
    const description = `${PLACES[index % PLACES.length]}, ${ACCOUNT_KINDS[index % 7]?.toLowerCase()}`
    const owner = departmentAt(index % DEPARTMENTS)
    yield { attributeId: 'C1', attributeValue: costCentreAt(index), description, owner }
  }
}

export function* projects(count: number): Generator<ValueRecord> {
  for (let index = 0; index < count; index++) yield projectRecord(index)
}

export function projectRecord(index: number): ValueRecord {
  const random = new Random(1_000_003 * (index + 1))
  const place = random.pickSkewed(PLACES)
  const description = `${random.pick(WORK)} of ${random.pick(THINGS)}, ${place} ${1000 + random.whole(9000)}`
  const relatedValues =
    index % WITH_REGION === 0 ? [{ relationId: 'PROJREG', relatedValue: random.pick(REGIONS) }] : undefined
  return {
    attributeId: 'C5',
    attributeValue: projectAt(index),
    description,
    owner: departmentAt(random.skewed(DEPARTMENTS)),
    customValue: random.whole(4_000) / 4,
    ...(relatedValues ? { relatedValues } : {}),
  }
}

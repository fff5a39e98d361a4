// Internal vouchers: depreciation, and costs moved between cost centres.
import type { Desk } from './desk.ts'
import type { Asset } from './pools.ts'
import type { Voucher } from './voucher.ts'

const ASSETS_PER_VOUCHER = 6

/** The monthly depreciation of a few assets. */
export function depreciation(desk: Desk): Voucher {
  const { pools, day } = desk
  const voucher = desk.voucher('DEPR', `DEPR ${day.period}`)
  for (let left = ASSETS_PER_VOUCHER; left > 0; left--) {
    const asset = pools.assets[desk.nextAsset++ % pools.assets.length] as Asset
    const { costCentre, depreciation: oere, id } = asset
    const description = `Depreciation ${day.monthName}, ${asset.name}`
    voucher.post('6010', oere, description, { costCentre, asset: id })
    voucher.post('1290', -oere, description, { asset: id })
  }
  return voucher
}

/** Costs that one cost centre pays for others: account, cost centre, text, median share in kroner. */
const SHARED_COSTS: readonly [account: string, costCentre: string, text: string, median: number][] = [
  ['6420', '1310', 'Business systems', 4200],
  ['6550', '1320', 'Computers and support', 3100],
  ['6300', '1910', 'Premises', 17500],
  ['6340', '1910', 'Light and heating', 3900],
  ['7040', '1920', 'Vehicle insurance', 2300],
  ['7005', '1920', 'Fuel cards', 2700],
  ['5945', '1220', 'Training centre', 3600],
  ['7320', '1450', 'Local advertising', 2800],
  ['6100', '1630', 'Transport between warehouses', 1900],
  ['6560', '1900', 'Calibration and inspections', 2100],
]

export function reallocation(desk: Desk): Voucher {
  return reallocationOf(desk, 1 + desk.random.few(7))
}

/**
 * A reallocation with exactly `lines` lines, two or more: shares of branches, and the credit of the paying cost centre.
 */
export function reallocationOf(desk: Desk, lines: number): Voucher {
  const { random, pools, day } = desk
  const voucher = desk.voucher('GL', `ALLOC ${day.period}`)
  const [account, payer, text, median] = random.pick(SHARED_COSTS)
  const first = random.integer(0, pools.branches.length - 1)
  for (let line = 1; line < lines; line++) {
    const branch = pools.branches[(first + line) % pools.branches.length]
    const description = `${text}, share of ${branch?.place}, ${day.monthName}`
    voucher.post(account, random.amount(median), description, { costCentre: branch?.common ?? '' })
  }
  voucher.settle(account, `${text}, distributed, ${day.monthName}`, { costCentre: payer })
  return voucher
}

const WORK: readonly [text: string, rate: number][] = [
  ['Installation', 640],
  ['Pipe welding', 690],
  ['Commissioning', 780],
  ['Drawings', 720],
  ['Travel time', 520],
]

/** Hours of an employee, charged to projects at a fixed rate. */
export function projectHours(desk: Desk): Voucher {
  const { random, pools, day } = desk
  const employee = random.pick(pools.employees)
  const branch = random.pick(pools.branches)
  const voucher = desk.voucher('GL', `HOURS ${day.date}`)
  for (let line = random.few(4); line > 0; line--) {
    const project = random.pick(pools.projects)
    const [text, rate] = random.pick(WORK)
    const halfHours = random.integer(2, 30)
    const description = `${text}, ${halfHours / 2} h, ${project.name}`
    const coding = { costCentre: branch.projects, project: project.id, employee: employee.id }
    voucher.post('5035', halfHours * rate * 50, description, coding)
  }
  const coding = { costCentre: branch.projects, employee: employee.id }
  voucher.settle('5035', `Hours to projects, ${employee.name}`, coding)
  return voucher
}

// Vouchers about employees: the payroll of a department, and travel expenses.
import type { Desk } from './desk.ts'
import type { Branch, NamedValue, ValuePools } from './pools.ts'
import type { Voucher } from './voucher.ts'

/** A cost centre on the payroll of its department. */
interface Payee {
  readonly costCentre: string
  readonly name: string
}

export interface Payroll {
  readonly department: NamedValue
  readonly payees: readonly Payee[]
  readonly account: string
  readonly wageType: string
}

/** Maximum number of cost centres in a payroll voucher. */
const PAYEES_PER_VOUCHER = 4
/** Department, wage account and wage type for each task at a branch. */
const AT_BRANCHES: readonly [task: keyof Branch, department: string, account: string, wageType: string][] = [
  ['sales', '530', '5010', '105'],
  ['warehouse', '730', '5020', '120'],
  ['workshop', '810', '5025', '125'],
  ['service', '820', '5030', '130'],
  ['projects', '920', '5035', '135'],
]
const EXTRAS: readonly [account: string, wageType: string, text: string, part: number][] = [
  ['5040', '200', 'Overtime 50 %', 0.06],
  ['5040', '205', 'Overtime 100 %', 0.03],
  ['5045', '235', 'On-call duty', 0.02],
  ['5045', '240', 'Call-outs', 0.015],
  ['5100', '400', "Sick pay, employer's period", 0.04],
]

/** One payroll per task of the branches, and one per department of the head office, matched by cost centre name. */
export function payrollsOf({ departments, branches, headOffice }: ValuePools): Payroll[] {
  const payrolls = AT_BRANCHES.flatMap(([task, id, account, wageType]): Payroll[] => {
    const department = departments.find((each) => each.id === id)
    const payees = branches.map((branch) => ({ costCentre: branch[task], name: branch.place }))
    return department ? [{ department, payees, account, wageType }] : []
  })
  const office = departments.flatMap((department): Payroll[] => {
    const payees = headOffice.filter(({ name }) => name === department.name)
    if (payees.length === 0) return []
    const costCentres = payees.map(({ id, name }) => ({ costCentre: id, name }))
    return [{ department, payees: costCentres, account: '5000', wageType: '100' }]
  })
  return [...payrolls, ...office]
}

/** Wages, withheld tax, net pay, employer's contribution and holiday pay of a department, for a few cost centres. */
export function payroll(desk: Desk): Voucher {
  const run = desk.payrolls[desk.nextPayroll++ % desk.payrolls.length] as Payroll
  const { department, payees } = run
  const voucher = desk.voucher('SAL', `PAYROLL ${desk.day.period}`)
  const from = desk.random.integer(0, payees.length - 1)
  let gross = 0
  for (const offset of Array(Math.min(PAYEES_PER_VOUCHER, payees.length)).keys()) {
    gross += wages(desk, voucher, run, payees[(from + offset) % payees.length] as Payee)
  }
  const coding = { department: department.id }
  const what = `${department.name}, ${desk.day.monthName}`
  const tax = Math.round((gross * desk.random.integer(26, 35)) / 10_000) * 100
  const dues = Math.round(gross / 20_000) * 100
  voucher.post('2600', -tax, `Tax withheld, ${what}`, { ...coding, wageType: '700' })
  voucher.post('2620', -dues, `Union dues, ${what}`, { ...coding, wageType: '720' })
  voucher.settle('2910', `Net pay, ${what}`, { ...coding, wageType: '900' })
  postEmployerCosts(voucher, gross, what, department.id)
  return voucher
}

/** Posts the regular wages of a cost centre, and sometimes an extra. Returns the gross amount. */
function wages(desk: Desk, voucher: Voucher, run: Payroll, payee: Payee): number {
  const { random, day } = desk
  const coding = { costCentre: payee.costCentre, department: run.department.id }
  const regular = Math.round(random.amount(105_000) / 100) * 100
  const what = `${payee.name}, ${day.monthName}`
  voucher.post(run.account, regular, `Wages, ${what}`, { ...coding, wageType: run.wageType })
  if (run.account === '5000' || random.chance(0.6)) return regular
  const [account, wageType, text, part] = random.pick(EXTRAS)
  const extra = Math.round(regular * part * (0.5 + random.next()))
  voucher.post(account, extra, `${text}, ${what}`, { ...coding, wageType })
  return regular + extra
}

/** Posts the additional cost of the employer: 14.1 % contribution and 12 % holiday pay. */
function postEmployerCosts(voucher: Voucher, gross: number, what: string, department: string): void {
  const contribution = Math.round(gross * 0.141)
  const holidayPay = Math.round(gross * 0.12)
  voucher.post('5400', contribution, `Employer's contribution, ${what}`, { department })
  voucher.post('2770', -contribution, `Employer's contribution due, ${what}`, { department })
  voucher.post('5080', holidayPay, `Holiday pay earned, ${what}`, { department })
  voucher.post('2940', -holidayPay, `Holiday pay accrued, ${what}`, { department })
}

const EXPENSES: readonly [account: string, text: string, tax: string, median: number][] = [
  ['7140', 'Flight', '13', 1890],
  ['7140', 'Train', '13', 540],
  ['7145', 'Hotel', '13', 1590],
  ['7050', 'Ferry and tolls', '13', 260],
  ['7100', 'Car allowance', '', 870],
  ['7150', 'Daily allowance', '', 634],
  ['7160', 'Parking and taxi', '', 310],
]

/** Expenses of an employee, reimbursed with the next wages. */
export function travelExpenses(desk: Desk): Voucher {
  const { random, pools, day } = desk
  const employee = random.pick(pools.employees)
  const branch = random.pick(pools.branches)
  const project = random.chance(0.4) ? random.pick(pools.projects) : undefined
  const voucher = desk.voucher('TRAV', `TR${day.period}-${employee.id}`)
  const coding = { costCentre: branch.service, project: project?.id ?? '', employee: employee.id }
  const where = project ? project.name : `visit to ${branch.place}`
  for (let line = random.few(6); line > 0; line--) {
    const [account, text, tax, median] = random.pick(EXPENSES)
    voucher.post(account, random.amount(median), `${text}, ${where}`, { ...coding, tax })
  }
  voucher.settle('2910', `Travel expenses of ${employee.name}`, { employee: employee.id })
  return voucher
}

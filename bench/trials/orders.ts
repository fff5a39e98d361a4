// Orders with lines beside the statements that store them, and beside customers.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BENCH_SECRET, startService, tokenOf } from '../cast.ts'
import { runCommand } from '../command.ts'
import { copy } from '../copy.ts'
import { type Figure, tried } from '../figure.ts'
import { storingSeconds } from '../floors/orders.ts'
import { type Measured, measure } from '../measure.ts'
import { SETUP } from '../place.ts'
import { objects } from '../questions/question.ts'
import { medianOf } from '../ratios.ts'
import { customerIdAt, customerRecord } from '../records/customers.ts'
import { items, orderNoAt, orderRecord } from '../records/orders.ts'
import { Random } from '../records/random.ts'
import { importFile, json } from '../seed/import-records.ts'
import { copyService, type Seed } from '../seed/seed.ts'
import type { Settings } from '../settings.ts'
import type { Subject } from '../subject.ts'
import { RUN, type Sent, type Workload } from '../workloads/workload.ts'

export const ORDERS = 'orders:'

const DECLARED = `
documents:
  - name: items
    key: [companyId, itemId]
    properties:
      companyId: { type: string }
      itemId: { type: string, maxLength: 25 }
      itemName: { type: string, maxLength: 255, required: true }
  - name: orders
    key: [companyId, orderNo]
    state: { property: status, closed: C }
    properties:
      companyId: { type: string }
      orderNo: { type: string, maxLength: 12 }
      reference: { type: string, maxLength: 100 }
      orderDate: { type: date-time, required: true }
      currencyCode: { type: string, required: true, legalValues: { valueList: CURRENCY } }
      regionId: { type: string, legalValues: { attributeId: RE } }
      status: { type: string, default: N, legalValues: { valueList: STATUS } }
      total: { computed: sum(lines/amount) }
      lines: { items: order-lines, by: [orderNo], with: cascade }
    indexes: [[orderDate], [regionId]]
  - name: order-lines
    key: [companyId, orderNo, lineNo]
    properties:
      companyId: { type: string }
      orderNo: { type: string, maxLength: 12 }
      lineNo: { type: integer, minimum: 1 }
      order: { reference: orders, key: [orderNo] }
      itemId: { type: string, maxLength: 25, required: true }
      item: { reference: items, key: [itemId] }
      projectId: { type: string, legalValues: { attributeId: C5 } }
      description: { type: string, maxLength: 255 }
      quantity: { type: decimal, scale: 3, required: true }
      unit: { type: string, maxLength: 10 }
      price: { type: decimal, scale: 2, minimum: 0 }
      amount: { computed: "round(quantity * price, 2)" }
    indexes: [[itemId]]
`

/** The setup of the benchmark with orders. */
function setupText(): string {
  const operations = '[create, read, update, delete]\n'
  const own = ['items', 'orders', 'order-lines'].map((name) => `      ${name}: ${operations}`).join('')
  return readFileSync(SETUP, 'utf8')
    .replace(`      customers: ${operations}`, (line) => line + own)
    .concat(DECLARED)
}

/** The largest order has so many; the next are the requests of each round. */
const MOST_LINES = 1_000
const LARGE_ORDERS = 20
/** The orders of an import have so many, and those beside customers fewer. */
const LINES = 10
const FEW_LINES = 2
/** What an order has without its lines. */
const STORED = 'orderNo,reference,orderDate,currencyCode,regionId,status,lastUpdated'

export async function measureOrders(folder: string, seed: Seed, settings: Settings): Promise<Figure[]> {
  mkdirSync(folder)
  const setup = join(folder, 'company.yaml')
  writeFileSync(setup, setupText())
  const data = copyService(seed, join(folder, 'service'))
  await runCommand(['setup', setup, '--data', data], { BENCH_SECRET })
  await importFile(['--data', data], 'items', json(items()), join(folder, 'items.ndjson'))
  const before = copy(join(data, 'tabularium.db'), join(folder, 'before.db'))
  const imported = await importOrders(data, folder, settings)
  const service = await startService(data, ['--workers', '1', '--setup', setup])
  try {
    const token = await tokenOf(service)
    const large = await measureLarge({ service, token, data, before, folder }, settings)
    return [imported, ...large, ...(await tried(`${ORDERS} rate`, () => besideCustomers(service, token, settings)))]
  } finally {
    await service.stop()
  }
}

/** The processor time of an import, in lines of orders for each second of it. */
async function importOrders(data: string, folder: string, { scale }: Settings): Promise<Figure> {
  const count = scale.customers
  const orders = function* () {
    for (let index = 0; index < count; index++) yield orderRecord(orderNoAt(index), index, LINES, scale.values)
  }
  const imported = await importFile(['--data', data], 'orders', json(orders()), join(folder, 'orders.ndjson'))
  const micros = imported.processorMicrosPerRow / LINES
  const rate = (imported.rowsPerSecond * LINES).toLocaleString('en')
  const beside = `${count.toLocaleString('en')} orders with ${LINES} lines; ${micros.toFixed(1)} us of processor time a line; ${rate} lines a second of the clock`
  return { work: `${ORDERS} import, lines`, rounds: [1e6 / micros], unit: 'rows/s', beside }
}

interface Parts {
  readonly service: Subject
  readonly token: string
  readonly data: string
  /** The database before the orders were stored. */
  readonly before: string
  readonly folder: string
}

/** Orders with many lines: created in one request each, and read, beside the statements that store and read them. */
async function measureLarge({ service, token, data, before, folder }: Parts, settings: Settings): Promise<Figure[]> {
  const { scale, rounds } = settings
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'accept-encoding': 'identity',
  }
  const taken: number[][] = []
  for (let round = 0; round <= rounds; round++) {
    const bodies = Array.from({ length: LARGE_ORDERS }, (_one, at) =>
      JSON.stringify(
        orderRecord(`${RUN}${round}${at}`.slice(0, 12), round * LARGE_ORDERS + at, MOST_LINES, scale.values),
      ),
    )
    const from = service.processorSeconds()
    for (const body of bodies) {
      const answer = await fetch(`${service.address}/v1/orders`, { method: 'POST', headers, body })
      if (answer.status !== 201) throw new Error(`an order was answered with ${answer.status}: ${await answer.text()}`)
      await answer.arrayBuffer()
    }
    const used = (service.processorSeconds() - from) / LARGE_ORDERS
    const bare = storingSeconds(
      join(data, 'tabularium.db'),
      copy(before, join(folder, `floor-${round}.db`)),
      `${RUN}${round}`,
    )
    // The first round warms up.
    if (round > 0) taken.push([used, bare.reduce((sum, one) => sum + one, 0) / bare.length])
  }
  const ratios = taken.map(([used = 0, bare = 0]) => used / bare)
  const times = taken.map((pair) => pair.map((one) => (one * 1_000).toFixed(1)).join('/'))
  const beside = `processor time of an order by that of its statements: ${times.join(', ')} ms`
  return [{ work: `${ORDERS} POST of ${MOST_LINES.toLocaleString('en')} lines`, rounds: ratios, unit: 'times', beside }]
}

/** Small orders beside customers, which have a contact point and a relation. */
async function besideCustomers(service: Subject, token: string, settings: Settings): Promise<Figure[]> {
  const { rounds, seconds, warmUpSeconds, scale } = settings
  const figures: Figure[] = []
  for (const [name, order, customer] of pairs(scale.customers, scale.values)) {
    const all: (readonly [Measured, Measured])[] = []
    for (let round = 0; round < rounds; round++) {
      const take = (workload: Workload) => measure(service, workload, token, seconds, warmUpSeconds)
      const beside = await take(customer)
      all.push([await take(order), beside])
    }
    const rates = all.map(([one, other]) => other.processorMicros / one.processorMicros)
    const micros = all.map((pair) => pair.map(({ processorMicros }) => Math.round(processorMicros)).join('/'))
    const speed = medianOf(all.map(([one, other]) => one.perSecond / other.perSecond))
    const beside = `processor time of an order by that of a customer: ${micros.join(', ')} us; ${speed.toFixed(2)} times the requests`
    figures.push({ work: `${ORDERS} rate beside customers, ${name}`, rounds: rates, unit: 'times', beside })
  }
  return figures
}

function pairs(count: number, projects: number): (readonly [string, Workload, Workload])[] {
  const random = new Random(78)
  const workload = (name: string, next: () => Sent): Workload => ({
    name,
    writes: false,
    // More would be refused where something else keeps the machine busy.
    connections: 4,
    next: () => {
      const sent = next()
      return { service: sent, floor: sent }
    },
  })
  const anyOrder = () => orderNoAt(random.whole(count))
  const anyCustomer = () => customerIdAt(random.whole(count))
  let no = 0
  const varied = (path: string): Sent => ({ method: 'GET', path, headers: { 'accept-language': `en, x-${++no}` } })
  const posted = (path: string, body: object): Sent => ({ method: 'POST', path, body: JSON.stringify(body) })
  const list = (document: string, key: string, from: string, select?: string) =>
    objects(document, { filter: `${key} ge '${from}'`, limit: 50, ...(select === undefined ? {} : { select }) })
  const order = (lines: number) => {
    const { lines: all, ...head } = orderRecord(`${RUN.slice(0, 4)}${++no}`, no, lines, projects)
    return posted('/v1/orders', lines === 0 ? head : { ...head, lines: all })
  }
  const customer = () => posted('/v1/customers', customerRecord(`${RUN}${++no}`, no))
  return [
    ['POST', workload('POST of an order', () => order(0)), workload('POST of a customer', customer)],
    [
      `POST with ${FEW_LINES} lines`,
      workload('POST of an order with lines', () => order(FEW_LINES)),
      workload('POST of a customer', customer),
    ],
    [
      'single GET',
      workload('GET of an order', () => varied(`/v1/orders/${anyOrder()}`)),
      workload('GET of a customer', () => varied(`/v1/customers/${anyCustomer()}`)),
    ],
    [
      'list of 50',
      workload('list of orders', () => varied(list('orders', 'orderNo', anyOrder(), STORED))),
      workload('list of customers', () => varied(list('customers', 'customerId', anyCustomer()))),
    ],
    [
      `list of 50, each with the sum of ${LINES} lines`,
      workload('list of orders with sums', () => varied(list('orders', 'orderNo', anyOrder()))),
      workload('list of customers', () => varied(list('customers', 'customerId', anyCustomer()))),
    ],
  ]
}

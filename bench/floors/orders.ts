// The statements that store orders with lines and their change log, run bare: the rows that the service has stored are
// inserted into a copy of its database of before, each order in a transaction, and read as one JSON text.
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'

type Rows = readonly Record<string, SQLInputValue>[]

interface StoredOrder {
  readonly orderNo: string
  readonly rows: readonly (readonly [table: string, Rows])[]
}

const READ = `
  select json_object('orderNo', o.order_no, 'reference', o.reference, 'orderDate', o.order_date, 'currencyCode',
    o.currency_code, 'regionId', o.region_id, 'status', o.status, 'lines', (
      select json_group_array(json_object('lineNo', l.line_no, 'itemId', l.item_id, 'projectId', l.project_id,
        'description', l.description, 'quantity', l.quantity / 1000.0, 'unit', l.unit, 'price', l.price / 100.0,
        'amount', round(l.quantity * l.price / 100000.0, 2)))
      from own_order_lines l where l.company_id = 'EN' and l.order_no = o.order_no)) as text
  from own_orders o where o.company_id = 'EN' and o.order_no = ?`

/** The orders with this start of their numbers, as the service has stored them. */
function storedOrders(file: string, start: string): StoredOrder[] {
  const db = new DatabaseSync(file, { readOnly: true })
  const all = (table: string, condition: string, ...values: string[]) =>
    db.prepare(`select * from ${table} where company_id = 'EN' and ${condition} order by 2, 3`).all(...values) as Rows
  const orders = all('own_orders', 'order_no >= ? and order_no < ?', start, `${start}~`)
  const found = orders.map((order) => {
    const orderNo = String(order.order_no)
    const key = `["${orderNo}"`
    return {
      orderNo,
      rows: [
        ['own_orders', [order]],
        ['own_order_lines', all('own_order_lines', 'order_no = ?', orderNo)],
        ['journal_entry', all('journal_entry', 'record_key >= ? and record_key < ?', key, `${key}~`)],
      ],
    } satisfies StoredOrder
  })
  db.close()
  return found
}

/** The processor time that storing and reading each order takes, in seconds. */
export function storingSeconds(stored: string, before: string, start: string): number[] {
  const orders = storedOrders(stored, start)
  const db = new DatabaseSync(before)
  db.exec('pragma journal_mode = wal; pragma synchronous = full')
  const inserts = new Map<string, (row: Rows[number]) => void>()
  for (const [table, [row = {}]] of orders[0]?.rows ?? []) {
    const names = Object.keys(row)
    const insert = db.prepare(
      `insert into ${table} (${names.map((name) => `"${name}"`)}) values (${names.map(() => '?')})`,
    )
    inserts.set(table, (one) => void insert.run(...names.map((name) => one[name] ?? null)))
  }
  const [begin, commit, read] = [db.prepare('begin immediate'), db.prepare('commit'), db.prepare(READ)]
  const seconds = orders.map(({ orderNo, rows }) => {
    const used = process.cpuUsage()
    begin.run()
    for (const [table, all] of rows) for (const row of all) inserts.get(table)?.(row)
    read.get(orderNo)
    commit.run()
    const { user, system } = process.cpuUsage(used)
    return (user + system) / 1e6
  })
  db.close()
  return seconds
}

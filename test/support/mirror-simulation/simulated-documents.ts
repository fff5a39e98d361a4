// The documents of the simulation, of every kind of source: with states and without, told when they change or not,
// asked for by key or counted; and ways in which sources differ.
import type { AskedDocument } from '../../../src/mirror/source/source-pages.ts'
import type { Habits } from '../erp/kind.ts'

export interface Simulated {
  readonly asked: AskedDocument
  readonly states: readonly string[]
  /** The member that tells which of several forms of a row is the newest, and its text. */
  readonly version: { readonly member: string; read(value: unknown): number; write(version: number): string | number }
  readonly isStamped: boolean
}

const TEXT = { read: (value: unknown) => Number(/\d+$/.exec(String(value))?.[0] ?? 0), write: (n: number) => `v${n}` }
const NUMBER = { read: Number, write: (n: number) => n }

function simulated(
  name: string,
  key: AskedDocument['key'],
  version: Simulated['version'],
  { states = [] as readonly string[], isStamped = true } = {},
): Simulated {
  const number = name === 'purchase-orders' ? 2 : 1
  const asked = { name, version: number, key, lists: [], members: [], from: undefined }
  return { asked, states, version, isStamped }
}

const text = (name: string) => ({ name, isText: true })
const number = (name: string) => ({ name, isText: false })

export const DOCUMENTS: readonly Simulated[] = [
  simulated('customers', [text('customerId')], { member: 'aliasName', ...TEXT }),
  simulated(
    'general-ledger-transactions',
    [number('transactionNumber'), number('sequenceNumber')],
    { member: 'description', ...TEXT },
    { states: ['registered', 'posted', 'historical'] },
  ),
  simulated('purchase-orders', [text('orderNumber')], { member: 'supplierId', ...TEXT }),
  simulated(
    'currency-rates',
    [text('currencyCode'), text('dateFrom')],
    { member: 'rate', ...NUMBER },
    { isStamped: false },
  ),
  simulated('time-sheets', [text('employeeId'), number('period'), number('lineNo')], {
    member: 'description',
    ...TEXT,
  }),
  simulated(
    'stock-levels',
    [text('warehouseId'), text('articleId')],
    { member: 'quantity', ...NUMBER },
    {
      isStamped: false,
    },
  ),
]

const HOUR_MS = 60 * 60_000

/** Ways in which sources of a seed differ. */
export const HABITS: readonly Readonly<Record<string, Partial<Habits>>>[] = [
  { 'purchase-orders': { localMs: 2 * HOUR_MS } },
  { customers: { ordering: 'refused' }, 'purchase-orders': { ordering: 'ignored', localMs: -5 * HOUR_MS } },
  { customers: { filtering: 'ignored', ordering: 'ignored' }, 'currency-rates': { countHeader: undefined } },
  {
    customers: { zone: '', localMs: -5 * HOUR_MS },
    'general-ledger-transactions': { ordering: 'unprocessable' },
    'currency-rates': { ordering: 'refused' },
  },
]

// Requests with arbitrary content anywhere: whatever the answer is, it must be described.
import type { Chance } from './chance.ts'
import type { Draft } from './good-request.ts'
import type { Json } from './legal-body.ts'

const SCALARS: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e300,
  -0.5,
  2 ** 53,
  2_147_483_648,
  '',
  ' ',
  '0',
  'true',
  '2026-02-30',
  '9999-12-31T23:59:59.999Z',
  '0001-01-01',
  'x'.repeat(5_000),
  '%00',
  "'; drop table customer; --",
  '../../etc/passwd',
  '\u202e',
  'EN',
  'SV',
  'C6',
]
const NAMES = ['constructor', 'toString', 'ID', 'CompanyId', 'value', 'x', 'notificationMessages', 'hasOwnProperty', '']

export function wildDraft(chance: Chance, draft: Draft): Draft {
  const params = chance.happens(0.2) ? wildParams(chance, draft) : draft.params
  const query = chance.happens(0.5) ? [...draft.query, ...wildQuery(chance, draft)] : draft.query
  const isJson = typeof draft.body === 'object' && !Buffer.isBuffer(draft.body)
  const body = isJson && chance.happens(0.9) ? mutated(chance, draft.body, 3) : draft.body
  return { ...draft, params, query, body, expected: [] }
}

function wildParams(chance: Chance, { params }: Draft): Record<string, string> {
  const name = chance.pick(Object.keys(params))
  // Two dots would change the address.
  const values = ['0', '1', '-1', 'oslo', '%', ' ', "'", 'a/b', '\u00e6', '202001', '1e3', 'constructor', '__proto__']
  return { ...params, [name]: chance.pick(values) }
}

function wildQuery(chance: Chance, { operation }: Draft): [string, string][] {
  const names = operation.parameters.filter(({ in: place }) => place === 'query').map(({ name }) => name)
  const known = names.filter((name) => name !== 'validateOnly')
  return Array.from({ length: chance.between(1, 3) }, () => {
    const name = chance.pick([...known, ...known.map((one) => one.toUpperCase()), 'skip', '$top', 'nothing', '', '$'])
    return [name, String(chance.pick(SCALARS)).slice(0, 600)]
  })
}

/** Changes, adds or removes a member at random. */
function mutated(chance: Chance, value: unknown, depth: number): unknown {
  if (depth === 0 || typeof value !== 'object' || value === null || chance.happens(0.1)) return anything(chance, 2)
  if (Array.isArray(value)) {
    if (value.length === 0 || chance.happens(0.2)) return [...value, anything(chance, 2)]
    const at = chance.below(value.length)
    return value.map((item, index) => (index === at ? mutated(chance, item, depth - 1) : item))
  }
  const record = value as Json
  const names = Object.keys(record)
  if (names.length === 0 || chance.happens(0.2)) return { ...record, [chance.pick(NAMES)]: anything(chance, 2) }
  const name = chance.pick(names)
  return { ...record, [name]: chance.happens(0.1) ? undefined : mutated(chance, record[name], depth - 1) }
}

function anything(chance: Chance, depth: number): unknown {
  if (depth === 0 || chance.happens(0.6)) return chance.pick(SCALARS)
  const items = Array.from({ length: chance.below(4) }, () => anything(chance, depth - 1))
  if (chance.happens(0.5)) return items
  return Object.fromEntries(items.map((item) => [chance.pick(NAMES), item]))
}

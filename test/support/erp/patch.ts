// Patches of single records: arrays of operations, names in any letter case.
import type { Row, Value } from './kind.ts'
import { coded } from './refusal.ts'

export interface Operation {
  readonly op: string
  readonly path: readonly string[]
  readonly value: Value | undefined
}

export function operationsOf(body: string, status: number): Operation[] {
  const sent: unknown = parseJson(body)
  if (!Array.isArray(sent)) throw coded(400, 1010, 'An array of operations was expected.')
  return sent.map((one, index) => {
    const members = new Map(Object.entries(one as object).map(([name, value]) => [name.toLowerCase(), value]))
    const [op, path] = [String(members.get('op') ?? '').toLowerCase(), members.get('path')]
    if (!['add', 'remove', 'replace'].includes(op) || typeof path !== 'string') {
      throw coded(status, 4020, `PatchOperation index ${index}: op and path were expected.`)
    }
    return { op, path: path.split('/').filter((part) => part !== ''), value: camelCased(members.get('value') as Value) }
  })
}

/** Names as they are documented: `CustomerName` is customerName. Null is nothing. */
export function camelCased(value: Value): Value {
  if (Array.isArray(value)) return value.map(camelCased)
  if (value === null || typeof value !== 'object') return value
  const members = Object.entries(value).filter(([, member]) => member !== null)
  return Object.fromEntries(
    members.map(([name, member]) => [name.charAt(0).toLowerCase() + name.slice(1), camelCased(member)]),
  )
}

export function parseJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch (error) {
    throw coded(400, 1010, `Malformed JSON: ${(error as Error).message}`)
  }
}

/** The record after all operations; the one given stays as it is. */
export function patched(record: Row, operations: readonly Operation[], status: number): Row {
  const copy = structuredClone(record)
  for (const [index, operation] of operations.entries()) apply(copy, operation, index, status)
  return copy
}

function apply(record: Row, { op, path, value }: Operation, index: number, status: number): void {
  const invalid = () =>
    coded(status, 4020, `PatchOperation index ${index}: Provided path /${path.join('/')} is invalid`)
  let at: Value = record
  for (const part of path.slice(0, -1)) {
    const next: Value | undefined = memberOf(at, part, status)
    if (next === null || typeof next !== 'object') throw invalid()
    at = next
  }
  const last = path.at(-1)
  if (last === undefined) throw invalid()
  if (Array.isArray(at)) {
    applyToList(at, { op, last, value: value ?? null }, status)
    return
  }
  const name = nameIn(at as Row, last)
  if (name === undefined) throw invalid()
  if (op === 'remove') delete (at as Row)[name]
  else (at as Row)[name] = value ?? null
}

function applyToList(list: Value[], { op, last, value }: { op: string; last: string; value: Value }, status: number) {
  if (op === 'add' && last === '-') {
    list.push(value)
    return
  }
  const at = indexIn(list, last, status)
  if (op === 'remove') list.splice(at, 1)
  else if (op === 'add') list.splice(at, 0, value)
  else list[at] = value
}

function memberOf(value: Value, part: string, status: number): Value | undefined {
  if (Array.isArray(value)) return value[indexIn(value, part, status)]
  const name = nameIn(value as Row, part)
  return name === undefined ? undefined : (value as Row)[name]
}

function indexIn(list: readonly Value[], part: string, status: number): number {
  if (/^\d+$/.test(part) && Number(part) < list.length) return Number(part)
  throw coded(status, 4023, `Provided index (${part}) is out of range`)
}

function nameIn(row: Row, part: string): string | undefined {
  return Object.keys(row).find((name) => name.toLowerCase() === part.toLowerCase())
}

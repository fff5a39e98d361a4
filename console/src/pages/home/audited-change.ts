// What an entry of the audit says of a record: its name, and which members have changed.
import { nameAmong } from '../../service/legal-values.ts'

export interface AuditedChange {
  /** Empty where the record has none. */
  readonly name: string
  /** JSON Pointers of the members that differ; a list is one member. Empty for what was created or removed. */
  readonly changed: readonly string[]
}

/** `before` and `after`: the record as JSON, or empty. */
export function auditedChange(before: string, after: string): AuditedChange {
  const [was, is] = [objectIn(before), objectIn(after)]
  const record = is ?? was ?? {}
  const name = record[nameAmong(Object.keys(record).filter((member) => record[member] !== '')) ?? '']
  return { name: typeof name === 'string' ? name : '', changed: was && is ? changedIn(was, is, '') : [] }
}

type Members = Readonly<Record<string, unknown>>

function objectIn(json: string): Members | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function changedIn(was: Members, is: Members, above: string): string[] {
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].flatMap((name) => {
    const [before, after] = [was[name], is[name]]
    const path = `${above}/${name}`
    if (path === '/lastUpdated') return []
    if (isObject(before) && isObject(after)) return changedIn(before, after, path)
    return JSON.stringify(before) === JSON.stringify(after) ? [] : [path]
  })
}

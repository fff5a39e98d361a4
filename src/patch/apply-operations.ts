// Applies patch operations to a record: all or none. The function is pure: the given record is not modified, and the
// caller must check the result by the resource's rules like a new record.
import type { TObject } from 'typebox'
import { copyOf } from '../base/strict-json.ts'
import { mostItems, readValue } from '../model/read-record.ts'
import type { GivenOf } from '../model/schema.ts'
import { indexOutOfRange, invalidPath, notAMember, notConvertible, type PatchFailure, tooManyItems } from './failure.ts'
import type { PatchOperation } from './operations.ts'
import { resolvePath, type Target } from './resolve-path.ts'
import { findRefusal, type PatchRule } from './rules.ts'

/** The changed record, in which removed members are absent, or all failures. */
type Patched<Given> =
  | { readonly record: Given; readonly failures?: undefined }
  | { readonly record?: undefined; readonly failures: readonly PatchFailure[] }

/** Applies operations in sequence. Throws only if a value has one name in two spellings, as `readRecord` does. */
export function applyOperations<Schema extends TObject>(
  schema: Schema,
  rules: readonly PatchRule[],
  record: GivenOf<Schema>,
  operations: readonly PatchOperation[],
): Patched<GivenOf<Schema>> {
  const draft = copyOf(record)
  const failures = operations.flatMap((operation) => apply(schema, rules, draft as Container, operation))
  return failures.length > 0 ? { failures } : { record: draft }
}

type Container = Record<string, unknown> | unknown[]

function apply(
  schema: TObject,
  rules: readonly PatchRule[],
  draft: Container,
  operation: PatchOperation,
): PatchFailure[] {
  const target = resolvePath(schema, operation.path)
  if (target === 'invalid') return [invalidPath(operation)]
  if (target === 'no-member') return [notAMember(operation)]
  const refusal = findRefusal(rules, operation, target)
  if (refusal) return [refusal]
  const container = containerOf(draft, target)
  if (typeof container === 'number') return [indexOutOfRange(operation, target.path, container)]
  return Array.isArray(container)
    ? changeItem(container, target, operation)
    : changeMember(container, target, operation)
}

/**
 * The container of the last part of the path, created if it is absent; or the first index in the path that is out of
 * range.
 */
function containerOf(draft: Container, { path, list }: Target): Container | number {
  let container = draft
  for (const [depth, part] of path.slice(0, -1).entries()) {
    if (typeof part === 'number') {
      const items = container as Container[]
      if (part >= items.length) return part
      container = items[part]!
    } else {
      const members = container as Record<string, Container>
      const holdsItems = depth === path.length - 2 ? list !== undefined : typeof path[depth + 1] === 'number'
      if (!Object.hasOwn(members, part)) members[part] = holdsItems ? [] : {}
      container = members[part]!
    }
  }
  return container
}

function changeMember(members: Record<string, unknown>, target: Target, operation: PatchOperation): PatchFailure[] {
  const name = String(target.path.at(-1))
  const isAbsent = operation.op === 'remove' || operation.value === null
  const { value, failures } = isAbsent ? { failures: [] } : readNew(target, operation)
  if (failures.length > 0) return failures
  if (isAbsent) delete members[name]
  else members[name] = value
  return []
}

function changeItem(items: unknown[], target: Target, operation: PatchOperation): PatchFailure[] {
  const { path, list } = target
  const { op } = operation
  const isEnd = path.at(-1) === '-'
  if (isEnd && op !== 'add') return [invalidPath(operation, path)]
  const index = isEnd ? items.length : Number(path.at(-1))
  if (index >= items.length + (op === 'add' ? 1 : 0)) return [indexOutOfRange(operation, path, index)]
  const most = list ? mostItems(list) : 0
  if (op === 'add' && items.length >= most) return [tooManyItems(operation, path, most)]
  const { value, failures } = op === 'remove' ? { failures: [] } : readNew(target, operation)
  if (failures.length > 0) return failures
  if (op === 'replace') items[index] = value
  else if (op === 'add') items.splice(index, 0, value)
  else items.splice(index, 1)
  return []
}

/** Reads the new value. Objects and arrays are read as in a body: members that are not given become absent. */
function readNew({ path, schema }: Target, operation: PatchOperation): { value?: unknown; failures: PatchFailure[] } {
  const failures: PatchFailure[] = []
  const value = readValue(schema, operation.value, path, (valuePath, expected, given) => {
    failures.push(notConvertible(operation, valuePath, valuePath.slice(path.length), { expected, given }))
  })
  return { value, failures }
}

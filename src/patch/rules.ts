// Rules for the paths of a resource that may be changed, and by which operations. Paths without a rule are rejected.
import { memo } from '../base/memo.ts'
import type { FieldPath } from '../errors/findings.ts'
import type { Fields, PatchOp, PatchPath } from '../model/record-fields.ts'
import { kindOf } from '../model/schema.ts'
import { invalidOp, invalidPath, notAMember, type PatchFailure } from './failure.ts'
import type { PatchOperation } from './operations.ts'
import type { Target } from './resolve-path.ts'

/** The first rule that matches the path and the operation applies. */
export type PatchRule = PatchPath

/** The rules of a record's fields. */
export function patchRules(fields: Fields): PatchRule[] {
  return Object.entries(fields).flatMap(([name, { patch }]) =>
    patch.map((rule) => ({ ...rule, path: `/${name}${rule.path}` })),
  )
}

const ALL_OPS: readonly PatchOp[] = ['replace', 'add', 'remove']

/** What some path takes. Another operation, such as `add` where there are no lists, is none of the resource. */
export const supportedOps = memo((rules: readonly PatchRule[]): readonly PatchOp[] =>
  ALL_OPS.filter((op) => rules.some(({ ops = ALL_OPS, refusal }) => !refusal && ops.includes(op))),
)

/** Returns why the rules forbid an operation on a path, or undefined if they allow it. */
export function findRefusal(
  rules: readonly PatchRule[],
  operation: PatchOperation,
  { path, schema, list }: Target,
): PatchFailure | undefined {
  const deciding = rules.find((rule) => (rule.ops ?? ALL_OPS).includes(operation.op) && matches(rule, path))
  if (deciding) return deciding.refusal && { index: operation.index, ...deciding.refusal, path }
  const allowed = rules.flatMap((rule) => (rule.refusal || !matches(rule, path) ? [] : (rule.ops ?? ALL_OPS)))
  if (allowed.length > 0) return invalidOp(operation, path, allowed)
  return list || kindOf(schema) === 'array' ? notAMember(operation, path) : invalidPath(operation, path)
}

interface Pattern {
  /** Whether the pattern ends with `**`. */
  readonly isOpen: boolean
  readonly fixed: readonly string[]
}

const patternOf = memo(({ path }: PatchRule): Pattern => {
  const parts = path.split('/').slice(1)
  const isOpen = parts.at(-1) === '**'
  return { isOpen, fixed: isOpen ? parts.slice(0, -1) : parts }
})

function matches(rule: PatchRule, path: FieldPath): boolean {
  const { isOpen, fixed } = patternOf(rule)
  if (isOpen ? path.length <= fixed.length : path.length !== fixed.length) return false
  return fixed.every((part, depth) => part === String(path[depth]) || (part === '*' && path[depth] !== '-'))
}

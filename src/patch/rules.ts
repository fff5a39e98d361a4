// Which paths of a resource may be changed, and how. What no rule allows is refused.
import type { Code, FieldPath } from '../errors/findings.ts'
import { kindOf } from '../model/schema.ts'
import { invalidOp, invalidPath, notAMember, type PatchFailure } from './failure.ts'
import type { Op, PatchOperation } from './operations.ts'
import type { Target } from './resolve-path.ts'

/** The first rule that has the path and the operation decides. */
export interface PatchRule {
  // `*` is any one name or index, as in `/contactPoints/*`; `-` the place after the last item; a final `**` all that
  // is inside a place, however deep, but not the place itself.
  /** In documented spelling. */
  readonly path: string
  /** All three, when it does not say. */
  readonly ops?: readonly Op[]
  /** Makes it a rule that forbids, in words of its own. */
  readonly refusal?: { readonly code: Code; readonly message: string }
}

const ALL_OPS: readonly Op[] = ['replace', 'add', 'remove']

/** Why the rules forbid an operation at a place; `undefined` when they allow it. */
export function findRefusal(
  rules: readonly PatchRule[],
  operation: PatchOperation,
  { path, schema, isItem }: Target,
): PatchFailure | undefined {
  const matching = rules.filter((rule) => matches(rule, path))
  const deciding = matching.find(({ ops = ALL_OPS }) => ops.includes(operation.op))
  if (deciding) return deciding.refusal && { index: operation.index, ...deciding.refusal, path }
  const allowed = matching.filter((rule) => !rule.refusal).flatMap((rule) => rule.ops ?? ALL_OPS)
  if (allowed.length > 0) return invalidOp(operation, path, allowed)
  return isItem || kindOf(schema) === 'array' ? notAMember(operation, path) : invalidPath(operation, path)
}

interface Pattern {
  /** Whether it ends in `**`. */
  readonly isOpen: boolean
  readonly fixed: readonly string[]
}

const patterns = new WeakMap<PatchRule, Pattern>()

function patternOf(rule: PatchRule): Pattern {
  let pattern = patterns.get(rule)
  if (!pattern) {
    const parts = rule.path.split('/').slice(1)
    const isOpen = parts.at(-1) === '**'
    pattern = { isOpen, fixed: isOpen ? parts.slice(0, -1) : parts }
    patterns.set(rule, pattern)
  }
  return pattern
}

function matches(rule: PatchRule, path: FieldPath): boolean {
  const { isOpen, fixed } = patternOf(rule)
  if (isOpen ? path.length <= fixed.length : path.length !== fixed.length) return false
  return fixed.every((part, depth) => part === String(path[depth]) || (part === '*' && path[depth] !== '-'))
}

// What can be wrong with one operation, in the words of the specification. The resource chooses the status.
import type { JsonValue } from '../base/strict-json.ts'
import { anyOf, shortened } from '../base/text.ts'
import type { Code, FieldPath } from '../errors/findings.ts'
import type { Op, PatchOperation } from './operations.ts'

/** One operation that cannot be done. */
export interface PatchFailure {
  /** Of the operation, in the body. */
  readonly index: number
  readonly code: Code
  readonly message: string
  /** The field, in documented spelling; empty where the path leads nowhere. */
  readonly path: FieldPath
}

/** The path names nothing, or nothing that may be changed. */
export function invalidPath(operation: PatchOperation, path: FieldPath = []): PatchFailure {
  return failure(operation, 4020, `Provided path '${shownPath(operation)}' is invalid`, path)
}

/** The path may be changed, but by other operations. */
export function invalidOp(operation: PatchOperation, path: FieldPath, allowed: readonly Op[]): PatchFailure {
  const { op } = operation
  const message = `Provided path '${shownPath(operation)}' is invalid for ${op}, it is for ${anyOf(allowed)}`
  return failure(operation, 4020, message, path)
}

/** The path ends at an array or goes through a scalar. */
export function notAMember(operation: PatchOperation, path: FieldPath = []): PatchFailure {
  const message = `Path does not specify object member. Provided path '${shownPath(operation)}' is invalid`
  return failure(operation, 4020, message, path)
}

/** There is no item with this index. */
export function indexOutOfRange({ index }: PatchOperation, path: FieldPath, given: number): PatchFailure {
  return { index, code: 4023, message: `Provided index (${given}) is out of range`, path }
}

/** A value of the wrong type. `inside` is the way from the operation's path to it. */
export function notConvertible(
  operation: PatchOperation,
  path: FieldPath,
  inside: FieldPath,
  { expected, given }: { expected: string; given: JsonValue },
): PatchFailure {
  const place = [shownPath(operation), ...inside].join('/')
  const message = `The value '${shownValue(given)}' of path '${place}' cannot be converted to ${expected}`
  return failure(operation, 4030, message, path)
}

/** One item more than an array may have. */
export function tooManyItems(operation: PatchOperation, path: FieldPath, most: number): PatchFailure {
  return failure(
    operation,
    3010,
    `The array of path '${shownPath(operation)}' has ${most} items and takes no more`,
    path,
  )
}

function failure({ index }: PatchOperation, code: Code, message: string, path: FieldPath): PatchFailure {
  return { index, code, message: `PatchOperation index ${index}: ${message}`, path }
}

function shownPath({ path }: PatchOperation): string {
  return shortened(path, 200)
}

function shownValue(value: JsonValue): string {
  return shortened(typeof value === 'string' ? value : JSON.stringify(value))
}

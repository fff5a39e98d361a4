// The failures of single operations, with the messages of the specification. The resource chooses the status.
import type { JsonValue } from '../base/strict-json.ts'
import { anyOf, shortened } from '../base/text.ts'
import type { Code, FieldPath } from '../errors/findings.ts'
import type { PatchOp } from '../model/record-fields.ts'
import type { PatchOperation } from './operations.ts'

export interface PatchFailure {
  /** Index of the operation in the body. */
  readonly index: number
  readonly code: Code
  readonly message: string
  /** The field in documented spelling; empty if the path is not valid. */
  readonly path: FieldPath
}

/** The path does not exist or may not be changed. */
export function invalidPath(operation: PatchOperation, path: FieldPath = []): PatchFailure {
  return failure(operation, 4020, `Provided path '${shortenedPath(operation)}' is invalid`, path)
}

/** The path may be changed only by other operations. */
export function invalidOp(operation: PatchOperation, path: FieldPath, allowed: readonly PatchOp[]): PatchFailure {
  const { op } = operation
  const message = `Provided path '${shortenedPath(operation)}' is invalid for ${op}, it is for ${anyOf(allowed)}`
  return failure(operation, 4020, message, path)
}

/** The path ends at an array or goes through a scalar. */
export function notAMember(operation: PatchOperation, path: FieldPath = []): PatchFailure {
  const message = `Path does not specify object member. Provided path '${shortenedPath(operation)}' is invalid`
  return failure(operation, 4020, message, path)
}

/** There is no item with this index. */
export function indexOutOfRange({ index }: PatchOperation, path: FieldPath, given: number): PatchFailure {
  return { index, code: 4023, message: `Provided index (${given}) is out of range`, path }
}

/** A value has the wrong type. `inside` is its path relative to that of the operation. */
export function notConvertible(
  operation: PatchOperation,
  path: FieldPath,
  inside: FieldPath,
  { expected, given }: { expected: string; given: JsonValue },
): PatchFailure {
  const valuePath = [shortenedPath(operation), ...inside].join('/')
  const message = `The value '${shortenedValue(given)}' of path '${valuePath}' cannot be converted to ${expected}`
  return failure(operation, 4030, message, path)
}

/** The array already has the maximum number of items. */
export function tooManyItems(operation: PatchOperation, path: FieldPath, maxItems: number): PatchFailure {
  return failure(
    operation,
    3010,
    `The array of path '${shortenedPath(operation)}' has ${maxItems} items and takes no more`,
    path,
  )
}

function failure({ index }: PatchOperation, code: Code, message: string, path: FieldPath): PatchFailure {
  return { index, code, message: `PatchOperation index ${index}: ${message}`, path }
}

function shortenedPath({ path }: PatchOperation): string {
  return shortened(path, 200)
}

function shortenedValue(value: JsonValue): string {
  return shortened(typeof value === 'string' ? value : JSON.stringify(value))
}

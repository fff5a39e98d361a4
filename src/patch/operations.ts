// Patch bodies: an array of {op, path, value}. A body with an illegal operation is rejected completely.
import { Type } from 'typebox'
import { isObject, type JsonObject, type JsonValue } from '../base/strict-json.ts'
import { anyOf, foldName, shortened } from '../base/text.ts'
import { coded, malformed } from '../errors/catalogue.ts'
import { eachDocumented } from '../model/read-record.ts'
import type { PatchOp } from '../model/record-fields.ts'

/** One operation as it was sent. Its path is resolved when it is applied. */
export interface PatchOperation {
  /** Index of the operation in the body, for messages. */
  readonly index: number
  readonly op: PatchOp
  readonly path: string
  /** Null means absent; it is always null for `remove`. */
  readonly value: JsonValue
}

interface OperationLimits {
  readonly operations: number
  /** The operations that the resource supports. */
  readonly ops: readonly PatchOp[]
}

/** The default limit is far above legitimate patches; each operation costs a walk through the record. */
const LIMITS: OperationLimits = { operations: 1_000, ops: ['replace', 'add', 'remove'] }

/**
 * Reads a patch body; an empty array is legal and changes nothing. Throws 400 with code 4020 and a message for every
 * bad operation.
 */
export function parseOperations(json: JsonValue, limits: Partial<OperationLimits> = {}): PatchOperation[] {
  const { operations: maxOperations, ops } = { ...LIMITS, ...limits }
  if (!Array.isArray(json)) throw malformed('The request body must be a JSON array of patch operations.')
  if (json.length > maxOperations) throw malformed(`The request body has more than ${maxOperations} patch operations.`)
  const items = json.map((item) => (isObject(item) ? membersOf(item) : undefined))
  const faults = items.map((item) => faultOf(item, ops))
  const messages = faults.flatMap((fault, index) =>
    fault === undefined ? [] : `PatchOperation index ${index}: ${fault}`,
  )
  // One bad operation rejects the complete request (decision 2).
  if (messages.length > 0)
    throw coded(400, 4020, messages.join(' '), { parts: messages.map((message) => ({ message })) })
  return items.map((item, index) => operationOf(item!, index))
}

type Members = Partial<Record<(typeof MEMBERS)[number], JsonValue>>

const MEMBERS = ['op', 'path', 'value'] as const

function membersOf(item: JsonObject): Members {
  const find = (given: string) => {
    const name = MEMBERS.find((member) => member === foldName(given))
    return name && { name }
  }
  const members: Members = {}
  eachDocumented(item, find, ({ name }, value) => {
    members[name] = value
  })
  return members
}

function faultOf(item: Members | undefined, ops: readonly PatchOp[]): string | undefined {
  if (!item) return 'Expected an object with op, path and value.'
  const { op, path, value } = item
  const expected = () => `expected ${anyOf(ops)}.`
  if (op === undefined || op === null) return `The property 'op' is missing: ${expected()}`
  if (typeof op !== 'string' || !ops.some((known) => known === foldName(op))) {
    return `Operation '${shortened(typeof op === 'string' ? op : JSON.stringify(op))}' is not supported: ${expected()}`
  }
  if (path === undefined || path === null) return "The property 'path' is missing: expected a string such as '/a/0/b'."
  if (typeof path !== 'string') return "The property 'path' must be a string such as '/a/0/b'."
  if (value === undefined && foldName(op) !== 'remove')
    return `The property 'value' is missing: ${foldName(op)} needs it.`
  return undefined
}

function operationOf({ op, path, value = null }: Members, index: number): PatchOperation {
  return { index, op: foldName(String(op)) as PatchOp, path: String(path), value }
}

/** The body of every PATCH, for the API description. */
export const PatchBody = Type.Array(
  Type.Object({
    op: Type.Union([Type.Literal('replace'), Type.Literal('add'), Type.Literal('remove')], {
      description: 'In any letter case.',
    }),
    path: Type.String({ description: 'Slash and member, slash and index; `-` appends.', examples: ['/description'] }),
    value: Type.Optional(Type.Unknown({ description: 'Left out for remove.' })),
  }),
  { maxItems: 1_000, title: 'PatchOperations' },
)

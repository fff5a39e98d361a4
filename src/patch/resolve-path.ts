// Resolves paths of operations by the schema alone, independent of the content of a record.
import type { TArray, TObject, TSchema } from 'typebox'
import type { FieldPath } from '../errors/findings.ts'
import { findMember } from '../model/read-record.ts'
import { kindOf } from '../model/schema.ts'

/** A resolved path in documented spelling. `-` in the path of an array means the position after its last item. */
export interface Target {
  readonly path: FieldPath
  readonly schema: TSchema
  /** The array that the target is an item of; undefined for a member of an object. */
  readonly list: TArray | undefined
}

/** Why a path cannot be resolved: a name does not exist, or the path does not end at a member of an object. */
type DeadEnd = 'invalid' | 'no-member'

/** Maximum length of a path; the longest legal one has about 60 characters. */
const MAX_PATH_LENGTH = 1_000

/** An array index: `-`, or a zero-based decimal number without leading zeros. */
const INDEX = /^(?:-|0|[1-9][0-9]*)$/

/**
 * Resolves a path such as `/contactPoints/0/address/place`. Names are case-insensitive, and the first slash may be
 * missing.
 */
export function resolvePath(schema: TObject, path: string): Target | DeadEnd {
  if (path.length > MAX_PATH_LENGTH || /~(?![01])/.test(path)) return 'invalid'
  const parts = partsOf(path)
  if (parts.length === 0) return 'no-member'
  let target: Target = { path: [], schema, list: undefined }
  for (const part of parts) {
    const next = step(target, part)
    if (typeof next === 'string') return next
    target = next
  }
  return target
}

function partsOf(path: string): string[] {
  const inside = path.startsWith('/') ? path.slice(1) : path
  const parts = inside === '' ? [] : inside.split('/')
  return path.includes('~') ? parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~')) : parts
}

function step({ path, schema, list }: Target, part: string): Target | DeadEnd {
  if (list && path.at(-1) === '-') return 'invalid'
  switch (kindOf(schema)) {
    case 'object': {
      const member = findMember(schema as TObject, part)
      return member ? { path: [...path, member.name], schema: member.schema, list: undefined } : 'invalid'
    }
    case 'array': {
      if (!INDEX.test(part)) return 'invalid'
      const index = part === '-' ? part : Number(part)
      const array = schema as TArray
      return { path: [...path, index], schema: array.items, list: array }
    }
    default:
      return 'no-member'
  }
}

// Paths of operations against a schema alone: where they lead, in documented spelling, whatever the record holds.
import type { TArray, TObject, TSchema } from 'typebox'
import type { FieldPath } from '../errors/findings.ts'
import { findMember } from '../model/read-record.ts'
import { kindOf } from '../model/schema.ts'

/** A place that the schema knows. `-` in the path of an array stands for the place after its last item. */
export interface Target {
  readonly path: FieldPath
  readonly schema: TSchema
  /** An item of an array rather than a member of an object. */
  readonly isItem: boolean
}

/** Why a path leads nowhere: it names what is not there, or it does not end at a member of an object. */
export type DeadEnd = 'invalid' | 'no-member'

/** The longest legal path has some 60 characters. */
const LONGEST_PATH = 1_000

/** `-`, or zero-based and decimal without leading zeros. */
const INDEX = /^(?:-|0|[1-9][0-9]*)$/

/** Follows a path such as `/contactPoints/0/address/place`. Names go without regard to case; the first slash may be missing. */
export function resolvePath(schema: TObject, path: string): Target | DeadEnd {
  if (path.length > LONGEST_PATH || /~(?![01])/.test(path)) return 'invalid'
  const parts = partsOf(path)
  if (parts.length === 0) return 'no-member'
  let target: Target = { path: [], schema, isItem: false }
  for (const part of parts) {
    const next = step(target, part)
    if (typeof next === 'string') return next
    target = next
  }
  return target
}

function partsOf(path: string): string[] {
  const inside = path.startsWith('/') ? path.slice(1) : path
  return inside === '' ? [] : inside.split('/').map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function step({ path, schema, isItem }: Target, part: string): Target | DeadEnd {
  if (isItem && path.at(-1) === '-') return 'invalid'
  switch (kindOf(schema)) {
    case 'object': {
      const member = findMember(schema as TObject, part)
      return member ? { path: [...path, member.name], schema: member.schema, isItem: false } : 'invalid'
    }
    case 'array': {
      if (!INDEX.test(part)) return 'invalid'
      const index = part === '-' ? part : Number(part)
      return { path: [...path, index], schema: (schema as TArray).items, isItem: true }
    }
    default:
      return 'no-member'
  }
}

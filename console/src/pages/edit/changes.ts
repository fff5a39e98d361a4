// What somebody has changed in a form, as a JSON Patch, and against what others have changed meanwhile.
import type { FieldInfo } from '../../service/metadata.ts'
import { valueIn } from '../../service/question.ts'

/** The texts of the form by the paths of its fields. */
export type Draft = Readonly<Record<string, string>>

export function draftOf(record: unknown, fields: readonly FieldInfo[]): Draft {
  return Object.fromEntries(fields.map((field) => [field.path, textOf(valueIn(record, field).value)]))
}

const textOf = (value: unknown): string => (value === undefined || value === null ? '' : String(value))

/** The paths whose texts differ. */
export function changedPaths(base: Draft, mine: Draft): string[] {
  return Object.keys(mine).filter((path) => mine[path] !== (base[path] ?? ''))
}

/** A JSON Patch of the changed fields. A number is sent with the digits that were typed. */
export function patchOf(base: Draft, mine: Draft, fields: readonly FieldInfo[]): string {
  const operations = changedPaths(base, mine).map((path) => {
    const field = fields.find((one) => one.path === path)
    return `{"op":"replace","path":${JSON.stringify(`/${path}`)},"value":${literalOf(mine[path] ?? '', field)}}`
  })
  return `[${operations.join(',')}]`
}

function literalOf(text: string, field: FieldInfo | undefined): string {
  const isNumber = field?.kind === 'number' || field?.kind === 'integer'
  if (isNumber && /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text.trim())) return text.trim()
  if (field?.kind === 'boolean') return String(text === 'true')
  return JSON.stringify(text)
}

export interface Conflict {
  readonly path: string
  readonly base: string
  readonly mine: string
  readonly theirs: string
}

/** The fields that both have changed, to different texts. */
export function conflictsOf(base: Draft, mine: Draft, theirs: Draft): Conflict[] {
  return changedPaths(base, mine).flatMap((path) => {
    const [was = '', own = '', other = ''] = [base[path], mine[path], theirs[path]]
    return other === was || other === own ? [] : [{ path, base: was, mine: own, theirs: other }]
  })
}

/** What they have, with what I have changed; of conflicts what was chosen. */
export function merged(
  base: Draft,
  mine: Draft,
  theirs: Draft,
  choices: Readonly<Record<string, 'mine' | 'theirs'>>,
): Draft {
  const own = changedPaths(base, mine).filter((path) => choices[path] !== 'theirs')
  return { ...theirs, ...Object.fromEntries(own.map((path) => [path, mine[path] ?? ''])) }
}

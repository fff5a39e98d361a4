// Format errors of a setup, each mistake once. Where the schema allows several kinds of object (`anyOf`), only the
// errors of the kind that the value resembles most are returned.
import { Errors } from 'typebox/value'
import { nearestName } from '../../base/text.ts'
import { SetupSchema } from './setup-schema.ts'

export type SchemaError = ReturnType<typeof Errors>[number]

interface Choice {
  readonly schemaPath: string
  readonly instancePath: string
  /** Position of the most similar alternative; undefined where the alternatives are not objects. */
  readonly bestMatch: number | undefined
}

export function errorsIn(data: unknown): SchemaError[] {
  const all = Errors(SetupSchema, data)
  const choices = all.filter(({ keyword }) => keyword === 'anyOf').map((error) => choiceIn(data, error))
  return all.filter((error) => {
    if (error.keyword === 'additionalProperties' && !isClosed(error.schemaPath)) return false
    const enclosing = choices.filter((choice) => isInside(error, choice))
    if (enclosing.some((choice) => !error.schemaPath.startsWith(`${choice.schemaPath}/anyOf/${choice.bestMatch}`)))
      return false
    return (
      error.keyword !== 'anyOf' ||
      choices.every((choice) => !isSamePlace(error, choice) || choice.bestMatch === undefined)
    )
  })
}

/** Where an object may have further members, the errors in them say all. */
function isClosed(schemaPath: string): boolean {
  return (schemaAt(schemaPath) as { additionalProperties?: unknown }).additionalProperties === false
}

function isInside({ schemaPath, instancePath }: SchemaError, choice: Choice): boolean {
  const isBelow = instancePath === choice.instancePath || instancePath.startsWith(`${choice.instancePath}/`)
  return isBelow && schemaPath.startsWith(`${choice.schemaPath}/anyOf/`)
}

function isSamePlace({ schemaPath, instancePath }: SchemaError, choice: Choice): boolean {
  return schemaPath === choice.schemaPath && instancePath === choice.instancePath
}

function choiceIn(data: unknown, { schemaPath, instancePath }: SchemaError): Choice {
  const { anyOf = [] } = schemaAt(schemaPath) as { anyOf?: readonly { properties?: object }[] }
  const value = valueAt(data, instancePath.split('/').slice(1).map(decodePointer))
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  const scores = anyOf.map(({ properties }) => (isObject && properties ? similarity(value, properties) : 0))
  const best = Math.max(...scores)
  return { schemaPath, instancePath, bestMatch: best > 0 ? scores.indexOf(best) : undefined }
}

/** Counts the keys that the schema knows; a misspelled key counts half. */
function similarity(value: object, properties: object): number {
  const known = Object.keys(properties)
  const scores = Object.keys(value).map((key) => (known.includes(key) ? 1 : nearestName(key, known) ? 0.5 : 0))
  return scores.reduce((sum: number, score) => sum + score, 0)
}

export function schemaAt(schemaPath: string): unknown {
  return valueAt(SetupSchema, schemaPath.split('/').slice(1).map(decodePointer))
}

export function valueAt(root: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((value, part) => (value as Record<string | number, unknown> | undefined)?.[part], root)
}

export function decodePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~')
}

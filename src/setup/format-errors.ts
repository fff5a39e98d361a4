// What is wrong with the format of a setup, each mistake once. Of a value that may be one of several kinds of object, only
// the errors of the kind that it was probably meant to be are told.
import { Errors } from 'typebox/value'
import { nearestName } from '../base/text.ts'
import { SetupSchema } from './setup-schema.ts'

export type SchemaError = ReturnType<typeof Errors>[number]

interface Choice {
  readonly schemaPath: string
  readonly instancePath: string
  /** Nothing where the choices are no objects. */
  readonly meant: number | undefined
}

export function errorsIn(data: unknown): SchemaError[] {
  const all = Errors(SetupSchema, data)
  const choices = all.filter(({ keyword }) => keyword === 'anyOf').map((error) => choiceIn(data, error))
  return all.filter((error) => {
    const around = choices.filter((choice) => isInside(error, choice))
    if (around.some((choice) => !error.schemaPath.startsWith(`${choice.schemaPath}/anyOf/${choice.meant}`)))
      return false
    return error.keyword !== 'anyOf' || choices.every((choice) => !isAt(error, choice) || choice.meant === undefined)
  })
}

function isInside({ schemaPath, instancePath }: SchemaError, choice: Choice): boolean {
  const isBelow = instancePath === choice.instancePath || instancePath.startsWith(`${choice.instancePath}/`)
  return isBelow && schemaPath.startsWith(`${choice.schemaPath}/anyOf/`)
}

function isAt({ schemaPath, instancePath }: SchemaError, choice: Choice): boolean {
  return schemaPath === choice.schemaPath && instancePath === choice.instancePath
}

function choiceIn(data: unknown, { schemaPath, instancePath }: SchemaError): Choice {
  const { anyOf = [] } = schemaAt(schemaPath) as { anyOf?: readonly { properties?: object }[] }
  const value = valueAt(data, instancePath.split('/').slice(1).map(decodePointer))
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  const scores = anyOf.map(({ properties }) => (isObject && properties ? resemblance(value, properties) : 0))
  const best = Math.max(...scores)
  return { schemaPath, instancePath, meant: best > 0 ? scores.indexOf(best) : undefined }
}

/** A misspelled key counts less than one that is right. */
function resemblance(value: object, properties: object): number {
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

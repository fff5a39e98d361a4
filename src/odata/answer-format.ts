// The format of answers: JSON with minimal metadata or none, whose numbers are numbers.
import { type Preference, preference, preferencesIn } from '../base/preferences.ts'
import { shortened } from '../base/text.ts'
import { coded } from '../errors/catalogue.ts'
import { notSupported } from './query/refusals.ts'

/** How much of an answer describes it: with `none` it has no context. */
export type MetadataLevel = 'minimal' | 'none'

export function jsonType(level: MetadataLevel): string {
  return `application/json;odata.metadata=${level};IEEE754Compatible=false;charset=utf-8`
}

/**
 * Throws 501 for another `$format`, for full metadata and for numbers as texts, and 406 if JSON is not accepted.
 * `accept`: the header, which counts if there is no `$format`.
 */
export function metadataLevelOf(format: string | undefined, accept: string | undefined): MetadataLevel {
  if (format !== undefined) return levelOf(formatRange(format))
  if (accept === undefined) return 'minimal'
  const ranges = preferencesIn(accept).filter(isJson)
  const wished = ranges.find((range) => lacking(range) === undefined) ?? ranges[0]
  if (!wished) throw notAcceptable(accept)
  return levelOf(wished)
}

/** XML, unless the client takes JSON alone: JSON is of OData 4.01. Throws 501 for another `$format`. */
export function isMetadataJson(
  format: string | undefined,
  accept: string | undefined,
  maxVersion: number | undefined,
): boolean {
  if (format !== undefined) {
    if (/^(?:application\/)?xml(?:;|$)/i.test(format)) return false
    const isJsonRequested = isJson(formatRange(format))
    if (maxVersion === 4) throw notSupported('metadata in JSON with OData-MaxVersion 4.0')
    return isJsonRequested
  }
  const types = preferencesIn(accept ?? '*/*').map(({ name }) => name)
  const takesXml = types.some((type) => /^(?:\*|application|text)\/(?:\*|xml)$/.test(type))
  return !takesXml && types.includes('application/json') && maxVersion !== 4
}

function formatRange(format: string): Preference {
  const range = preference(/^json(?:;|$)/i.test(format) ? `application/${format}` : format)
  if (range.name !== 'application/json' || !isJson(range)) throw notSupported(`the format ${shortened(format, 40)}`)
  return range
}

/** An empty header asks for nothing, and old clients write `*`. */
const ANYTHING = ['', '*', '*/*', 'application/*']

/** `odata=verbose` and the like are of earlier versions of OData. */
function isJson({ name, parameters }: Preference): boolean {
  return ANYTHING.includes(name) || (name === 'application/json' && !parameters.has('odata'))
}

function levelOf(range: Preference): MetadataLevel {
  const missing = lacking(range)
  if (missing !== undefined) throw notSupported(missing)
  return wishedLevel(range) === 'none' ? 'none' : 'minimal'
}

function wishedLevel({ parameters }: Preference): string {
  return parameters.get('odata.metadata') ?? parameters.get('metadata') ?? 'minimal'
}

/** What the range asks for that answers cannot have. */
function lacking(range: Preference): string | undefined {
  if (range.parameters.get('ieee754compatible') === 'true') return 'numbers as texts (IEEE754Compatible=true)'
  const level = wishedLevel(range)
  return level === 'minimal' || level === 'none' ? undefined : `odata.metadata=${shortened(level, 40)}`
}

function notAcceptable(accept: string) {
  return coded(406, 1020, `Answers are application/json, which '${shortened(accept, 80)}' does not accept.`)
}

// Where a single record is, by the values of its key.

import type { JsonObject } from '../../base/strict-json.ts'
import type { DocumentDefinition, Property } from '../../model/document.ts'
import { literalOf } from '../../query/literals.ts'
import { ToolError } from './tool.ts'

/** Resources whose documents have another name. */
const RESOURCES: Readonly<Record<string, string>> = { 'document-archive': 'documents' }

export function resourcePath({ name, version }: DocumentDefinition): string {
  return `/v${version}/${RESOURCES[name] ?? name}`
}

/** The properties of the key but the company, which every request names by itself. */
export function keyNames({ key, properties, companyColumn }: DocumentDefinition): readonly string[] {
  return key.filter((name) => {
    const property = properties[name]
    const source = property?.kind === 'value' ? property.source : undefined
    return !(source && 'column' in source && source.table === undefined && source.column === companyColumn)
  })
}

/** The service answers 404 where there is no such resource. Throws a `ToolError` for a key that is not complete. */
export function recordPath(definition: DocumentDefinition, key: JsonObject): string {
  const parts = keyNames(definition)
  const values = parts.map((part) => encodeURIComponent(String(valueIn(key, part, parts))))
  return [resourcePath(definition), ...values].join('/')
}

/** The filter that finds the record alone at its object endpoint. */
export function keyFilter(definition: DocumentDefinition, key: JsonObject): string {
  const names = keyNames(definition)
  return names
    .map((part) => `${part} eq ${literalFor(definition.properties[part], valueIn(key, part, names))}`)
    .join(' and ')
}

function valueIn(key: JsonObject, part: string, parts: readonly string[]): unknown {
  const [, value] = Object.entries(key).find(([name]) => name.toLowerCase() === part.toLowerCase()) ?? []
  if (typeof value === 'string' || typeof value === 'number') return value
  throw new ToolError(`key lacks ${part}: it has ${parts.join(', ')}.`)
}

/** A value in the query language; texts are quoted. */
function literalFor(property: Property | undefined, value: unknown): string {
  const text = String(value)
  if (property?.kind !== 'value' || property.type === 'string') return literalOf(text)
  if (/^[\w.:+-]{1,40}$/.test(text)) return text
  throw new ToolError(`'${text.slice(0, 40)}' is no ${property.type}.`)
}

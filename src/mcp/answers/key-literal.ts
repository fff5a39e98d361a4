import type { Property } from '../../model/document.ts'
import { ToolError } from '../tools/tool.ts'

/** A value in the query language; texts are quoted. */
export function literalOf(property: Property | undefined, value: unknown): string {
  const text = String(value)
  if (property?.kind !== 'value' || property.type === 'string') return `'${text.replaceAll("'", "''")}'`
  if (/^[\w.:+-]{1,40}$/.test(text)) return text
  throw new ToolError(`'${text.slice(0, 40)}' is no ${property.type}.`)
}

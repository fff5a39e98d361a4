import type { JsonObject } from '../../base/strict-json.ts'
import { nearestName } from '../../base/text.ts'
import { type ReadableDocument, type ToolContext, ToolError } from './tool.ts'

/** The company that the arguments name, or the caller's own. */
export function companyOf({ caller }: ToolContext, { company }: JsonObject): string {
  return typeof company === 'string' ? company : caller.defaultCompany
}

/** The document of this name. Throws a `ToolError` with the most similar name if the caller may read no such. */
export function documentNamed(context: ToolContext, companyId: string, name: string): ReadableDocument {
  const documents = context.documents(companyId)
  const found = documents.find(({ definition }) => definition.name === name)
  if (found) return found
  const nearest = nearestName(
    name,
    documents.map(({ definition }) => definition.name),
  )
  const hint = nearest === undefined ? 'describe lists the documents.' : `Did you mean '${nearest}'?`
  throw new ToolError(`There is no document '${name}' that you may read. ${hint}`)
}

/** The path of its collection. */
export function collectionPath({ definition }: ReadableDocument): string {
  return `/v${definition.version}/objects/${definition.name}`
}

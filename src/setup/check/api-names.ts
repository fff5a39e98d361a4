// Checks the names of APIs in roles, before the format is checked: of an unknown API nothing else is told.
import { nearestName } from '../../base/text.ts'
import { BUILT_IN_APIS } from '../file/setup-schema.ts'
import type { YamlSource } from '../file/yaml-source.ts'

/** Reports each name that is neither an API of the service nor a document that it keeps. */
export function checkApiNames(source: YamlSource): void {
  const { documents, roles } = source.data as { readonly documents?: unknown; readonly roles?: unknown }
  if (documents !== undefined && !Array.isArray(documents)) return
  const declared = listOf(documents).map(partsOf)
  // Without its name, a document may be the one that is meant.
  if (declared.some(({ name }) => typeof name !== 'string')) return
  const own = declared.filter(({ table }) => table === undefined).map(({ name }) => String(name))
  for (const [index, role] of listOf(roles).entries()) {
    for (const name of Object.keys(partsOf(partsOf(role).apis))) checkName(name, own, index, source)
  }
}

function checkName(name: string, own: readonly string[], role: number, source: YamlSource): void {
  const known = [...BUILT_IN_APIS, ...own]
  if (known.includes(name)) return
  const path = ['roles', role, 'apis', name]
  const nearest = nearestName(name, known)
  const hint = nearest ? `; did you mean '${nearest}'?` : `, expected one of: ${known.join(', ')}`
  source.addAtKey(path, `unknown key '${name}'${hint}`)
  source.ignore(path)
}

function listOf(part: unknown): readonly unknown[] {
  return Array.isArray(part) ? part : []
}

function partsOf(part: unknown): Readonly<Record<string, unknown>> {
  return typeof part === 'object' && part !== null ? (part as Record<string, unknown>) : {}
}

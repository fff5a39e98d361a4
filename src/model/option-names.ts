// The names of query options: in any letter case, with or without `$` (decision 0).
import { nearestName, type QueryPairs, shortened } from '../base/text.ts'
import { invalidOption } from '../errors/catalogue.ts'

/** Those of every collection. */
export const QUERY_OPTIONS = [
  'select',
  'filter',
  'orderby',
  'groupby',
  'aggregate',
  'having',
  'offset',
  'limit',
  'companyid',
  'format',
  'validat',
  'asof',
]
const ALIASES: Readonly<Record<string, string>> = { skip: 'offset', top: 'limit' }

/**
 * The option of a parameter name; those that are known are in lower case. Unknown names are ignored (undefined), except
 * with a `$`, which throws 400.
 */
export function optionOf(name: string, known: readonly string[]): string | undefined {
  const folded = name.trim().toLowerCase()
  const bare = folded.startsWith('$') ? folded.slice(1) : folded
  const option = Object.hasOwn(ALIASES, bare) ? ALIASES[bare] : bare
  if (option !== undefined && known.includes(option)) return option
  if (!folded.startsWith('$')) return undefined
  const aliases = Object.keys(ALIASES).filter((alias) => known.includes(ALIASES[alias] ?? ''))
  const nearest = nearestName(bare, [...known, ...aliases])
  throw invalidOption(`Unknown query option '${shortened(name)}'${nearest ? `; did you mean '$${nearest}'?` : '.'}`)
}

/** For what heeds none of the options of collections. Throws 400 for a misspelt one. */
export function refuseMisspelt(pairs: QueryPairs, further: readonly string[] = []): void {
  for (const [name] of pairs) optionOf(name, [...QUERY_OPTIONS, ...further])
}

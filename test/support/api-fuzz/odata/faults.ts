// What is wrong in OData's own options and headers, and what OData knows and the service does not.
import type { DescribedOperation } from '../description.ts'
import type { Draft } from '../good-request.ts'

type Wrong = readonly [name: string, value: string, expected: number]

/** For the operations that take the option; all are wrong for every entity set. */
const OPTIONS: readonly Wrong[] = [
  ['$filter', 'nowhere eq 1', 400],
  ['$filter', 'true eq', 400],
  ['$filter', '(true', 400],
  ['$filter', "'a' eq 1", 400],
  ['$filter', "indexof('a','b') gt 0", 501],
  ['$filter', '1 add 1 eq 2', 501],
  ['$filter', 'true eq @p', 501],
  ['$select', 'nowhere', 400],
  ['$select', 'nowhere/at', 400],
  ['$orderby', 'nowhere desc', 400],
  ['$orderby', "length('a')", 501],
  ['$expand', 'nowhere', 400],
  ['$expand', '*', 501],
  ['$expand', 'nowhere($levels=2)', 501],
  ['$search', 'a OR b', 501],
  ['$apply', 'nowhere', 501],
  ['$apply', 'groupby((nowhere))', 400],
  ['$top', '-1', 400],
  ['$skip', '2147483648', 400],
  ['$count', 'perhaps', 400],
  ['$skiptoken', 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', 400],
  ['$format', 'atom', 501],
  ['$format', 'json;odata.metadata=full', 501],
]

/** Wherever options are read. */
const ANYWHERE: readonly Wrong[] = [
  ['$fitler', 'true', 400],
  ['$', '', 400],
  ['$compute', '1 as one', 501],
  ['@p', '1', 501],
]

/** The options of requests that must be rejected, and their status. */
export function wrongOptions({ parameters, path }: DescribedOperation): readonly Wrong[] {
  const names = parameters.filter(({ in: place }) => place === 'query').map(({ name }) => name)
  if (names.length === 0) return []
  // Metadata have no levels of metadata.
  const isLegal = ([name, value]: Wrong) => path.endsWith('$metadata') && name === '$format' && value.startsWith('json')
  return [...OPTIONS.filter((one) => names.includes(one[0]) && !isLegal(one)), ...ANYWHERE]
}

/** The headers of requests that must be rejected, and their status. */
export function wrongHeaders({ responses }: DescribedOperation): readonly (readonly [Draft['headers'], number])[] {
  const versions = ['3.0', 'four', ''].map((version) => [{ 'odata-maxversion': version }, 400] as const)
  if (!responses['406']) return versions
  return [...versions, [{ accept: 'text/html' }, 406], [{ accept: 'application/json;odata.metadata=full' }, 501]]
}

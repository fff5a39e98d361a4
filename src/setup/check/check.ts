// Small checks that all parts of a setup share.

import { addressProblem, didYouMean } from '../../base/text.ts'
import { isUnknown } from '../file/repair.ts'
import type { CompanySetup, Setup } from '../file/setup-schema.ts'
import type { SetupPart } from '../file/yaml-source.ts'

/** The parts of one company that others refer to, by id. */
export interface CompanyIndex {
  readonly attributes: ReadonlyMap<string, NonNullable<CompanySetup['attributes']>[number]>
  readonly relations: ReadonlyMap<string, NonNullable<CompanySetup['relations']>[number]>
  readonly valueLists: ReadonlyMap<string, unknown>
}

/** Where a filter has one of these, it is no property; `inf` and `nan` are numbers of OData. */
const WORDS: ReadonlySet<string> = new Set('and or not eq ne gt ge lt le in null true false inf nan'.split(' '))

export const isWordOfQueries = (name: string): boolean => WORDS.has(name.toLowerCase())

/**
 * Reports every value of a member that occurs twice in a list, and every id that cannot be a part of an address. `fold`
 * maps spellings that count as equal to one text.
 */
export function checkUnique<Item>(
  place: SetupPart,
  items: readonly Item[] = [],
  member: keyof Item & string,
  fold: (id: string) => string = (id) => id,
): void {
  const seen = new Set<string>()
  for (const [index, item] of items.entries()) {
    const id = String(item[member])
    const problem = member === 'id' ? addressProblem(id) : undefined
    if (problem !== undefined) place.at(index, member).add(problem)
    if (seen.has(fold(id))) place.at(index, member).add(`'${id}' is there twice`)
    seen.add(fold(id))
  }
}

/** Reports a reference to something that is not set up, and suggests the nearest existing name. */
export function checkReference(
  place: SetupPart,
  kind: string,
  id: string | undefined,
  known: { has(id: string): boolean; keys(): Iterable<string> },
): void {
  if (id === undefined || known.has(id)) return
  const names = [...known.keys()]
  // A name was missing elsewhere, and this may be a reference to it.
  if ([id, ...names].some(isUnknown)) return
  place.add(`there is no ${kind} '${id}'${didYouMean(id, names)}`)
}

/** Reports a minimum above its maximum. */
export function checkRange({ minimum, maximum }: { minimum?: number; maximum?: number }, place: SetupPart): void {
  if (minimum === undefined || maximum === undefined || !(minimum > maximum)) return
  place.at('minimum').add(`the minimum ${minimum} is greater than the maximum ${maximum}`)
}

/** The codes of a property must exist in at least one company: the company of a row is known only when it is read. */
export function checkCodes(
  setup: Setup,
  property: { attributeId?: string; valueList?: string },
  place: SetupPart,
): void {
  const companies = setup.companies ?? []
  const { attributeId, valueList } = property
  if (companies.some(({ id }) => isUnknown(id))) return
  const attributes = companies.flatMap((company) => (company.attributes ?? []).map(({ id }) => id))
  if (attributeId !== undefined && !attributes.some((id) => id === attributeId || isUnknown(id))) {
    place.at('attributeId').add(`no company has the attribute '${attributeId}'`)
  }
  const valueLists = companies.flatMap((company) => Object.keys(company.valueLists ?? {}))
  if (valueList !== undefined && !valueLists.some((name) => name === valueList || isUnknown(name))) {
    place.at('valueList').add(`no company has the value list '${valueList}'`)
  }
}

// Plans the query options of a request: the same bound plan that the service's own query language has.
import type { DocumentDefinition } from '../../model/document.ts'
import { Document } from '../../model/records/document.ts'
import { wordParts } from '../../model/word-parts.ts'
import { type SearchedWord, searchedWords } from '../../model/words.ts'
import { bindFilter } from '../../query/bind.ts'
import type { BoundExpression } from '../../query/bound.ts'
import { inOption, meaningError, type QueryOption } from '../../query/parse/query-error.ts'
import type { Expression } from '../../query/parse/tree.ts'
import { type Grouped, groupedBy, keyOfGroups, keyProperties, orderOf, type Plan } from '../../query/plan.ts'
import { groupingOf } from '../../query/plan-grouping.ts'
import { NEVER, withRowRule } from '../../query/row-rule.ts'
import type { EntitySet } from '../metadata/entity-set.ts'
import { parseApply } from './apply.ts'
import { withoutConstants } from './constants.ts'
import { parseCondition } from './expressions.ts'
import { parseExpand, parseOrderBy, parseSelect } from './lists.ts'
import type { ODataOptions } from './options.ts'
import { notSupported } from './refusals.ts'
import { Scanner } from './scanner.ts'
import { expanded, keySelected, selectedOf } from './select.ts'

/** A plan for all records of the answer. */
export type RecordsPlan = Plan & { readonly offset: 0; readonly limit: undefined }

/** Throws a QueryError for what is wrong, and 501 for what is not supported. */
export function planOptions(set: EntitySet, options: ODataOptions): RecordsPlan {
  const { definition } = set
  const common = { definition, offset: 0, limit: undefined } as const
  if (options.apply !== undefined) return { ...common, ...plannedGroups(definition, options, options.apply) }
  const items = options.select === undefined ? undefined : parseSelect(options.select)
  const expansions = options.expand === undefined ? [] : parseExpand(options.expand)
  const requested = [...selectedOf(set, items), ...expanded(set, expansions)]
  // Navigation properties alone are selected, and none is expanded.
  const select = requested.length > 0 ? requested : keySelected(set)
  const order = orderOf(definition.properties, orderItems(options), keyProperties(definition))
  const found = { ...filtered(definition, conditionIn(options)), select, columns: select, order }
  if (options.search === undefined) return { ...common, ...found }
  const words: BoundExpression = { kind: 'words', words: searchedIn(set, options.search) }
  return { ...common, ...found, filter: found.filter ? { kind: 'and', terms: [words, found.filter] } : words }
}

function plannedGroups(definition: DocumentDefinition, options: ODataOptions, text: string) {
  for (const option of ['select', 'expand', 'search'] as const) {
    if (options[option] !== undefined) throw notSupported(`$${option} together with $apply`)
  }
  const { filter, groupBy, aggregate, having } = parseApply(text)
  const grouping = inOption('apply', () => groupingOf(definition, groupBy, aggregate))
  const { result } = grouping
  const conditions = [boundIn('apply', result, having), boundIn('filter', result, conditionIn(options))].filter(
    (one) => one !== undefined,
  )
  const order = orderOf(result.properties, orderItems(options), keyOfGroups({ ...grouping, having: undefined }))
  const grouped: Grouped = { ...grouping, having: allOf(conditions), order }
  return { ...filtered(definition, filter, 'apply'), ...groupedBy(grouped) }
}

function searchedIn({ name, definition }: EntitySet, text: string): SearchedWord[] {
  if (definition.name !== Document.document.name) throw notSupported(`$search of ${name}`)
  const terms = parseSearch(text)
  for (const term of terms) {
    const words = [...wordParts(term.text)]
    if (words.length === 0) throw meaningError('search', term.position, `'${term.text}' has no letter and no digit`)
    if (term.isPhrase && words.length > 1) throw notSupported('a phrase of several words in $search')
  }
  return terms.flatMap((term) => searchedWords(term.text))
}

function conditionIn({ filter }: ODataOptions): Expression | undefined {
  if (filter === undefined) return undefined
  const scanner = new Scanner('filter', filter)
  const condition = parseCondition(scanner)
  scanner.requireEnd()
  return condition
}

function orderItems({ orderby }: ODataOptions) {
  return orderby === undefined ? [] : parseOrderBy(orderby)
}

/** The condition on records, with the row rule of the caller. */
function filtered(definition: DocumentDefinition, condition: Expression | undefined, option: QueryOption = 'filter') {
  const requestedFilter = boundIn(option, definition, condition)
  return { filter: withRowRule(definition, requestedFilter), requestedFilter }
}

function boundIn(
  option: QueryOption,
  definition: DocumentDefinition,
  condition: Expression | undefined,
): BoundExpression | undefined {
  if (!condition) return undefined
  return inOption(option, () => {
    const open = withoutConstants(condition)
    // Also what does not matter must be legal.
    const whole = bindFilter(definition, condition)
    if (typeof open === 'boolean') return open ? undefined : NEVER
    return open === condition ? whole : bindFilter(definition, open)
  })
}

function allOf(conditions: readonly BoundExpression[]): BoundExpression | undefined {
  return conditions.length > 1 ? { kind: 'and', terms: conditions } : conditions[0]
}

const MAX_TERMS = 50
const PHRASE = /"((?:[^"\\]|\\["\\])+)"/y
const BLANK = /[ \t]/y
const WORD = /[^\s"()']+[^\s"()]*/y

/** A word, or a phrase with its blanks. */
interface SearchTerm {
  readonly text: string
  readonly isPhrase: boolean
  readonly position: number
}

/** The parser of $search: words and phrases, all of which must be found. OData's OR and NOT are 501. */
export function parseSearch(text: string): readonly SearchTerm[] {
  const scanner = new Scanner('search', text)
  scanner.blanks()
  const terms = conjunction(scanner)
  scanner.blanks()
  scanner.requireEnd()
  return terms
}

function conjunction(scanner: Scanner): SearchTerm[] {
  const terms: SearchTerm[] = []
  for (;;) {
    if (terms.length > 0 && !takeOperator(scanner, 'AND') && takeOperator(scanner, 'OR'))
      throw scanner.unsupported('OR')
    if (takeOperator(scanner, 'NOT')) throw scanner.unsupported('NOT')
    terms.push(...term(scanner))
    if (terms.length > MAX_TERMS) throw scanner.error(`more than ${MAX_TERMS} words`)
    const { position } = scanner
    scanner.blanks()
    if (scanner.isAtEnd || scanner.sees(')')) return terms
    if (scanner.position === position) throw scanner.expected('a blank')
  }
}

/** With nothing behind it, it is a word to be found. */
function takeOperator(scanner: Scanner, word: 'AND' | 'OR' | 'NOT'): boolean {
  const { position } = scanner
  if (scanner.take(word) && scanner.match(BLANK)) {
    scanner.blanks()
    if (!scanner.isAtEnd) return true
  }
  scanner.return(position)
  return false
}

function term(scanner: Scanner): SearchTerm[] {
  if (scanner.sees('(')) {
    return scanner.nested(() => {
      scanner.require('(')
      scanner.blanks()
      const inner = conjunction(scanner)
      scanner.blanks()
      scanner.require(')')
      return inner
    })
  }
  const { position } = scanner
  const phrase = scanner.match(PHRASE)?.[1]
  if (phrase !== undefined) return [{ text: phrase.replace(/\\(.)/g, '$1'), isPhrase: true, position }]
  if (scanner.sees("'")) throw scanner.unsupported('a search in single quotes')
  const word = scanner.match(WORD)?.[0]
  if (word === undefined) throw scanner.expected('a word or a phrase in double quotes')
  return [{ text: word, isPhrase: false, position }]
}

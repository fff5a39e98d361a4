// Estimates the work of a query per row before it starts: the more work per row, the fewer rows may be visited in the
// service's thread. A unit is the time of one comparison, about 30 ns.
import { type ListProperty, MAX_ITEMS, type Term, type ValueProperty } from '../../model/document.ts'
import type { BoundExpression, BoundOperand, BoundProperty, Place } from '../../query/bound.ts'
import type { Plan } from '../../query/plan.ts'
import type { SelectedProperty } from '../../query/plan-select.ts'
import { storedAs } from './stored-list.ts'

/** In units. */
export interface Work {
  /** Per visited row. */
  readonly visit: number
  /** Per row of the answer. */
  readonly answer: number
}

/** The length of texts and lists, in bytes, from which on a reader process handles them (see `Dialect.inReach`). */
export const LONGEST_IN_REACH = 16 * 1024
/** The assumed length of a text without a declared maximum, in characters. */
const MAX_TEXT = 4_096

const ENTRY = 10
const ROW = 30
const JOINED_ROW = 60
const COMPARISON = 4
/** What it costs to add a value to the others of its group; for a double that is a call of JavaScript. */
const AGGREGATE = 20
/** One that calls JavaScript. */
const CALCULATION = 30
/** The work of reading a JSON list of the maximum length. */
const READ_LIST = 4_000
const JSON_ITEMS = 40
const TABLE_ITEMS = 20
const JSON_MEMBER = 40
const CELL = 8
/** A row among those that an index has found costs it. */
const FOUND_WORDS = 20
/** Characters that a function processes in one unit. */
const CHARACTERS_PER_UNIT = { search: 30, copy: 60, fold: 1 }

export function workOf(
  { filter, order, reads = [] }: Pick<Plan, 'filter' | 'order'> & { readonly reads?: readonly BoundProperty[] },
  select: readonly SelectedProperty[],
  isCovering: boolean,
): Work {
  const ordered = order.reduce((sum, { by }) => sum + operandWork(by), 0)
  const computed = reads.reduce((sum, one) => sum + AGGREGATE + operandWork(one), 0)
  return {
    visit: (isCovering ? ENTRY : ROW) + (filter ? filterWork(filter) : 0) + ordered + computed,
    answer: ROW + select.reduce((sum, one) => sum + selectedWork(one), 0),
  }
}

function filterWork(filter: BoundExpression): number {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.terms.reduce((sum, term) => sum + filterWork(term), 0)
    case 'not':
      return filterWork(filter.term)
    case 'compare':
      return COMPARISON + operandWork(filter.left) + operandWork(filter.right)
    case 'in':
      return COMPARISON + operandWork(filter.operand) + Math.ceil(Math.log2(filter.values.length + 1))
    case 'test':
      return operandWork(filter.operand)
    case 'any':
    case 'all':
      return placeWork(filter.place) + listWork(filter.list, filter.body ? filterWork(filter.body) : 0)
    case 'words':
      return FOUND_WORDS
  }
}

function operandWork(operand: BoundOperand): number {
  switch (operand.kind) {
    case 'value':
      return 0
    case 'property':
      return placeWork(operand.place) + valueWork(operand.property)
    case 'call':
      return COMPARISON + callWork(operand)
  }
}

function placeWork({ via }: Place): number {
  return via.length * JOINED_ROW
}

function valueWork({ source }: ValueProperty): number {
  if ('constant' in source) return 0
  if ('computed' in source) return termWork(source.computed)
  if ('path' in source) return source.json === undefined ? JSON_MEMBER : READ_LIST
  return source.table === undefined ? COMPARISON : JOINED_ROW
}

/** The work of what is computed, which calls JavaScript. */
function termWork(term: Term): number {
  switch (term.kind) {
    case 'literal':
      return 0
    case 'property':
      return 'computed' in term.source ? termWork(term.source.computed) : COMPARISON
    case 'call':
      return term.args.reduce((sum, arg) => sum + termWork(arg), CALCULATION)
    case 'lines':
      return listWork(term.lines, CALCULATION + (term.sumOf ? termWork(term.sumOf) : 0))
  }
}

function listWork({ from }: ListProperty, item: number): number {
  return 'json' in from ? READ_LIST + JSON_ITEMS * (JSON_MEMBER + item) : TABLE_ITEMS * (JOINED_ROW + item)
}

function callWork({ name, args }: Extract<BoundOperand, { kind: 'call' }>): number {
  const [whole = 0, part = 0] = args.map(lengthOf)
  // Adversarial texts make a search compare the part at every second position.
  const search = (whole + (whole * part) / 64) / CHARACTERS_PER_UNIT.search
  const each = args.reduce((sum, arg) => sum + operandWork(arg), 0)
  switch (name) {
    case 'contains':
      return each + search
    case 'startswith':
      return 2 * each + (whole + part) / CHARACTERS_PER_UNIT.copy
    case 'endswith':
      return 3 * each + (whole + part) / CHARACTERS_PER_UNIT.search
    case 'tolower':
    case 'toupper':
      return each + whole / CHARACTERS_PER_UNIT.fold
    default:
      return each + whole / CHARACTERS_PER_UNIT.copy
  }
}

/** The maximum length in characters. */
function lengthOf(operand: BoundOperand): number {
  switch (operand.kind) {
    case 'value':
      return operand.ask((value) => String(value).length)
    case 'property':
      return operand.type === 'string' ? (operand.property.maxLength ?? MAX_TEXT) : ISO_LENGTH
    case 'call':
      return operand.type === 'string' ? Math.max(0, ...operand.args.map(lengthOf)) : ISO_LENGTH
  }
}

const ISO_LENGTH = 24

function selectedWork(selected: SelectedProperty): number {
  const inside = () =>
    'properties' in selected ? selected.properties.reduce((sum, one) => sum + selectedWork(one), 0) : 0
  switch (selected.kind) {
    case 'value':
      return CELL + valueWork(selected.property)
    case 'description':
      return CELL + 2 * JOINED_ROW + valueWork(selected.property)
    case 'group':
      return inside()
    case 'association':
      return JOINED_ROW + inside()
    case 'list':
      // The length of an answer that is made here is limited, and with it what is read of longer lists.
      return storedAs(selected) ? READ_LIST : listWork(selected.list, inside())
  }
}

/** A character takes up to four bytes in UTF-8. */
const CHARACTER_BYTES = 4
const NAME_BYTES = 30
/** The maximum size of a contact point, or another item with all its texts. */
const ITEM_BYTES = 10_000

/** The maximum size of a row of the answer in bytes, as far as lengths are known. */
export function answerBytes(select: readonly SelectedProperty[]): number {
  return select.reduce((sum, selected) => sum + NAME_BYTES + bytesOfOne(selected), 0)
}

function bytesOfOne(selected: SelectedProperty): number {
  switch (selected.kind) {
    case 'value': {
      const { type, maxLength = MAX_TEXT } = selected.property
      return type === 'string' ? maxLength * CHARACTER_BYTES : ISO_LENGTH
    }
    case 'description':
      return MAX_TEXT * CHARACTER_BYTES
    case 'group':
    case 'association':
      return answerBytes(selected.properties)
    case 'list':
      return (
        MAX_ITEMS * Math.min(ITEM_BYTES, answerBytes([...(selected.identity?.ofRecord ?? []), ...selected.properties]))
      )
  }
}

/** The number of rows that may be visited within `units`: at most `most`, with at most `rows` of them answered. */
export function visitsWithin({ visit, answer }: Work, units: number, rows: number, most: number): number {
  const visits = rows * (visit + answer) < units ? (units - rows * answer) / visit : units / (visit + answer)
  // Rounded to few different numbers, because each is in the text of a statement.
  let steps = most
  while (steps > visits && steps >= 1) steps = Math.floor(steps / 2)
  return steps
}

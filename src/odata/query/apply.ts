// The parser of $apply (OData Extension for Data Aggregation 4.0): `groupby` and `aggregate`, with filters before and
// behind them.
import type { AggregateItem, Expression, GroupItem } from '../../query/parse/tree.ts'
import { parseCondition } from './expressions.ts'
import { parsePath } from './paths.ts'
import { Scanner } from './scanner.ts'

const MAX_GROUPS = 8
/** Each of different values keeps all values of a group. */
const MAX_AGGREGATES = 20

const WITH = /[ \t]+with[ \t]+/y
const AS = /[ \t]+as[ \t]+/y
const FROM = /[ \t]+from[ \t]/y
const COUNT = /\$count(?![\w])/y
const METHODS: Readonly<Record<string, string>> = {
  sum: 'sum',
  min: 'min',
  max: 'max',
  average: 'average',
  countdistinct: 'countDistinct',
}
const LATER_STEP = /[a-z]+\(/y

interface AppliedSteps {
  /** The condition on records. */
  readonly filter: Expression | undefined
  readonly groupBy: readonly GroupItem[]
  readonly aggregate: readonly AggregateItem[]
  /** The condition on groups. */
  readonly having: Expression | undefined
}

export function parseApply(text: string): AppliedSteps {
  const scanner = new Scanner('apply', text)
  const filter = conditionStep(scanner)
  if (filter && scanner.isAtEnd) throw scanner.unsupported('filter without groupby or aggregate')
  if (filter) scanner.require('/')
  const { groupBy, aggregate } = groupStep(scanner)
  const having = scanner.take('/') ? conditionStep(scanner) : undefined
  if (!scanner.isAtEnd && scanner.match(LATER_STEP)) throw scanner.unsupported('another step behind groupby')
  if (!scanner.isAtEnd && scanner.take('/')) throw scanner.unsupported('another step behind groupby')
  scanner.requireEnd()
  return { filter, groupBy, aggregate, having }
}

function conditionStep(scanner: Scanner): Expression | undefined {
  if (!scanner.take('filter(')) return undefined
  scanner.blanks()
  const condition = parseCondition(scanner)
  scanner.blanks()
  scanner.require(')')
  return condition
}

function groupStep(scanner: Scanner): Pick<AppliedSteps, 'groupBy' | 'aggregate'> {
  if (scanner.take('aggregate(')) return { groupBy: [], aggregate: aggregatesToEnd(scanner) }
  if (!scanner.take('groupby(')) throw otherStep(scanner)
  scanner.blanks()
  scanner.require('(')
  const groupBy = list(scanner, MAX_GROUPS, () => {
    if (scanner.sees('rollup(')) throw scanner.unsupported('rollup')
    return { path: parsePath(scanner), description: undefined }
  })
  scanner.require(')')
  scanner.blanks()
  if (!scanner.take(',')) {
    scanner.require(')')
    return { groupBy, aggregate: [] }
  }
  scanner.blanks()
  if (!scanner.take('aggregate(')) throw otherStep(scanner)
  const aggregate = aggregatesToEnd(scanner)
  scanner.blanks()
  scanner.require(')')
  return { groupBy, aggregate }
}

function otherStep(scanner: Scanner): Error {
  const { position } = scanner
  const name = scanner.match(/[A-Za-z_.]+(?=\(|$|\/)/y)?.[0]
  return name === undefined
    ? scanner.expected('filter, groupby or aggregate')
    : scanner.unsupported(`the transformation ${name}`, position)
}

function aggregatesToEnd(scanner: Scanner): readonly AggregateItem[] {
  const items = list(scanner, MAX_AGGREGATES, () => aggregateItem(scanner))
  scanner.require(')')
  return items
}

function list<Item>(scanner: Scanner, most: number, read: () => Item): readonly Item[] {
  const items: Item[] = []
  do {
    scanner.blanks()
    if (items.length === most) throw scanner.error(`more than ${most} items`)
    items.push(read())
    scanner.blanks()
  } while (scanner.take(','))
  return items
}

function aggregateItem(scanner: Scanner): AggregateItem {
  const { position } = scanner
  if (scanner.match(COUNT)) return { name: 'count', position, path: undefined, alias: requireAlias(scanner) }
  if (scanner.sees('(') || scanner.sees("'")) throw scanner.unsupported('an expression that is no path')
  const path = parsePath(scanner)
  if (scanner.match(FROM)) throw scanner.unsupported('from')
  if (!scanner.match(WITH)) {
    if (scanner.sees(',') || scanner.sees(')') || scanner.match(AS)) throw scanner.expected('with and a method')
    throw scanner.unsupported('an expression that is no path', position)
  }
  const start = scanner.position
  const method = scanner.requireName('a method, such as sum').text
  if (scanner.sees('.')) throw scanner.unsupported('a custom method', start)
  const name = Object.hasOwn(METHODS, method) ? METHODS[method] : undefined
  if (name === undefined) throw scanner.unsupported(`the method ${method}`, start)
  if (scanner.match(FROM)) throw scanner.unsupported('from')
  return { name, position, path, alias: requireAlias(scanner) }
}

function requireAlias(scanner: Scanner): AggregateItem['alias'] {
  if (!scanner.match(AS)) throw scanner.expected("'as' and a name")
  const { text, position } = scanner.requireName('a name')
  return { name: text, position }
}

// Runs a file of ABNF test cases of OData (YAML, as OASIS publishes them) through the parsers: `node
// test/support/odata/abnf-cases.ts FILE [RULE…]`. Legal texts are parsed, or refused as not supported; all others are refused
// as wrong. Prints what is otherwise, and a count by rule.
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { Problem } from '../../../src/errors/problem.ts'
import { parseApply } from '../../../src/odata/query/apply.ts'
import { parseCondition } from '../../../src/odata/query/expressions.ts'
import { parseExpand, parseOrderBy, parseSelect } from '../../../src/odata/query/lists.ts'
import { countIn, readODataOptions, rowsIn } from '../../../src/odata/query/options.ts'
import { parseSearch } from '../../../src/odata/query/plan.ts'
import { refusing } from '../../../src/odata/query/refusals.ts'
import { Scanner } from '../../../src/odata/query/scanner.ts'

export interface AbnfCase {
  readonly Name: string
  readonly Rule: string
  readonly Input: string
  /** Where a text that is not legal fails. */
  readonly FailAt?: number
}

type Outcome = 'parsed' | 400 | 501 | 'crashed'

/** Rules whose texts are query strings. */
const QUERIES = ['queryOptions', 'systemQueryOption', 'customQueryOption', 'filter', 'expand', 'select', 'orderby']
const MORE_QUERIES = ['orderBy', 'search', 'compute', 'skiptoken']
const CONDITIONS = ['boolCommonExpr', 'commonExpr', 'firstMemberExpr', 'propertyPathExpr', 'isofExpr', 'notExpr']

/** What becomes of the text of a case; undefined where the rule is of no concern to query options. */
export function outcomeOf(one: AbnfCase): Outcome | undefined {
  const run = parserOf(one)
  if (!run) return undefined
  try {
    refusing(run)
    return 'parsed'
  } catch (error) {
    if (error instanceof Problem && (error.status === 400 || error.status === 501)) return error.status
    console.error(error)
    return 'crashed'
  }
}

/** With what the text of a case is refused. */
export function refusalOf(one: AbnfCase): { readonly status: number; readonly text: string } {
  try {
    refusing(() => parserOf(one)?.())
  } catch (error) {
    if (error instanceof Problem) return { status: error.status, text: error.message }
    throw error
  }
  return { status: 200, text: '' }
}

function parserOf({ Rule: rule, Input: input }: AbnfCase): (() => void) | undefined {
  if (QUERIES.includes(rule) || MORE_QUERIES.includes(rule)) return () => parseQuery(input)
  if (CONDITIONS.includes(rule)) return () => condition(decoded(input))
  if (rule === 'searchExpr') return () => parseSearch(decoded(input))
  if (rule !== 'odataRelativeUri' && rule !== 'odataUri') return undefined
  const mark = input.indexOf('?')
  return mark < 0 || input.startsWith('$') ? undefined : () => parseQuery(input.slice(mark + 1))
}

function parseQuery(text: string): void {
  const pairs = text.split('&').map((pair): [string, string] => {
    const equals = pair.indexOf('=')
    return equals < 0 ? [decoded(pair), ''] : [decoded(pair.slice(0, equals)), decoded(pair.slice(equals + 1))]
  })
  const options = readODataOptions(pairs)
  rowsIn(options, 'top')
  rowsIn(options, 'skip')
  countIn(options)
  if (options.filter !== undefined) condition(options.filter)
  if (options.select !== undefined) parseSelect(options.select)
  if (options.orderby !== undefined) parseOrderBy(options.orderby)
  if (options.expand !== undefined) parseExpand(options.expand)
  if (options.search !== undefined) parseSearch(options.search)
  if (options.apply !== undefined) parseApply(options.apply)
}

function condition(text: string): void {
  const scanner = new Scanner('filter', text)
  parseCondition(scanner)
  scanner.requireEnd()
}

const decoded = (text: string) => decodeURIComponent(text)

function main([file = '', ...rules]: readonly string[]): void {
  const { TestCases: cases } = parse(readFileSync(file, 'utf8')) as { TestCases: AbnfCase[] }
  const counts = new Map<string, Map<string, number>>()
  for (const one of cases) {
    if (rules.length > 0 && !rules.includes(one.Rule)) continue
    const result = outcomeOf(one)
    if (result === undefined) continue
    const kind = `${one.FailAt === undefined ? 'legal' : 'wrong'} ${result}`
    const ofRule = counts.get(one.Rule) ?? new Map<string, number>()
    counts.set(one.Rule, ofRule.set(kind, (ofRule.get(kind) ?? 0) + 1))
    if (kind === 'legal 400' || kind === 'wrong parsed' || result === 'crashed') {
      console.log(`${kind}: ${one.Rule}: ${one.Name}: ${one.Input}`)
    }
  }
  for (const [rule, ofRule] of counts) console.log(rule, Object.fromEntries([...ofRule].sort()))
}

if (import.meta.main) main(process.argv.slice(2))

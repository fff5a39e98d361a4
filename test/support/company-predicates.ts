// Checks that a statement restricts every table of records to a company: each reference to one has the company as a
// parameter or a literal of its own, never as the company of another table. A distributed database finds the one node
// with all the rows by that, and a forgotten join shows no other company.

import { isRecordTable, TABLE_NAMES } from '../../src/sql/tables.ts'

/** The tables that are of no company, each with the reason why statements on it name none. */
export const SERVICE_WIDE: Readonly<Record<string, string>> = {
  answer: 'the cursor of a query on PostgreSQL',
  client_usage: 'a client is of the service, and its usage is shared by all of its companies',
  document_words: 'the words of SQLite: found by the word of the company, and joined to its rows by their number',
  pragma_table_info: 'the columns of a table, not its rows',
  service_secret: 'the keys of the service itself',
  serving_process: 'the processes that serve one database',
  session: 'a person signs in to the service',
  setup_item: 'read whole when a setup comes into force',
  setup_version: 'one row: which setup is in force',
  slow_query: 'shapes of questions without values',
}
/** Parts of a text index: they hold keys, found by hashes or numbers of the company. */
const TEXT_INDEX = /^setup_text_/
const TENANT_TABLES = new Set(TABLE_NAMES.filter((name) => !(name in SERVICE_WIDE)))

/** SQLite has one full-text index for the documents of all companies; a document's position in it is never reported. */
const NEXT_IN_INDEX = '(select coalesce(max(search_no), 0) + 1 from document_text)'

const COMPANY = 'company_id'

type Token = string

/** Tokens: quoted names (`"a"."b"`), words, numbers and symbols; a string literal is one token. */
function tokensOf(sql: string): Token[] {
  const found = sql.match(/'(?:[^']|'')*'|"[^"]*"|\$\d+|\?\d*|[A-Za-z_][A-Za-z0-9_]*|[<>=!]+|\S/g) ?? []
  return found.map((token) => (token.startsWith('"') ? token.slice(1, -1) : token.toLowerCase()))
}

/** A select or change with its tokens, in which each subselect in brackets is one token. */
type Scope = Token[]

const SUBSELECT = '(select)'

/** The tables of a statement that are not restricted to a company by themselves, as `table alias`. */
export function tablesWithoutCompany(sql: string): string[] {
  // PostgreSQL statements cast a placeholder or a literal to a type, in brackets.
  const tokens = tokensOf(sql.replace(NEXT_IN_INDEX, '?').replace(/(?<!\w)\((\$\d+|'(?:[^']|'')*')::[^()]*\)/g, '$1'))
  const defined = commonTables(tokens)
  return scopesOf(tokens).flatMap((scope) => unrestricted(scope, defined))
}

/** The names of common table expressions: the tables inside them are those of scopes of their own. */
function commonTables(tokens: readonly Token[]): Set<string> {
  const named = tokens.flatMap((token, at) => {
    const isFirst = token === 'as' && (tokens[at + 1] === '(' || tokens[at + 1] === 'materialized')
    if (!isFirst) return []
    const before = tokens[at - 1] ?? ''
    // The columns may stand between: `given(body) as (…`.
    return before === ')' ? (tokens[tokens.lastIndexOf('(', at) - 1] ?? '') : before
  })
  return new Set(named)
}

/** A bracket that starts with select is a scope of its own, and so is each further select of a union. */
function scopesOf(tokens: readonly Token[]): Scope[] {
  const all: Scope[] = [[]]
  const open: Scope[] = [all[0] as Scope]
  for (const [at, token] of tokens.entries()) {
    const scope = open.at(-1) as Scope
    if (token === '(') {
      const isOwn = tokens[at + 1] === 'select'
      scope.push(isOwn ? SUBSELECT : token)
      open.push(isOwn ? opened(all) : scope)
    } else if (token === ')') {
      const closed = open.pop()
      if (closed === open.at(-1)) closed?.push(token)
    } else if (token === 'union') open[open.length - 1] = opened(all)
    else scope.push(token)
  }
  return all
}

function opened(all: Scope[]): Scope {
  const scope: Scope = []
  all.push(scope)
  return scope
}

function unrestricted(scope: Scope, defined: ReadonlySet<string>): string[] {
  const selects = scope.indexOf('select')
  if (scope[0] === 'insert' && selects > 0) {
    const head = insertsCompany(scope) ? [] : unrestricted(scope.slice(0, selects), defined)
    return [...head, ...unrestricted(scope.slice(selects), defined)]
  }
  const tables = referencesIn(scope)
  const restricted = new Set(termsIn(scope).map((one) => companyOf(one, tables)))
  if (insertsCompany(scope)) restricted.add(tables[0]?.alias)
  return tables
    .filter(({ table }) => !defined.has(table) && !(table in SERVICE_WIDE) && !TEXT_INDEX.test(table))
    .filter(({ table, alias }) => !restricted.has(alias) || !(TENANT_TABLES.has(table) || isRecordTable(table)))
    .map(({ table, alias }) => `${table} ${alias}`)
}

interface Reference {
  readonly table: string
  readonly alias: string
  /** Its position in the tokens. */
  readonly at: number
}

/** Keywords that start a clause; a comma is followed by a table only in the first. */
const CLAUSES = new Set(['from', 'where', 'select', 'set', 'order', 'group', 'having', 'values', 'returning', 'on'])
const ENDS = new Set(['where', 'on', 'set', 'left', 'inner', 'cross', 'join', 'order', 'group', 'limit', 'returning'])
const NO_ALIAS = new Set([...ENDS, 'using', 'values', 'indexed', 'not', 'select', 'having'])

/** The tables that a scope names; functions and subselects are none. */
function referencesIn(scope: Scope): Reference[] {
  let clause = ''
  let depth = 0
  return scope.flatMap((token, at) => {
    if (token === '(') depth += 1
    else if (token === ')') depth -= 1
    else if (depth === 0 && CLAUSES.has(token)) clause = token
    const before = scope[at - 1] ?? ''
    const isNamed = ['from', 'join', 'update', 'into'].includes(before) || (before === ',' && clause === 'from')
    // `do update set` is of an insert, and `is distinct from` of no table.
    if (!isNamed || depth > 0 || !/^[\w #]+$/.test(token) || scope[at - 2] === 'distinct') return []
    if (token === 'set' || token === 'lateral') return []
    if (scope[at + 1] === '(' && before !== 'into') return []
    const next = scope[at + 1] === 'as' ? scope[at + 2] : scope[at + 1]
    const isAlias = next !== undefined && /^\w+$/.test(next) && !NO_ALIAS.has(next)
    return [{ table: token, alias: isAlias ? next : token, at }]
  })
}

/** A condition that every row meets. */
interface Term {
  readonly tokens: readonly Token[]
  /** The position of the ON clause that it is of, which restricts the joined table alone. */
  readonly joinedAt: number | undefined
}

function termsIn(scope: Scope): Term[] {
  const terms: Term[] = []
  let depth = 0
  for (const [at, token] of scope.entries()) {
    if (token === '(') depth += 1
    else if (token === ')') depth -= 1
    if (depth > 0 || (token !== 'where' && token !== 'on')) continue
    const joinedAt = token === 'on' ? at : undefined
    for (const tokens of conjuncts(clauseAfter(scope, at))) terms.push({ tokens, joinedAt })
  }
  return terms
}

function clauseAfter(scope: Scope, start: number): Token[] {
  let depth = 0
  const end = scope.findIndex((token, at) => {
    if (at <= start) return false
    if (token === '(') depth += 1
    else if (token === ')') depth -= 1
    return depth === 0 && ENDS.has(token)
  })
  return scope.slice(start + 1, end < 0 ? undefined : end)
}

/** None where the condition is an alternative of others. */
function conjuncts(tokens: readonly Token[]): Token[][] {
  const parts: Token[][] = [[]]
  let depth = 0
  for (const token of tokens) {
    if (token === '(') depth += 1
    else if (token === ')') depth -= 1
    if (depth === 0 && token === 'or') return []
    if (depth === 0 && token === 'and') parts.push([])
    else parts.at(-1)?.push(token)
  }
  return parts
}

/** The alias that a term restricts to a company: `alias.company_id = ?`. */
function companyOf({ tokens, joinedAt }: Term, tables: readonly Reference[]): string | undefined {
  const alias = tokens[1] === '.' ? tokens[0] : tables.length === 1 ? tables[0]?.alias : undefined
  const [column, sign, value, ...rest] = tokens[1] === '.' ? tokens.slice(2) : tokens
  if (column !== COMPANY || sign !== '=' || !isValue(value) || rest.length > 0) return undefined
  const joined = tables.findLast(({ at }) => joinedAt !== undefined && at < joinedAt)
  return joined && joined.alias !== alias ? undefined : alias
}

function isValue(token: Token | undefined): boolean {
  return token !== undefined && /^(\?\d*|\$\d+|'.*')$/.test(token)
}

/** Whether an insert has a parameter or literal as the company: `insert into t (company_id, …) values (?, …` or select. */
function insertsCompany(scope: Scope): boolean {
  if (scope[0] !== 'insert') return false
  const start = scope.indexOf('(')
  const end = scope.indexOf(')')
  const columns = scope.slice(start + 1, end).filter((token) => token !== ',')
  const values = scope.slice(end + (scope[end + 1] === 'values' ? 3 : 2))
  return isValue(itemsOf(values)[columns.indexOf(COMPANY)])
}

/** The first token of each item of a list, or of none that is longer. */
function itemsOf(tokens: readonly Token[]): Token[] {
  const items: Token[][] = [[]]
  let depth = 0
  for (const token of tokens) {
    if (token === '(') depth += 1
    else if (token === ')') depth -= 1
    if (depth < 0 || token === 'from') break
    if (depth === 0 && token === ',') items.push([])
    else items.at(-1)?.push(token)
  }
  return items.map((item) => (item.length === 1 ? (item[0] ?? '') : item.join(' ')))
}

// Checks that a statement restricts every table of records to a company: by a placeholder, or by joining the company of
// another table that is restricted.

import { TABLE_NAMES } from '../../src/store/tables.ts'

/** Tables without company data: usage counters, and the setup, which is read completely when it comes into force. */
const OTHERS = new Set([
  'client_usage',
  'service_secret',
  'session',
  'setup_item',
  'setup_version',
  'serving_process',
  'slow_query',
])
/** Includes the table of the test setup's custom document. */
const TENANT_TABLES = new Set([...TABLE_NAMES.filter((name) => !OTHERS.has(name)), 'own_work_orders'])

/** SQLite has one full-text index for the documents of all companies; a document's position in it is never reported. */
const NEXT_IN_INDEX = '(select coalesce(max(search_no), 0) + 1 from document_text)'

type Token = string

/** Tokens: quoted names (`"a"."b"`), words, numbers and symbols; a string literal is one token. */
function tokensOf(sql: string): Token[] {
  const found = sql.match(/'(?:[^']|'')*'|"[^"]*"|\$\d+|[A-Za-z_][A-Za-z0-9_]*|[<>=!]+|\S/g) ?? []
  return found.map((token) => (token.startsWith('"') ? token.slice(1, -1) : token.toLowerCase()))
}

/** A select, update or delete with its tokens, without those of its subselects. */
interface Scope {
  readonly tokens: Token[]
  readonly outer: Scope | undefined
  /** Alias -> table name. */
  readonly tables: Map<string, string>
  /** The subselects in brackets, in their order; a token `subselect` stands for each. */
  readonly inner: Scope[]
  /** Alias -> the subselect that is used as a table. */
  readonly derived: Map<string, Scope>
}

function newScope(outer: Scope | undefined): Scope {
  return { tokens: [], outer, tables: new Map(), inner: [], derived: new Map() }
}

/** The tables of a statement that are not restricted to a company, as `table alias`. */
export function tablesWithoutCompany(sql: string): string[] {
  // PostgreSQL statements cast a placeholder to a type, in brackets.
  const scopes = scopesOf(tokensOf(sql.replace(NEXT_IN_INDEX, '?').replace(/\((\$\d+)::[^()]*\)/g, '$1')))
  for (const scope of scopes) readTables(scope)
  const said = boundAliases(scopes)
  return scopes.flatMap((scope) =>
    [...scope.tables].filter(([alias]) => !said.has(nameIn(scope, alias))).map(([alias, table]) => `${table} ${alias}`),
  )
}

/**
 * A bracket that starts with select is a scope of its own; the tokens of other brackets belong to the enclosing scope.
 */
function scopesOf(tokens: readonly Token[]): Scope[] {
  const first = newScope(undefined)
  const all = [first]
  const open: Scope[] = [first]
  tokens.forEach((token, at) => {
    const scope = open.at(-1) ?? first
    if (token === '(') {
      const isOwn = tokens[at + 1] === 'select'
      if (!isOwn) scope.tokens.push(token)
      const inner = isOwn ? newScope(scope) : scope
      if (isOwn) all.push(inner)
      open.push(inner)
    } else if (token === ')') {
      const closed = open.pop()
      const around = open.at(-1) ?? first
      around.tokens.push(closed === around ? ')' : 'subselect')
      if (closed && closed !== around) around.inner.push(closed)
    } else if (token === 'union') {
      // The next select of a union is a scope of its own.
      const next = newScope(scope.outer)
      all.push(next)
      open[open.length - 1] = next
    } else scope.tokens.push(token)
  })
  return all
}

const BEFORE_TABLE = new Set(['from', 'join', 'update'])
/** Keywords that start a clause; a comma is followed by a table only in the first. */
const CLAUSES = new Set(['from', 'where', 'select', 'set', 'order', 'group', 'values', 'returning', 'on', 'into'])
const NO_ALIAS = new Set([
  'where',
  'on',
  'set',
  'left',
  'join',
  'inner',
  'cross',
  'order',
  'group',
  'limit',
  'returning',
  'using',
  'values',
  'indexed',
  'not',
])

function readTables({ tokens, tables, inner, derived }: Scope): void {
  let clause = ''
  let subselects = 0
  tokens.forEach((token, at) => {
    if (CLAUSES.has(token)) clause = token
    const subselect = token === 'subselect' ? inner[subselects++] : undefined
    const before = tokens[at - 1] ?? ''
    const isTable = BEFORE_TABLE.has(before) || (before === ',' && clause === 'from')
    if (!isTable || !(subselect || TENANT_TABLES.has(token))) return
    const next = tokens[at + 1] === 'as' ? tokens[at + 2] : tokens[at + 1]
    const isAlias = next !== undefined && /^[a-z_]\w*$/i.test(next) && !NO_ALIAS.has(next)
    if (!subselect) tables.set(isAlias ? next : token, token)
    else if (isAlias) derived.set(next, subselect)
  })
}

/** Aliases that are bound to a placeholder, or to another bound alias. */
function boundAliases(scopes: readonly Scope[]): Set<string> {
  const said = new Set<string>()
  for (let before = -1; before < said.size; ) {
    before = said.size
    for (const scope of scopes) {
      for (const [alias, subselect] of scope.derived) {
        if (answersCompany(subselect, said)) said.add(nameIn(scope, alias))
      }
      scope.tokens.forEach((token, at) => {
        if (token !== 'company_id') return
        const left = ownerAt(scope, at)
        const sign = scope.tokens[at + 1]
        if (!left || sign !== '=') return
        const value = scope.tokens[at + 2] ?? ''
        if (/^(\?|\$\d+|'.*')$/.test(value)) said.add(left)
        // The other side is a column: `other.company_id`.
        if (scope.tokens[at + 3] === '.' && scope.tokens[at + 4] === 'company_id') {
          const right = nameIn(scope, value)
          if (said.has(right)) said.add(left)
          if (said.has(left)) said.add(right)
        }
      })
    }
  }
  return said
}

/** Whether a subselect returns a company and restricts all its tables to one. */
function answersCompany(scope: Scope, said: ReadonlySet<string>): boolean {
  const { tokens, tables, derived } = scope
  const aliases = [...tables.keys(), ...derived.keys()]
  const isAnswered = tokens.slice(0, tokens.indexOf('from')).includes('company_id')
  return isAnswered && aliases.every((alias) => said.has(nameIn(scope, alias)))
}

/** The alias whose `company_id` stands at this token, or the scope's only table. */
function ownerAt(scope: Scope, at: number): string | undefined {
  if (scope.tokens[at - 1] === '.') return nameIn(scope, scope.tokens[at - 2] ?? '')
  const [only] = scope.tables.keys()
  return only === undefined ? undefined : nameIn(scope, only)
}

/** An alias qualified by its scope, as the same alias may occur in several. */
function nameIn(scope: Scope, alias: string): string {
  for (let around: Scope | undefined = scope; around; around = around.outer) {
    if (around.tables.has(alias) || around.derived.has(alias)) return `${idOf(around)} ${alias}`
  }
  return `? ${alias}`
}

const ids = new WeakMap<Scope, number>()
let counted = 0
function idOf(scope: Scope): number {
  const known = ids.get(scope) ?? counted++
  ids.set(scope, known)
  return known
}

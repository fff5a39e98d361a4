// A plan to one statement in which the database itself makes the answer's text. Identifiers come from the definition
// alone; every value of the query text is a bound parameter.
import type { DocumentDefinition, JsonList, Properties } from '../../model/document.ts'
import type { BoundExpression, BoundProperty } from '../../query/bound.ts'
import type { Plan } from '../../query/plan.ts'
import type { SelectedProperty } from '../../query/plan-select.ts'
import type { AnswerForm, CompiledQuery, Scope } from '../store.ts'
import { FilterCompiler } from './compile-filter.ts'
import { Emitter } from './emitter.ts'
import type { Expressions, JsonCell, JsonMember } from './expressions.ts'
import { reachOf } from './reach.ts'
import { Rows } from './rows.ts'
import { whereOf } from './where.ts'

export interface QueryWish {
  /** Of descriptions: one that the company's value lists have. */
  readonly language?: string
  readonly form?: AnswerForm
  /** The limit where the plan has none. */
  readonly cap?: number | undefined
}

/** The rows of a plan within a scope. */
export function compileCollection(
  plan: Plan,
  scope: Scope,
  engine: Expressions,
  { language = '', form = 'array', cap }: QueryWish = {},
): CompiledQuery {
  const emitter = new Emitter(engine, language)
  const rows = Rows.of(plan.definition, emitter)
  const members = plan.select.map((selected) => memberOf(selected, rows, emitter))
  const most = plan.limit ?? cap
  const from = engine.selectsBeforeLimit
    ? fromPage(rows, pageOf(plan, scope, most, Rows.of(plan.definition, emitter), emitter), emitter)
    : `from ${textOf(pageOf(plan, scope, most, rows, emitter))}`
  const text =
    form === 'array'
      ? engine.jsonArray(members, from)
      : form === 'rows'
        ? engine.jsonRows(members, from)
        : engine.cells(flat(members), from)
  const answered = most ?? Number.POSITIVE_INFINITY
  const reach = reachOf(plan.definition, scope, plan.filter, engine, answered + plan.offset)
  return { text, parameters: emitter.parameters, answered, reach }
}

/** Which rows are answered and in which order. */
interface Page {
  readonly rows: Rows
  readonly where: string
  readonly order: readonly { readonly sql: string; readonly direction: string }[]
  /** Limit and offset. */
  readonly window: string
}

function pageOf(plan: Plan, scope: Scope, most: number | undefined, rows: Rows, emitter: Emitter): Page {
  const filters = new FilterCompiler(emitter, rows)
  const where = whereOf(emitter, rows, filters, scope, plan.filter)
  const order = plan.order
    .filter(({ by }) => !isSameForAll(by, scope))
    .map(({ by, isDescending }) => ({ sql: filters.property(by).sql, direction: isDescending ? ' desc' : '' }))
  const limit = most === undefined ? emitter.engine.unlimited : ` limit ${emitter.bind(most, 'integer')}`
  return { rows, where, order, window: `${limit} offset ${emitter.bind(plan.offset, 'integer')}` }
}

/** What is the same for every row decides no order; as a number, SQL would take a constant for the place of a column. */
function isSameForAll({ property: { source }, place }: BoundProperty, scope: Scope): boolean {
  if ('constant' in source) return true
  if (!('column' in source) || source.table !== undefined || place.via.length > 0) return false
  return scope.some(([column, value]) => column === source.column && !Array.isArray(value))
}

function textOf({ rows, where, order, window }: Page): string {
  return `${rows.from.text()} ${where}${orderBy(order.map(({ sql, direction }) => sql + direction))}${window}`
}

function orderBy(terms: readonly string[]): string {
  return terms.length === 0 ? '' : ` order by ${terms.join(', ')}`
}

/**
 * The page is found in a select of its own, which reads plain columns; `rows` are its rows. What joins them to others
 * may put them into another order, so that what they are ordered by comes along.
 */
function fromPage(rows: Rows, page: Page, { engine: { quote } }: Emitter): string {
  const named = (rows.from.hasJoins ? page.order : []).map((one, at) => {
    return { ...one, name: quote(unusedName(`order${at + 1}`, rows.columns)) }
  })
  const columns = [...rows.columns].map((column) => `${page.rows.alias}.${quote(column)}`)
  const selected = [...columns, ...named.map(({ sql, name }) => `${sql} as ${name}`)].join(', ')
  const order = named.map(({ name, direction }) => `${rows.alias}.${name}${direction}`)
  return `from ${rows.from.text(`(select ${selected} from ${textOf(page)}) ${rows.alias}`)}${orderBy(order)}`
}

/** A table that is not ours may call its columns anything. */
function unusedName(name: string, used: ReadonlySet<string>): string {
  return used.has(name) ? unusedName(`${name}_`, used) : name
}

/** How many rows a filter leaves within a scope: one row with one column. */
export function compileCount(
  definition: DocumentDefinition,
  filter: BoundExpression | undefined,
  scope: Scope,
  engine: Expressions,
): CompiledQuery {
  const emitter = new Emitter(engine, '')
  const rows = Rows.of(definition, emitter)
  const where = whereOf(emitter, rows, new FilterCompiler(emitter, rows), scope, filter)
  const text = `select count(*) as total from ${rows.from.text()} ${where}`
  const reach = reachOf(definition, scope, filter, engine, Number.POSITIVE_INFINITY)
  return { text, parameters: emitter.parameters, answered: 1, reach }
}

/** The columns of an answer in cells: groups are written `group.property`. */
export function cellsOf(select: readonly SelectedProperty[]): { name: string; isText: boolean }[] {
  return select.flatMap((selected) => {
    const { kind, name } = selected
    if (kind === 'group' || kind === 'association') {
      return cellsOf(selected.properties).map((cell) => ({ ...cell, name: `${name}.${cell.name}` }))
    }
    const isText = kind !== 'value' || selected.property.type === 'string' || selected.property.type === 'date-time'
    return [{ name, isText }]
  })
}

function memberOf(selected: SelectedProperty, rows: Rows, emitter: Emitter): JsonMember {
  const { name } = selected
  switch (selected.kind) {
    case 'value': {
      const { source, type } = selected.property
      return { name, sql: rows.column(source, type).sql, type }
    }
    case 'description':
      return { name, sql: rows.description(selected.property), type: 'string' }
    case 'group':
      return { name, members: selected.properties.map((inner) => memberOf(inner, rows, emitter)) }
    case 'association': {
      const other = rows.along(selected.association)
      return { name, members: selected.properties.map((inner) => memberOf(inner, other, emitter)) }
    }
    case 'list':
      return { name, sql: listOf(selected, rows, emitter), type: 'json' }
  }
}

function listOf(
  { list, properties }: Extract<SelectedProperty, { kind: 'list' }>,
  outer: Rows,
  emitter: Emitter,
): string {
  const { engine } = emitter
  // What is stored is the whole list as JSON already: no need to take it apart.
  if ('json' in list.from && isWhole(properties, list.properties)) {
    return engine.storedList(outer.storedList(list.from as JsonList))
  }
  const { rows, condition, orderBy } = outer.items(list)
  const members = properties.map((inner) => memberOf(inner, rows, emitter))
  return engine.list(members, `from ${rows.from.text()} where ${condition} order by ${orderBy}`)
}

/** Whether everything is selected, under its own name and in its order. */
function isWhole(selected: readonly SelectedProperty[], properties: Properties): boolean {
  const names = Object.keys(properties)
  if (selected.length !== names.length) return false
  return selected.every((one, at) => {
    const property = properties[names[at] ?? '']
    if (one.name !== names[at] || !property || one.kind !== property.kind) return false
    return one.kind !== 'group' || (property.kind === 'group' && isWhole(one.properties, property.properties))
  })
}

function flat(members: readonly JsonMember[]): JsonCell[] {
  return members.flatMap((member) => ('members' in member ? flat(member.members) : [member]))
}

// A query of the service, and the hand-written SQL by which a floor answers it from its own tables.
import type { Random } from '../records/random.ts'
import type { Scale } from '../records/scale.ts'

export type Parameters = Readonly<Record<string, string | number>>

/** An SQL expression, a flag stored as 0 or 1, JSON stored as text, or a list by a subquery. */
export type Member = string | readonly ['flag' | 'json', string] | readonly ['list', Members, string] | Members

/** The members of a record; a group is a nested object. */
export interface Members {
  readonly [name: string]: Member
}

export interface Question {
  readonly name: string
  readonly answer: 'record' | 'list' | 'count'
  /** The number of connections, if not the default. */
  readonly connections?: number
  /** Draws random parameters. */
  readonly ask: (random: Random, scale: Scale) => Parameters
  /** The path and query string for the service. */
  readonly service: (asked: Parameters) => string
  readonly select: Members
  /** The statement from its `from` on; `:name` is a parameter. */
  readonly from: string
  /** The indexes that the floor needs beside the keys of its tables. */
  readonly indexes?: readonly string[]
}

/** The JSON functions of a database. */
export interface Dialect {
  readonly object: string
  array(object: string): string
  flag(expression: string): string
  json(expression: string): string
  parameter(no: number): string
}

export const SQLITE: Dialect = {
  object: 'json_object',
  array: (object) => `json_group_array(${object})`,
  flag: (expression) => `json(iif(${expression}, 'true', 'false'))`,
  json: (expression) => `json(${expression})`,
  parameter: () => '?',
}

export const POSTGRES: Dialect = {
  object: 'json_build_object',
  array: (object) => `coalesce(json_agg(${object}), '[]')`,
  flag: (expression) => `(${expression} <> 0)`,
  json: (expression) => `${expression}::json`,
  parameter: (no) => `$${no}`,
}

export interface Statement {
  readonly text: string
  /** The names of the parameters in the order of the statement. */
  readonly parameters: readonly string[]
}

/** A statement with one value: the JSON of the response, or the count. JSON made by the database was fastest. */
export function statementOf({ answer, select, from }: Question, dialect: Dialect): Statement {
  if (answer === 'count') return numbered(`select count(*) ${from}`, dialect)
  if (answer === 'record') return numbered(`select ${objectOf(select, dialect)} ${from}`, dialect)
  // A subquery finds the rows first, so that no JSON is made for rows that are only sorted or skipped.
  const columns: string[] = []
  const object = objectOf(named(select, columns, dialect), dialect)
  return numbered(`select ${dialect.array(object)} from (select ${columns.join(', ')} ${from}) found`, dialect)
}

function objectOf(members: Members, dialect: Dialect): string {
  const parts = Object.entries(members).map(([name, member]) => `'${name}', ${expressionOf(member, dialect)}`)
  return `${dialect.object}(${parts.join(', ')})`
}

function expressionOf(member: Member, dialect: Dialect): string {
  if (typeof member === 'string') return member
  if (!isForm(member)) return objectOf(member, dialect)
  if (member[0] === 'list') return `(select ${dialect.array(objectOf(member[1], dialect))} ${member[2]})`
  return dialect[member[0]](member[1])
}

const isForm = (member: Exclude<Member, string>): member is Exclude<Member, string | Members> => Array.isArray(member)

/** Selects each member as a column, and replaces the member by the name of that column. */
function named(members: Members, columns: string[], dialect: Dialect): Members {
  const rename = (member: Member): Member => {
    if (typeof member !== 'string' && !isForm(member)) return named(member, columns, dialect)
    const name = `c${columns.length}`
    const [form, expression] = typeof member === 'string' ? ['', member] : member
    columns.push(`${form === 'list' ? expressionOf(member, dialect) : expression} as ${name}`)
    if (form === 'list') return ['json', name]
    return typeof member === 'string' ? name : ([form, name] as Member)
  }
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, rename(member)]))
}

function numbered(text: string, dialect: Dialect): Statement {
  const parameters: string[] = []
  const numberedText = text.replaceAll(/(?<!:):(\w+)/g, (_, name: string) => dialect.parameter(parameters.push(name)))
  return { text: numberedText, parameters }
}

/** The path of an object endpoint. */
export function objects(document: string, options: Parameters): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(options)) query.set(name, String(value))
  return `/v1/objects/${document}?${query}`
}

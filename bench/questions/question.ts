// A question, as the service is asked it and as a floor answers it: with SQL written by hand on the floor's own tables.
import type { Random } from '../records/random.ts'
import type { Scale } from '../records/scale.ts'

export type Parameters = Readonly<Record<string, string | number>>

/** An SQL expression; a flag kept as 0 or 1; JSON kept as text; or a list by a subquery from what follows its members. */
export type Member = string | readonly ['flag' | 'json', string] | readonly ['list', Members, string] | Members

/** What an answer is made of; a group is an object within. */
export interface Members {
  readonly [name: string]: Member
}

export interface Question {
  readonly name: string
  readonly answer: 'record' | 'list' | 'count'
  /** By how many it is asked at a time, where not by as many as everything else. */
  readonly connections?: number
  /** Draws what is asked for. */
  readonly ask: (random: Random, scale: Scale) => Parameters
  /** Path and query for the service. */
  readonly service: (asked: Parameters) => string
  readonly select: Members
  /** The statement from its `from` on; `:name` is what is asked for. */
  readonly from: string
  /** What the floor needs beside the keys of its tables. */
  readonly indexes?: readonly string[]
}

/** How the databases differ in JSON. */
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
  /** Names of what is asked for, as the statement takes it. */
  readonly parameters: readonly string[]
}

/** One value in one row: the JSON of the answer, or the count. JSON made by the database was the fastest plain way. */
export function statementOf({ answer, select, from }: Question, dialect: Dialect): Statement {
  if (answer === 'count') return numbered(`select count(*) ${from}`, dialect)
  if (answer === 'record') return numbered(`select ${objectOf(select, dialect)} ${from}`, dialect)
  // The rows are found with plain columns first, so that no JSON is made of what is sorted or skipped.
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

/** Makes each member a column of its own, and puts the column's name in its place. */
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

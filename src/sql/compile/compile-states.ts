// Asks a query of states of records that are in no table: their rows are given as one JSON parameter, and the same
// compiler as for collections makes the conditions and the members of the answer.

import type { DocumentDefinition } from '../../model/document.ts'
import type { BoundExpression } from '../../query/bound.ts'
import type { SelectedProperty } from '../../query/plan-select.ts'
import type { Dialect, JsonMember } from '../dialect.ts'
import { FilterCompiler } from '../rows/compile-filter.ts'
import type { AnswerForm, BoundText, CompiledQuery, KeyFilter } from '../rows/compiled-query.ts'
import { SqlParameters } from '../rows/emitter.ts'
import { GivenRows, type RowState } from '../rows/given-rows.ts'
import { FromClause } from '../rows/rows.ts'
import { whereOf } from '../rows/search.ts'
import { answerBytes, workOf } from '../rows/work.ts'
import { memberOf, statementIn } from './members.ts'

export interface StatesQuery {
  readonly definition: DocumentDefinition
  readonly filter: BoundExpression | undefined
  /** Without the company, which all states have in common. */
  readonly scope: KeyFilter
  /** Empty: only the numbers of the states that meet the conditions are answered. */
  readonly select: readonly SelectedProperty[]
  readonly language: string
}

/** A member of the answer that no property can be called: the number of the state. */
export const STATE_MEMBER = '#'
/** The member with the selected properties of the state. */
export const RECORD_MEMBER = 'record'
/** A given state is a record as it is: few come near the longest that there may be. */
const MOST_ROW_BYTES = 16 * 1024
/** The work of reading a column of a given row, in units of `workOf`. */
const READ_COLUMN = 40

/** A query of states, compiled once for all of them. */
export class CompiledStates {
  readonly #query: StatesQuery
  readonly #dialect: Dialect
  readonly #rows: GivenRows
  readonly #statement: BoundText & Pick<SqlParameters, 'companyAt'>

  constructor(query: StatesQuery, dialect: Dialect, form: AnswerForm) {
    this.#query = query
    this.#dialect = dialect
    this.#rows = new GivenRows(query.definition)
    this.#statement = this.#compile(form)
  }

  /** The query of these states of a company, which are numbered by their order. */
  of(companyId: string, states: readonly RowState[]): CompiledQuery {
    const { select, filter } = this.#query
    const { text, parameters, companyAt } = this.#statement
    const given = this.#rows.parameterOf(states, this.#dialect)
    const query = {
      text,
      parameters: [given, ...parameters.slice(1).map((value, at) => (at + 1 === companyAt ? companyId : value))],
      rows: states.length,
      rowBytes: Math.min(answerBytes(select), MOST_ROW_BYTES),
    }
    if (!this.#dialect.needsScanEstimate) return query
    const { visit, answer } = workOf({ filter, order: [] }, select, false)
    const work = { visit: visit + READ_COLUMN * this.#rows.columnCount, answer }
    return { ...query, scanEstimate: { most: states.length, work, plan: IN_ORDER, edge: () => TOO_MANY } }
  }

  #compile(form: AnswerForm) {
    const { definition, filter, scope, select, language } = this.#query
    const sql = new SqlParameters(this.#dialect, ANY_COMPANY, language, this.#rows)
    const rows = FromClause.of(definition, sql)
    const number = rows.own(this.#rows.stateColumn)
    const members: JsonMember[] = [{ name: STATE_MEMBER, sql: number, type: 'integer' }]
    if (select.length > 0) {
      members.push({ name: RECORD_MEMBER, members: select.map((selected) => memberOf(selected, rows, sql)) })
    }
    const where = whereOf(sql, rows, new FilterCompiler(sql, rows), scope, filter)
    const from = `from ${rows.from.text()} ${where} order by ${number}`
    return { ...statementIn(form, members, from, sql), companyAt: sql.companyAt }
  }
}

/** The statement is the same for every company. */
const ANY_COMPANY = ''
/** Each given row is visited once, in the order of the numbers. */
const IN_ORDER = { isExact: true, isInOrder: true, isCovering: false }
/** What finds an edge: more rows than may be visited are known to be given. */
const TOO_MANY: BoundText = { text: 'select 1', parameters: [] }

// The option `validAt`: the records whose validity, from one property to another, includes a moment.

import { dayOf, parseDateTime } from '../base/dates.ts'
import { getOrInsert, memo } from '../base/memo.ts'
import { shortened } from '../base/text.ts'
import { invalidOption } from '../errors/catalogue.ts'
import type { DocumentDefinition } from '../model/document.ts'
import type { BoundExpression, BoundProperty } from './bound.ts'
import { BoundValue } from './bound-value.ts'
import type { Comparison } from './parse/tree.ts'
import type { Plan } from './plan.ts'

/** The accounting periods of a company. */
interface AccountingPeriods {
  /** Whether the year of a period has that period. */
  hasPeriod(period: number): boolean
  /** The period of an instant in the stored form; undefined where its day does not tell it. */
  periodOf(instant: string): number | undefined
}

/** The plans with the condition, because compiled queries are cached by the plan. */
const plansByMoment = memo((_plan: Plan) => new Map<string, Plan>())

/**
 * The plan for the records of it that are valid at the moment of the option's text. Throws 400 (1020) for a document
 * without validity, for a hidden one, and for a text that is no moment.
 */
export function planValidAt(plan: Plan, text: string | undefined, periods: AccountingPeriods): Plan {
  if (text === undefined) return plan
  const { validity, name } = plan.definition
  if (!validity) throw invalidOption(`Records of ${name} have no validity: validAt cannot be used here.`)
  const moment = validity.unit === 'period' ? readPeriod(text.trim(), periods) : readInstant(text.trim())
  return getOrInsert(plansByMoment(plan), String(moment), () => {
    const term = holdsAt(plan.definition, validity, moment)
    return { ...plan, filter: plan.filter ? { kind: 'and', terms: [plan.filter, term] } : term }
  })
}

type Validity = NonNullable<DocumentDefinition['validity']>

/** An end at midnight is the end of that day. */
function holdsAt(definition: DocumentDefinition, validity: Validity, moment: number | string): BoundExpression {
  const from = propertyOf(definition, validity.from)
  const to = propertyOf(definition, validity.to)
  const ends = comparison(to, 'ge', moment)
  const midnight = typeof moment === 'string' ? dayOf(moment) : moment
  const isOver: BoundExpression =
    midnight === moment ? ends : { kind: 'or', terms: [ends, comparison(to, 'eq', midnight)] }
  return { kind: 'and', terms: [comparison(from, 'le', moment), isOver] }
}

function comparison(left: BoundProperty, op: Comparison, value: number | string): BoundExpression {
  return { kind: 'compare', op, left, right: new BoundValue(left.type, value) }
}

/** Throws 400 for a property that the caller's rules hide, because the answer would disclose it. */
function propertyOf({ properties }: DocumentDefinition, name: string): BoundProperty {
  const property = properties[name]
  if (property?.kind !== 'value') throw invalidOption(`validAt cannot be used: it needs ${name}, which is not visible.`)
  return { kind: 'property', type: property.type, property, place: { item: undefined, via: [] } }
}

function readPeriod(text: string, periods: AccountingPeriods): number {
  if (/^\d{6}$/.test(text)) {
    const period = Number(text)
    if (periods.hasPeriod(period)) return period
    throw invalidOption(`The value '${text}' is not valid for validAt: the company has no such period.`)
  }
  const instant = parseDateTime(text)
  if (instant === undefined) throw notAMoment(text, 'a period (yyyypp), a date or a date-time')
  const period = periods.periodOf(instant)
  if (period !== undefined) return period
  throw invalidOption(
    `The value '${shortened(text, 40)}' is not valid for validAt: a date does not tell the period in this company; send a period (yyyypp).`,
  )
}

function readInstant(text: string): string {
  const instant = parseDateTime(text)
  if (instant === undefined) throw notAMoment(text, 'a date or a date-time')
  return instant
}

function notAMoment(text: string, expected: string) {
  return invalidOption(`The value '${shortened(text, 40)}' is not valid for validAt; it must be ${expected}.`)
}

// A record that may be removed for good, as commands name it and as its rows and journal entries are found.
import { Document } from '../model/records/document.ts'
import { filterOf, keyFrom } from '../records/engine/record.ts'
import type { RecordKey } from '../records/engine/record-kind.ts'
import type { ValueName } from '../records/kinds/kind.ts'
import { CUSTOMERS } from '../setup/rules/own-record.ts'
import type { RecordRules } from '../setup/rules/record-rules.ts'
import type { CompanyRules } from '../setup/rules/rules.ts'
import type { KeyFilter } from '../sql/rows/compiled-query.ts'

export type RecordName =
  | { readonly kind: 'document'; readonly documentId: string }
  | { readonly kind: 'customer'; readonly customerId: string }
  | {
      readonly kind: 'value'
      readonly attributeId: string
      readonly attributeValue: string
      readonly periodFrom: number
    }
  | OwnRecordName

/** A record of a document of the setup. */
export interface OwnRecordName {
  readonly kind: 'own'
  readonly rules: RecordRules
  readonly key: RecordKey
}

/** Of the service, or a document of the setup. */
export type RemovableKind = Exclude<RecordName['kind'], 'own'> | RecordRules

const DOCUMENT_OF: Readonly<Record<Exclude<RecordName['kind'], 'own'>, string>> = {
  document: Document.document.name,
  customer: CUSTOMERS,
  value: 'attribute-values',
}

export function kindOf(target: RecordName): RemovableKind {
  return target.kind === 'own' ? target.rules : target.kind
}

/** The Enterprise Document in whose properties filters of holds are written. */
export function documentNameOf(kind: RemovableKind): string {
  return typeof kind === 'string' ? DOCUMENT_OF[kind] : kind.name
}

/** The target of a row of its Enterprise Document. */
export function recordOf(kind: RemovableKind, row: Readonly<Record<string, unknown>>): RecordName {
  const text = (name: string) => String(row[name])
  if (typeof kind === 'object') return ownRecordOf(kind, kind.keyNames.map(text))
  switch (kind) {
    case 'document':
      return { kind, documentId: text('id') }
    case 'customer':
      return { kind, customerId: text('customerId') }
    case 'value': {
      const key = { attributeId: text('attributeId'), attributeValue: text('attributeValue') }
      return { kind, ...key, periodFrom: Number(row.periodFrom) }
    }
  }
}

function ownRecordOf(rules: RecordRules, texts: readonly string[]): OwnRecordName {
  const key = keyFrom(rules, texts)
  if (!key) throw new Error(`${texts.join(' ')} is no key of ${rules.name}`)
  return { kind: 'own', rules, key }
}

/** Selects the row of the target within its company. */
export function keyFilterOf(target: RecordName): KeyFilter {
  switch (target.kind) {
    case 'document':
      return [['document_id', target.documentId]]
    case 'customer':
      return [['customer_id', target.customerId]]
    case 'value':
      return [
        ['attribute_id', target.attributeId],
        ['attribute_value', target.attributeValue],
        ['period_from', target.periodFrom],
      ]
    case 'own':
      return filterOf(target.rules, target.key)
  }
}

/** The target as a line of output names it: `customer C-100`. */
export function labelOf(target: RecordName): string {
  switch (target.kind) {
    case 'document':
      return `document ${target.documentId}`
    case 'customer':
      return `customer ${target.customerId}`
    case 'value':
      return `value ${target.attributeId} ${target.attributeValue} ${target.periodFrom}`
    case 'own':
      return `${target.rules.name} ${target.key.texts.join('/')}`
  }
}

/** The attribute value that others refer to when they refer to the target; undefined where it is none. */
export function valueBehind(company: CompanyRules, target: RecordName): ValueName | undefined {
  switch (target.kind) {
    case 'document':
      return undefined
    case 'customer':
      return { attributeId: company.customers?.attributeId ?? '', attributeValue: target.customerId }
    case 'value':
      return target
    case 'own': {
      const { rules, key } = target
      const { attributeId } = rules
      return attributeId === undefined ? undefined : { attributeId, attributeValue: key.texts[0] ?? '' }
    }
  }
}

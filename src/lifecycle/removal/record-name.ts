// A record that may be removed for good, as commands name it and as its rows and journal entries are found.
import { Document } from '../../model/records/document.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import type { KeyFilter } from '../../store/compile/compiled-query.ts'

export type RecordName =
  | { readonly kind: 'document'; readonly documentId: string }
  | { readonly kind: 'customer'; readonly customerId: string }
  | {
      readonly kind: 'value'
      readonly attributeId: string
      readonly attributeValue: string
      readonly periodFrom: number
    }

export type RecordKind = RecordName['kind']

/** The Enterprise Document in whose properties filters of holds are written. */
export const DOCUMENT_OF: Readonly<Record<RecordKind, string>> = {
  document: Document.document.name,
  customer: 'customers',
  value: 'attribute-values',
}

/** The target of a row of its Enterprise Document. */
export function recordOf(kind: RecordKind, row: Readonly<Record<string, unknown>>): RecordName {
  const text = (name: string) => String(row[name])
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
  }
}

/** The attribute value that others refer to when they refer to the target; a document is referred to by none. */
export function valueBehind(
  company: CompanyRules,
  target: RecordName,
): { readonly attributeId: string; readonly attributeValue: string } | undefined {
  if (target.kind === 'document') return undefined
  if (target.kind === 'value') return target
  return { attributeId: company.customers?.attributeId ?? '', attributeValue: target.customerId }
}

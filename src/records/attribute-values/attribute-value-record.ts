// Attribute values as a kind of records: their addresses, and the rules that they alone have.
import { coded } from '../../errors/catalogue.ts'
import type { Findings } from '../../errors/findings.ts'
import { AttributeValue } from '../../model/records/attribute-value.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import { statement } from '../../sql/statement.ts'
import type { ReadTx } from '../../store/store.ts'
import { plainKind } from '../engine/plain-kind.ts'
import { notFound } from '../engine/record.ts'
import type { DraftChange, RecordKind } from '../engine/record-kind.ts'
import { statementsOf } from '../engine/record-store.ts'
import { noManualMaintenance } from '../shared/messages.ts'
import { notVisible, type RecordAccess } from '../shared/record-access.ts'
import type { RecordKey } from '../shared/record-type.ts'
import { attributeOf, ENTITY, notAnAttribute, overlapMessage, withNames } from './attribute-value.ts'
import { findPeriods, overlapsWith } from './attribute-value-store.ts'
import { checkAttributeValue } from './check-attribute-value.ts'
import { visiblePeriods } from './hidden-values.ts'

const PLAIN = plainKind({ record: AttributeValue, noun: ENTITY, state: { path: ['status'], closed: 'C' } })

export const VALUES: RecordKind = {
  ...PLAIN,
  words: { ...PLAIN.words, record: 'value', keyTitles: ['Attribute ID', 'Attribute value', 'Period from'] },
  patchStatus: 422,
  requireAddress,
  normalised: withNames,
  check: checkAttributeValue,
  checkOthers: checkOverlaps,
  requireRemovable,
  valueIn: ({ texts: [attributeId = '', attributeValue = ''] }) => ({ attributeId, attributeValue }),
  attributeOf,
  ownerIn: ({ attribute: { owner: attributeId } }, { owner }) =>
    attributeId === undefined ? undefined : { attributeId, attributeValue: String(owner) },
}

// Their names are in the listing of all SQL.
statementsOf(VALUES, statement)

const PERIOD = /^(?:0|[1-9]\d{0,5})$/

/** Throws 404 for an attribute that the company does not have (decision 2), and for what is no period. */
function requireAddress(company: CompanyRules, texts: readonly string[]): void {
  const [attributeId = '', , periodFrom = ''] = texts
  if (!company.attributes.has(attributeId)) throw coded(404, 1040, notAnAttribute(attributeId))
  if (!PERIOD.test(periodFrom)) throw notFound(VALUES, company, texts)
}

/** Checks that no other period of the value overlaps the changed one. */
async function checkOverlaps(
  tx: ReadTx,
  access: RecordAccess,
  { draft, stored }: DraftChange,
  findings: Findings,
): Promise<void> {
  const value = draft as unknown as AttributeValue
  if (value.periodTo === stored?.periodTo || findings.has('periodTo')) return
  const periods = await findPeriods(tx, value.attributeId, value.attributeValue)
  const others = overlapsWith(periods, value.periodFrom, value.periodTo).filter((start) => start !== value.periodFrom)
  const visible = await visiblePeriods(tx, access, value, others)
  if (visible.length > 0) findings.add('periodFrom', 3010, overlapMessage(value.attributeValue, visible))
  else if (others.length > 0 && findings.size === 0) throw notVisible()
}

function requireRemovable(company: CompanyRules, { texts: [attributeId = ''] }: RecordKey): void {
  const attribute = company.attributes.get(attributeId)
  if (attribute && !attribute.manual) throw coded(400, 3010, noManualMaintenance(attribute))
}

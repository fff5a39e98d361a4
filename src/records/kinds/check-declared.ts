// The rules that a setup declares for a record, for a new record and for a changed one alike.
import { isDeepStrictEqual } from 'node:util'
import { inTurn } from '../../base/in-turn.ts'
import { capitalised } from '../../base/text.ts'
import type { FieldPath, Findings } from '../../errors/findings.ts'
import { type FieldRules, isEmptyValue } from '../../setup/rules/declared-field-rules.ts'
import { isOutOfRange, isTooLong, matchesPattern } from '../../setup/rules/field-rules-broken.ts'
import type { ListRules } from '../../setup/rules/record-rules.ts'
import { keyOf } from '../engine/record.ts'
import {
  type DraftChange,
  type RecordDraft,
  type RecordKind,
  type RecordSubject,
  valueAt,
} from '../engine/record-kind.ts'
import { checkLengths, tooLong } from '../shared/check-lengths.ts'
import { checkPointsOfRecord } from '../shared/master-data/contact-point.ts'
import { isLegalCode } from '../shared/master-data/lookups.ts'
import { checkRelatedValues } from '../shared/master-data/related-value.ts'
import type { Checking } from '../shared/master-data/value-store.ts'
import { outOfRange, tooFew } from '../shared/messages.ts'
import { required } from '../shared/required-field.ts'

/** Checks a record by what is declared of its properties, and its contact points and relations; adds the findings. */
export function checkDeclared(
  kind: RecordKind,
  checking: Checking,
  subject: RecordSubject | undefined,
  change: DraftChange,
): Promise<void> | undefined {
  const { given, draft, stored } = change
  const { findings } = checking
  for (const list of kind.lists) checkNumber(list, change, findings)
  const own: Holder = { path: [], given, draft, stored }
  const asked = inTurn(kind.checks, (field) =>
    field.itemsOf === undefined
      ? checkField(checking, field, own)
      : inTurn(itemsToCheck(field, field.itemsOf, change, findings), (item) => checkField(checking, field, item)),
  )
  const hasMore = kind.hasContactPoints || (kind.hasRelations && subject !== undefined)
  return hasMore ? checkLists(asked, kind, checking, subject, change) : asked
}

async function checkLists(
  asked: Promise<void> | undefined,
  kind: RecordKind,
  checking: Checking,
  subject: RecordSubject | undefined,
  { draft, stored, earlier }: DraftChange,
): Promise<void> {
  await asked
  if (kind.hasContactPoints) await checkPoints(checking, draft, stored)
  if (!kind.hasRelations || !subject) return
  const related = { items: draft.relatedValues ?? [], stored: stored?.relatedValues, earlier }
  const owner = { attribute: subject.attribute, attributeValue: keyOf(kind, draft).texts[0] ?? '' }
  await checkRelatedValues(checking, owner, related)
}

/** What holds a value: the record, or an item of a list. */
interface Holder {
  readonly path: FieldPath
  readonly given: unknown
  readonly draft: object
  readonly stored: object | undefined
}

function* holdersOf(itemsOf: string, { given, draft, stored }: DraftChange): Generator<Holder> {
  const items = draft[itemsOf] as readonly object[]
  const known = (stored?.[itemsOf] ?? []) as readonly object[]
  for (const [index, item] of items.entries()) {
    // Items have no key: one that the record had, at whatever place, is not checked again.
    if (known.some((other) => isDeepStrictEqual(other, item))) continue
    yield { path: [itemsOf, index], given: valueAt(given, [itemsOf, index]), draft: item, stored: undefined }
  }
}

/** How many items there are. More than `most` are not read. */
function checkNumber({ name, least }: ListRules, { draft, stored }: DraftChange, findings: Findings): void {
  const { length } = draft[name] as readonly object[]
  const before = stored?.[name] as readonly object[] | undefined
  if (length >= least || before?.length === length || findings.has([name])) return
  findings.add([name], 1010, length === 0 ? required(name) : tooFew(name, least))
}

/** The items that the record did not have; those that repeat what is unique are told. */
function itemsToCheck(field: FieldRules, itemsOf: string, change: DraftChange, findings: Findings): Holder[] {
  if (field.unique) addRepeated(field, change.draft[itemsOf] as readonly object[], findings)
  return [...holdersOf(itemsOf, change)]
}

function addRepeated({ itemsOf = '', path, type }: FieldRules, items: readonly object[], findings: Findings): void {
  const seen = new Set<string>()
  for (const [index, item] of items.entries()) {
    const value = valueAt(item, path)
    const text = String(value)
    if (isEmptyValue(type, value)) continue
    if (seen.has(text)) findings.add([itemsOf, index, ...path], 3010, `${text} is there twice`)
    seen.add(text)
  }
}

/** A promise where the database is asked. */
function checkField(checking: Checking, field: FieldRules, holder: Holder): Promise<void> | undefined {
  const { findings } = checking
  const path = holder.path.length === 0 ? field.path : [...holder.path, ...field.path]
  const value = valueAt(holder.draft, field.path)
  if (holder.stored && isDeepStrictEqual(value, valueAt(holder.stored, field.path))) return
  if (findings.has(path)) return
  const name = field.path.at(-1) ?? ''
  if (isAbsent(field, value, valueAt(holder.given as object, field.path))) {
    if (field.required) findings.add(path, 1010, required(name))
    return
  }
  // 400 (decision 5).
  if (isTooLong(field, value)) findings.add(path, 1010, tooLong(name, field.maxLength), 400)
  else if (!matchesPattern(field, value))
    findings.add(path, 3010, `The field ${capitalised(name)} must match ${field.pattern?.text}.`)
  else if (isOutOfRange(field, value)) findings.add(path, 3010, outOfRange(name, field))
  else if (field.legalValues) {
    const isLegal = isLegalCode(checking, field.legalValues, String(value))
    if (typeof isLegal !== 'boolean') return isLegal.then((found) => addIllegal(found, path, findings))
    addIllegal(isLegal, path, findings)
  }
  return undefined
}

function addIllegal(isLegal: boolean, path: FieldPath, findings: Findings): void {
  if (!isLegal) findings.add(path, 3010, 'Illegal value.')
}

/** Whether there is no value: a number or a flag that a record needs has to be given, even if it is 0. */
function isAbsent({ type, required: isRequired, hasDefault }: FieldRules, value: unknown, given: unknown): boolean {
  if (!isEmptyValue(type, value)) return false
  return type === 'string' || type === 'date-time' || !isRequired || (given === undefined && !hasDefault)
}

/** The texts of contact points are as long as those of customers. */
async function checkPoints(
  checking: Checking,
  { contactPoints = [] }: RecordDraft,
  stored: RecordDraft | undefined,
): Promise<void> {
  const before = stored && { contactPoints: stored.contactPoints ?? [] }
  checkLengths({ contactPoints }, before, checking.company.textLengths, (path, message) =>
    checking.findings.add(path, 1010, message, 400),
  )
  await checkPointsOfRecord(checking, { contactPoints }, before)
}

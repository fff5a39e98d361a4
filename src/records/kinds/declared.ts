// The kinds that a setup declares.
import { memo } from '../../base/memo.ts'
import { capitalised } from '../../base/text.ts'
import type { LinesRules, OwnerRules, RecordRules } from '../../setup/rules/record-rules.ts'
import { type LinesKind, type OwnerKind, type RecordDraft, type RecordKind, valueAt } from '../engine/record-kind.ts'
import { CLOSED_VALUE } from '../engine/record-parts.ts'
import { checkDeclared } from './check-declared.ts'
import { isFreeText } from './empty-record.ts'

/** The kind of the records of a declaration. */
export const declaredKind = memo(kindOf)

function kindOf(rules: RecordRules): RecordKind {
  const { name, record, keyNames } = rules
  const describing = describingPath(rules)
  const kind: RecordKind = {
    ...rules,
    schema: record.schema,
    document: record.document,
    journalEntity: name,
    freeTexts: rules.checks.filter((field) => isFreeText(rules, field)).map(({ path }) => path),
    words: {
      record: name,
      keyTitles: keyNames.map(capitalised),
      numberedTitle: capitalised(keyNames.at(-1) ?? ''),
      source: `attribute ${rules.attributeId}`,
    },
    normalised: (draft) => draft,
    check: (...requested) => checkDeclared(kind, ...requested),
    describe: (draft) => ({
      description: [...(describing ? String(valueAt(draft, describing)) : '')].slice(0, DESCRIPTION_LENGTH).join(''),
      status: statusOf(rules, draft),
    }),
    lines: rules.lines.map(linesKind),
    owner: rules.owner && ownerKind(rules.owner),
  }
  return kind
}

function linesKind(lines: LinesRules): LinesKind {
  const { name, document, isCascaded } = lines
  return {
    name,
    document,
    isCascaded,
    get rules() {
      return declaredKind(lines.rules)
    },
  }
}

function ownerKind(owner: OwnerRules): OwnerKind {
  const { name, table, keyColumns, lock } = owner
  return {
    name,
    get rules() {
      return declaredKind(owner.rules)
    },
    table,
    keyColumns,
    lock,
  }
}

/** The property that describes a record as the value of an attribute: its first text without a list of legal ones. */
function describingPath({ checks, keyNames }: RecordRules): readonly string[] | undefined {
  const describing = checks.find(
    ({ path, itemsOf, type, legalValues }) =>
      itemsOf === undefined && type === 'string' && !legalValues && !keyNames.includes(path[0] ?? ''),
  )
  return describing?.path
}

/** The longest description of a value. */
const DESCRIPTION_LENGTH = 4_000
const PARKED_VALUE = 'P'
const ACTIVE_VALUE = 'N'

/** A value is closed with its record, and parked where the state of the record is that of a parked value. */
function statusOf({ state }: RecordRules, draft: RecordDraft): string {
  const value = state && valueAt(draft, state.path)
  if (state && value === state.closed) return CLOSED_VALUE
  return value === PARKED_VALUE ? PARKED_VALUE : ACTIVE_VALUE
}

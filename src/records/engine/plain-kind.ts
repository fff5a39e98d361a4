// A kind of the service with the rules of its fields alone: what it is called follows from its definition. A kind with
// further rules, such as customers, adds them.
import { memo } from '../../base/memo.ts'
import { capitalised } from '../../base/text.ts'
import type { Findings } from '../../errors/findings.ts'
import type { BuiltInRecord } from '../../model/record-definition.ts'
import { type Fields, walkFields } from '../../model/record-fields.ts'
import { keyNamesOf } from '../../setup/rules/declared-properties.ts'
import type { CompletedMember } from '../../setup/rules/record-rules.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import { checkLengths } from '../shared/check-lengths.ts'
import { requireTexts } from '../shared/required-field.ts'
import { type DraftChange, type RecordDraft, type RecordKind, valueAt, withValueAt } from './record-kind.ts'

/** What is the same of a kind in all companies. */
export type CommonKind = Omit<RecordKind, 'completed'> & {
  readonly completed?: Pick<CompletedMember, 'name' | 'column'>
}

export function plainKind({ record, noun, state }: BuiltInRecord): RecordKind {
  const { fields, schema, document } = record
  const keyNames = keyNamesOf(document)
  return {
    name: document.name,
    version: document.version,
    record,
    schema,
    document,
    keyNames,
    numbering: undefined,
    attributeId: undefined,
    hasContactPoints: 'contactPoints' in fields,
    hasRelations: 'relatedValues' in fields,
    state,
    checks: [],
    lists: [],
    references: [],
    computed: [],
    lines: [],
    owner: undefined,
    journalEntity: noun,
    freeTexts: [],
    words: {
      record: noun,
      keyTitles: keyNames.map(capitalised),
      numberedTitle: capitalised(keyNames.at(-1) ?? ''),
      source: '',
    },
    normalised: (draft) => withNames(fields, draft),
    check: async ({ company, findings }, _subject, change) => checkFields(record, company, change, findings),
  }
}

/** Checks what a definition says of its fields, and adds the findings. */
export function checkFields(
  { fields, schema }: BuiltInRecord['record'],
  company: CompanyRules,
  { draft, stored }: DraftChange,
  findings: Findings,
): void {
  requireTexts(schema, draft, findings)
  // 400 (decision 5).
  checkLengths(draft, stored, company.textLengths, (path, message) => findings.add(path, 1010, message, 400))
  for (const [path, names] of namedFields(fields)) {
    const isName = Object.values(names).includes(String(valueAt(draft, path)))
    if (!isName && !findings.has(path)) findings.add(path, 3010, 'Illegal value.')
  }
}

/** The fields whose codes have names in single records. */
const namedFields = memo((fields: Fields) =>
  [...walkFields(fields)].flatMap(([path, { names }]) => (names ? [[path, names] as const] : [])),
)

function withNames(fields: Fields, draft: RecordDraft): RecordDraft {
  return namedFields(fields).reduce(
    (record, [path, names]) => withValueAt(record, path, nameFor(names, String(valueAt(record, path)))),
    draft,
  )
}

/** The stored code of a legal name; of a field without names the text itself. */
export function codeOf(fields: Fields, path: readonly string[], name: string): string {
  const names = namedFields(fields).find(([named]) => named.join('/') === path.join('/'))?.[1] ?? {}
  return Object.entries(names).find(([, one]) => one === name)?.[0] ?? name
}

/** The name for a name or code in any letter case, the first for none; any other text is returned unchanged. */
function nameFor(names: Readonly<Record<string, string>>, given: string): string {
  const [first = ''] = Object.values(names)
  if (given === '') return first
  const folded = given.toLowerCase()
  const found = Object.entries(names).find((pair) => pair.some((one) => one.toLowerCase() === folded))
  return found?.[1] ?? given
}

// What is computed of a record and its lines are in no text of the log: they are asked of the states that it knows.
import { parseExact } from '../base/long-number.ts'
import { memo } from '../base/memo.ts'
import type { DocumentDefinition } from '../model/document.ts'
import { storedPart } from '../model/fill-record.ts'
import type { Fields } from '../model/record-fields.ts'
import { linesIn } from '../query/mentions.ts'
import { type Plan, planCollection } from '../query/plan.ts'
import { rowRuleOf } from '../query/row-rule.ts'
import { membersSchema, shownComputed, shownLines } from '../records/engine/shown-lines.ts'
import type { JournaledKind } from '../records/kinds/kind.ts'
import type { LinesRules } from '../setup/rules/record-rules.ts'
import type { CompanyRules } from '../setup/rules/rules.ts'
import type { ShownLines } from '../sql/compile/record-lines.ts'

/** What a record is answered with besides the members that the log has. */
export interface RecordMembers {
  /** Whether there are lines among them. */
  readonly hasLines: boolean
  readonly plan: Plan
  /** As a GET of the record writes them, from what the plan has answered. */
  readonly inGet: (answer: string) => string
}

/** The computed properties and the lines that a definition shows; undefined where it shows none. */
export function membersOf(
  kind: JournaledKind,
  company: CompanyRules,
  definition: DocumentDefinition,
): RecordMembers | undefined {
  return membersIn(kind.kindIn?.(company).lines ?? NO_LINES)(definition).members
}

const NO_LINES: readonly LinesRules[] = []

const membersIn = memo((rules: readonly LinesRules[]) =>
  memo((definition: DocumentDefinition): { readonly members: RecordMembers | undefined } => {
    const computed = computedOf(definition)
    const lines = shownLines(rules, definition)
    if (computed.length + lines.length === 0) return { members: undefined }
    const plan = planOf(definition, [...computed, ...lines.map(selectOf)])
    const schema = membersSchema(shownComputed(computed, definition), lines)
    return { members: { plan, hasLines: lines.length > 0, inGet: (text) => storedPart(schema, parseExact(text)) } }
  }),
)

function selectOf({ name, fields, computed }: ShownLines): string {
  return `${name}(${[...selectedFields(fields), ...computed.map(([one]) => one)].join()})`
}

function selectedFields(fields: Fields): string[] {
  return Object.entries(fields).map(([name, field]) =>
    field.fields ? `${name}(${selectedFields(field.fields).join()})` : name,
  )
}

/** The plan that answers a record where its row rule asks for its lines; undefined where it does not. */
export const planOfLinesRule = memo((definition: DocumentDefinition): { readonly plan: Plan | undefined } => {
  const rule = { filter: rowRuleOf(definition), select: [], order: [] }
  return { plan: linesIn(rule).length === 0 ? undefined : planOf(definition, definition.key.slice(-1)) }
})

function computedOf({ properties }: DocumentDefinition): string[] {
  return Object.entries(properties).flatMap(([name, property]) =>
    property.kind === 'value' && 'computed' in property.source ? [name] : [],
  )
}

/** The row rule is a condition of every plan. */
function planOf(definition: DocumentDefinition, select: readonly string[]): Plan {
  return planCollection(definition, {
    filter: undefined,
    select: select.join(),
    orderBy: undefined,
    offset: 0,
    limit: 1,
  })
}

// An example of a record, made of its declaration.
import { isLongerThan } from '../../base/text.ts'
import type { FieldRules } from '../../setup/rules/own-field-rules.ts'
import type { RecordRules } from '../../setup/rules/record-rules.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'

type Example = Record<string, unknown>

/** Undefined where a needed value cannot be made of the declaration alone, such as one of a pattern. */
export function exampleOf(rules: RecordRules, company: CompanyRules | undefined): Example | undefined {
  const example: Example = {}
  const references = new Set(rules.references.flatMap(({ key }) => key.map((path) => path.join('/'))))
  /** Those of whose items a needed value cannot be made. */
  const lists = new Set<string>()
  const numbered = rules.numbering ? rules.keyNames.at(-1) : undefined
  for (const field of rules.checks) {
    const path = field.itemsOf === undefined ? field.path : [field.itemsOf, ...field.path]
    if (references.has(path.join('/')) || path[0] === numbered) continue
    const value = valueFor(field, company)
    if (value !== undefined) put(example, field, value)
    else if (field.required && field.itemsOf === undefined) return undefined
    else if (field.required) lists.add(field.itemsOf ?? '')
  }
  for (const name of lists) delete example[name]
  if (rules.hasContactPoints) {
    example.contactPoints = [{ contactPointType: company?.generalContactPointType ?? '1', address: { place: 'Oslo' } }]
  }
  return example
}

function put(example: Example, { itemsOf, path }: FieldRules, value: unknown): void {
  if (itemsOf !== undefined) {
    // The name may be one that every object has.
    if (!Object.hasOwn(example, itemsOf)) example[itemsOf] = [{}]
    const [item] = example[itemsOf] as Example[]
    if (item) item[path[0] ?? ''] = value
    return
  }
  const [first = '', second] = path
  if (second === undefined) example[first] = value
  else example[first] = { ...(example[first] as Example | undefined), [second]: value }
}

const DAY = '2026-01-31T00:00:00.000'

function valueFor(field: FieldRules, company: CompanyRules | undefined): unknown {
  const { type, hasDefault, absent, legalValues } = field
  if (hasDefault && type !== 'decimal') return absent
  if (legalValues) return codeFor(field, company)
  switch (type) {
    case 'string':
      return textFor(field)
    case 'date-time':
      return DAY
    case 'boolean':
      return true
    default:
      return numberFor(field)
  }
}

function codeFor({ legalValues, type }: FieldRules, company: CompanyRules | undefined): unknown {
  if (!legalValues || !('valueList' in legalValues)) return undefined
  const code = company?.valueLists.rowsOf(legalValues.valueList)[0]?.code
  return type === 'string' || code === undefined ? code : Number(code)
}

const TEXTS = ['123456789', 'A1', 'ABC', '1']

function textFor({ path, maxLength, pattern }: FieldRules): string | undefined {
  const words = (path.at(-1) ?? '').replaceAll(/([A-Z])/g, ' $1').toLowerCase()
  return [words, ...TEXTS].find((text) => !isLongerThan(text, maxLength) && (pattern?.matches(text) ?? true))
}

function numberFor({ minimum, maximum }: FieldRules): number {
  return Math.min(Math.max(1, minimum ?? 1), maximum ?? Number.POSITIVE_INFINITY)
}

// The endpoints of the records of each document of the setup, for the API description.
import type { TSchema } from 'typebox'
import { isLongerThan } from '../../base/text.ts'
import { companyParameter } from '../../http/openapi/parameters.ts'
import type { DescribedRoute, Method } from '../../http/route/route.ts'
import { type ParameterDescription, pathParameter } from '../../model/option-texts.ts'
import { requiredMembers, requiring } from '../../model/record-fields.ts'
import { descriptionIn } from '../../model/titles.ts'
import type { FieldRules } from '../../setup/rules/declared-field-rules.ts'
import { stateNote } from '../../setup/rules/declared-states.ts'
import type { RecordRules } from '../../setup/rules/record-rules.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import { wholeSchema } from '../engine/shown-lines.ts'
import { recordTexts } from '../shared/record-routes.ts'
import type { RecordOperation } from '../shared/record-type.ts'

/** The endpoints of the records; `company`: one whose lists name codes for the examples. */
export function declaredEndpoints(
  records: Iterable<RecordRules>,
  company: CompanyRules | undefined,
): readonly DescribedRoute[] {
  return [...records].flatMap((rules) => endpointsOf(rules, company))
}

function endpointsOf(rules: RecordRules, company: CompanyRules | undefined): DescribedRoute[] {
  const { name, version, state, record } = rules
  const texts = recordTexts({
    name,
    noun: 'record',
    schema: withExample(rules, company),
    key: [...keyParameters(rules), companyParameter],
    description: descriptionIn(record.document.description, []),
    summaries: {
      create: `Create one of ${name}`,
      read: `Read one of ${name}`,
      history: `one of ${name}`,
      update: `Change one of ${name}`,
      delete: state
        ? `Close one of ${name}: it stays readable with ${state.path.join('/')} ${state.closed}`
        : `Remove one of ${name}`,
    },
  })
  const collection = `/v${version}/${name}`
  const single = [collection, ...rules.keyNames.map((_part, at) => `:${parameterName(rules, at)}`)].join('/')
  const { title = '' } = record.schema as { title?: string }
  const noun = title + (version === 1 ? '' : `V${version}`)
  const route = (method: Method, path: string, operation: RecordOperation): DescribedRoute => ({
    ...texts[operation],
    method,
    path,
    operationId: operation + noun,
  })
  return [
    route('POST', collection, 'create'),
    route('GET', single, 'read'),
    { ...texts.history, method: 'GET', path: `${single}/history`, operationId: `read${noun}History` },
    route('PATCH', single, 'update'),
    route('DELETE', single, 'delete'),
  ]
}

function keyParameters(rules: RecordRules): ParameterDescription[] {
  const { properties } = rules.record.schema as { properties: Record<string, TSchema> }
  return rules.keyNames.map((name, at) =>
    pathParameter(parameterName(rules, at), `The ${name} of the record.`, properties[name] ?? {}),
  )
}

/** Properties may have names that no template of a path can have. */
function parameterName({ keyNames }: RecordRules, at: number): string {
  const name = keyNames[at] ?? ''
  return /^\w+$/.test(name) ? name : `key${at + 1}`
}

function withExample(rules: RecordRules, company: CompanyRules | undefined): TSchema {
  const { machine } = rules.state ?? {}
  const record = wholeSchema(rules)
  const note = rules.state && machine ? { 'x-erp-state': stateNote(rules.state) } : undefined
  const schema = note ? requiring(requiredMembers(record), { ...record, ...note }) : record
  const example = exampleOf(rules, company)
  return example === undefined ? schema : requiring(requiredMembers(schema), { ...schema, examples: [example] })
}

// An example of a record, made of its declaration.

type Example = Record<string, unknown>

/** Undefined where a needed value cannot be made of the declaration alone, such as one of a pattern. */
function exampleOf(rules: RecordRules, company: CompanyRules | undefined): Example | undefined {
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
  if (rules.lists.some(({ name, least }) => least > (Object.hasOwn(example, name) ? 1 : 0))) return undefined
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
    if (item) putAt(item, path, value)
    return
  }
  putAt(example, path, value)
}

function putAt(example: Example, [first = '', second]: readonly string[], value: unknown): void {
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

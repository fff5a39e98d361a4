// The endpoints of the records of each document of the setup, for the API description.
import type { TSchema } from 'typebox'
import { companyParameter } from '../../http/openapi/parameters.ts'
import type { DescribedRoute, Method } from '../../http/route/route.ts'
import { type ParameterDescription, pathParameter } from '../../model/option-texts.ts'
import { requiredMembers, requiring } from '../../model/record-fields.ts'
import { stateNote } from '../../setup/rules/own-states.ts'
import type { RecordRules } from '../../setup/rules/record-rules.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import { wholeSchema } from '../engine/shown-lines.ts'
import { recordTexts } from '../shared/record-routes.ts'
import type { RecordOperation } from '../shared/record-type.ts'
import { exampleOf } from './example.ts'

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
    description: record.document.description,
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
  const note = rules.state && machine ? { 'x-erp-state': stateNote(rules.state, machine) } : undefined
  const schema = note ? requiring(requiredMembers(record), { ...record, ...note }) : record
  const example = exampleOf(rules, company)
  return example === undefined ? schema : requiring(requiredMembers(schema), { ...schema, examples: [example] })
}

// The endpoints of the records of each document of the setup, for the API description.
import type { TSchema } from 'typebox'
import {
  asOfParameter,
  bodyAnswers,
  commonAnswers,
  companyParameter,
  fieldRefusal,
  goneAnswer,
  ifMatchParameter,
  ifNoneMatchParameter,
  refusal,
} from '../../http/openapi/parameters.ts'
import { etagHeader } from '../../http/route/replies.ts'
import type { DeclaredRoute, Method } from '../../http/route/route.ts'
import type { ParameterDescription } from '../../model/option-texts.ts'
import { requiredMembers, requiring } from '../../model/record-fields.ts'
import { PatchBody } from '../../patch/patch-body.ts'
import type { RecordRules } from '../../setup/rules/record-rules.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import { schemaWithLines } from '../engine/shown-lines.ts'
import { historyText, pastHeader } from '../shared/past-routes.ts'
import { exampleOf } from './example.ts'

/** The endpoints of the records; `company`: one whose lists name codes for the examples. */
export function declaredEndpoints(
  records: Iterable<RecordRules>,
  company: CompanyRules | undefined,
): readonly DeclaredRoute[] {
  return [...records].flatMap((rules) => endpointsOf(rules, company))
}

type Text = Omit<DeclaredRoute, 'method' | 'path' | 'permit' | 'operationId' | 'handle'>

interface Described {
  readonly rules: RecordRules
  readonly schema: TSchema
  readonly key: readonly ParameterDescription[]
}

function endpointsOf(rules: RecordRules, company: CompanyRules | undefined): DeclaredRoute[] {
  const { name, version } = rules
  const key = [...keyParameters(rules), companyParameter]
  const described = { rules, schema: withExample(rules, company), key }
  const collection = `/v${version}/${name}`
  const single = [collection, ...rules.keyNames.map((_part, at) => `:${parameterName(rules, at)}`)].join('/')
  const route = (method: Method, path: string, operation: Operation, text: Text, suffix = ''): DeclaredRoute => ({
    ...text,
    method,
    path,
    permit: `${name}:${operation}`,
    operationId: operation + titleOf(rules) + (version === 1 ? '' : `V${version}`) + suffix,
    handle: neverCalled,
  })
  const history = historyText(`one of ${name}`, { permit: `${name}:read`, parameters: key })
  return [
    route('POST', collection, 'create', creation(described)),
    route('GET', single, 'read', reading(described)),
    route('GET', `${single}/history`, 'read', history, 'History'),
    route('PATCH', single, 'update', change(described)),
    route('DELETE', single, 'delete', removal(described)),
  ]
}

function titleOf({ record }: RecordRules): string {
  return (record.schema as { title?: string }).title ?? ''
}

type Operation = 'create' | 'read' | 'update' | 'delete'

function neverCalled(): never {
  throw new Error('the handler of a route that is only described was called')
}

function creation({ rules, schema }: Described): Text {
  return {
    summary: `Create one of ${rules.name}`,
    description: rules.record.document.description,
    parameters: [companyParameter],
    body: schema,
    answers: {
      ...commonAnswers,
      ...bodyAnswers,
      201: {
        description: 'The record as it was created.',
        schema,
        headers: { ...etagHeader, Location: 'Its address.' },
      },
      400: fieldRefusal('The body cannot be read, a text is too long, or the record exists already.'),
      422: fieldRefusal('A rule is not met; all findings together.'),
    },
  }
}

function reading({ rules, schema, key }: Described): Text {
  return {
    summary: `Read one of ${rules.name}`,
    parameters: [...key, asOfParameter, ifNoneMatchParameter],
    answers: {
      ...commonAnswers,
      ...goneAnswer,
      200: { description: 'The record.', schema, headers: { ...etagHeader, ...pastHeader } },
      304: { description: 'The record is as the caller knows it.', headers: { ...etagHeader, ...pastHeader } },
      404: refusal('There is no such record.'),
    },
  }
}

function change({ rules, schema, key }: Described): Text {
  return {
    summary: `Change one of ${rules.name}: all operations or none`,
    parameters: [...key, ifMatchParameter],
    body: PatchBody,
    answers: {
      ...commonAnswers,
      ...bodyAnswers,
      200: { description: 'The record as it is now.', schema, headers: etagHeader },
      400: fieldRefusal('An operation cannot be read or applied, or a text is too long; nothing was changed.'),
      404: refusal('There is no such record.'),
      409: refusal('Somebody has changed the record since.'),
      422: fieldRefusal('A rule is not met; nothing was changed.'),
    },
  }
}

function removal({ rules, key }: Described): Text {
  const { name, state } = rules
  return {
    summary: state
      ? `Close one of ${name}: it stays readable with ${state.path.join('/')} ${state.closed}`
      : `Remove one of ${name}`,
    parameters: [...key, ifMatchParameter],
    answers: {
      ...commonAnswers,
      200: { description: 'No body.' },
      404: refusal('There is no such record.'),
      409: refusal('Somebody has changed the record since.'),
    },
  }
}

function keyParameters(rules: RecordRules): ParameterDescription[] {
  const { properties } = rules.record.schema as { properties: Record<string, TSchema> }
  return rules.keyNames.map((name, at) => ({
    name: parameterName(rules, at),
    in: 'path',
    description: `The ${name} of the record.`,
    schema: properties[name] ?? {},
  }))
}

/** Properties may have names that no template of a path can have. */
function parameterName({ keyNames }: RecordRules, at: number): string {
  const name = keyNames[at] ?? ''
  return /^\w+$/.test(name) ? name : `key${at + 1}`
}

function withExample(rules: RecordRules, company: CompanyRules | undefined): TSchema {
  const schema = schemaWithLines(rules)
  const example = exampleOf(rules, company)
  return example === undefined ? schema : requiring(requiredMembers(schema), { ...schema, examples: [example] })
}

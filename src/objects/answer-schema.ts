// The JSON Schema of an answer, with what a form of a record needs to know beyond its members.
import type { Caller } from '../access/caller.ts'
import type { DocumentDefinition } from '../model/document.ts'
import { descriptionIn, titleIn } from '../model/titles.ts'
import type { Plan } from '../query/plan.ts'
import { type JsonSchema, schemaOfAnswer } from '../query/schema-of.ts'
import { declaredRulesOf } from '../setup/rules/declared-record.ts'
import { stateNote } from '../setup/rules/declared-states.ts'
import type { StateRules } from '../setup/rules/record-rules.ts'
import type { CompanyRules } from '../setup/rules/rules.ts'
import { hasProperty, withTitles } from './titled-schema.ts'

interface Asked {
  /** As the caller's rules show it. */
  readonly definition: DocumentDefinition
  /** Without them, and of no company in particular: rules of declarations are found by it. */
  readonly whole: DocumentDefinition
  readonly company: CompanyRules
  readonly caller: Caller
  /** Those of titles, the most wished first. */
  readonly languages: readonly string[]
}

/** `isWhole`: nothing was selected. Programs that name no language get the schema without the notes of forms. */
export function answerSchema(plan: Plan, isWhole: boolean, asked: Asked): JsonSchema {
  const { definition, company, languages } = asked
  const schema = schemaOfAnswer(plan, company, isWhole, languages)
  if (plan.grouping) return withTitles(schema, plan.grouping.result, languages)
  const titled = withTitles(schema, definition, languages)
  return withStates(languages.length === 0 ? titled : withFormNotes(titled, asked), asked)
}

/** Which relations the value of a record may have and must have, and the contact point that it begins with. */
function withFormNotes(schema: JsonSchema, { definition, company, languages }: Asked): JsonSchema {
  const noted = (object: JsonSchema): JsonSchema => {
    const members = { ...(object.properties as Readonly<Record<string, JsonSchema>>) }
    const { relatedValues, contactPoints } = members
    const list = definition.properties.contactPoints
    if (relatedValues) members.relatedValues = { ...relatedValues, ...relationsNote(relatedValues, company, languages) }
    if (contactPoints && list?.kind === 'list' && list.isRequired) {
      const first = { contactPointType: company.generalContactPointType }
      members.contactPoints = { ...contactPoints, 'x-erp-firstItem': first }
    }
    return { ...object, properties: members }
  }
  const items = schema.items as JsonSchema
  const onRequest = items['x-erp-onRequest'] as JsonSchema | undefined
  return { ...schema, items: { ...noted(items), ...(onRequest ? { 'x-erp-onRequest': noted(onRequest) } : {}) } }
}

function relationsNote(list: JsonSchema, company: CompanyRules, languages: readonly string[]): JsonSchema {
  const { attributeId } = (list['x-erp-relation'] ?? {}) as { attributeId?: string }
  const own = [...company.relations.values()].filter((relation) => relation.attributeId === attributeId)
  if (attributeId === undefined || own.length === 0) return {}
  const mandatory = new Set(company.mandatoryRelationsOf(attributeId).map(({ id }) => id))
  return {
    'x-erp-relations': own.map(({ id, name, titles, description, relatedAttributeId }) => ({
      relationId: id,
      relationName: name,
      title: titleIn(titles, languages) ?? name,
      ...(description === undefined ? {} : { description: descriptionIn(description, languages) }),
      attributeId: relatedAttributeId,
      isMandatory: mandatory.has(id),
    })),
  }
}

/** The codes that a company's value list STATUS has texts for. */
const STATUS = { closed: 'C', meanings: { N: 'success', P: 'waiting' } } as const

/** The states of built-in documents, as their collections answer them. */
const BUILT_IN_STATES: Readonly<Record<string, StateRules>> = {
  customers: { path: ['payment', 'status'], ...STATUS },
  'attribute-values': { path: ['status'], ...STATUS },
}

/** What states mean, and how the state of a record may change: the transitions that the caller may take. */
function withStates(schema: JsonSchema, { definition, whole, company, caller, languages }: Asked): JsonSchema {
  const state = declaredRulesOf(whole)?.state ?? BUILT_IN_STATES[whole.name]
  const isShown = (one: readonly string[]) => hasProperty(definition.properties, one)
  if (!state || !isShown(state.path) || (!state.machine && languages.length === 0)) return schema
  const mayUpdate = caller.may(company.id, `${whole.name}:update`)
  const note = stateNote(state, {
    isOpen: ({ roles }) => mayUpdate && (!roles || caller.hasRole(company.id, roles)),
    isShown,
    titleOf: ({ titles }) => (languages.length === 0 ? undefined : titleIn(titles, languages)),
  })
  return { ...schema, items: { ...(schema.items as JsonSchema), 'x-erp-state': note } }
}

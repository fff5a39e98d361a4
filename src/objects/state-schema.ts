// How the state of a record may change, in the schema of its document: the transitions that the caller may take.
import type { Caller } from '../access/caller.ts'
import type { DocumentDefinition } from '../model/document.ts'
import { titleIn } from '../model/titles.ts'
import type { JsonSchema } from '../query/schema-of.ts'
import { ownRulesOf } from '../setup/rules/own-record.ts'
import { stateNote } from '../setup/rules/own-states.ts'
import type { CompanyRules } from '../setup/rules/rules.ts'
import { hasProperty } from './titled-schema.ts'

/** `whole`: the document without the caller's restrictions. */
export function withStates(
  schema: JsonSchema,
  definition: DocumentDefinition,
  whole: DocumentDefinition,
  caller: Caller,
  company: CompanyRules,
  languages: readonly string[],
): JsonSchema {
  const rules = ownRulesOf(whole)
  const { path, machine } = rules?.state ?? {}
  const isShown = (one: readonly string[]) => hasProperty(definition.properties, one)
  if (!rules?.state || !path || !machine || !isShown(path)) return schema
  const mayUpdate = caller.may(company.id, `${rules.name}:update`)
  const note = stateNote(rules.state, machine, {
    isOpen: ({ roles }) => mayUpdate && (!roles || caller.hasRole(company.id, roles)),
    isShown,
    titleOf: ({ titles }) => (languages.length === 0 ? undefined : titleIn(titles, languages)),
  })
  return { ...schema, items: { ...(schema.items as JsonSchema), 'x-erp-state': note } }
}

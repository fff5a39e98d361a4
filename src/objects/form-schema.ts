// What a form of a record needs to know beyond its members: which relations its value may have and must have, and the
// contact point that it begins with.
import type { DocumentDefinition } from '../model/document.ts'
import { titleIn } from '../model/titles.ts'
import type { JsonSchema } from '../query/schema-of.ts'
import type { CompanyRules } from '../setup/rules/rules.ts'

/** `languages`: of the titles of relations, the most wished first. */
export function withFormNotes(
  schema: JsonSchema,
  definition: DocumentDefinition,
  company: CompanyRules,
  languages: readonly string[],
): JsonSchema {
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
    'x-erp-relations': own.map(({ id, name, titles, relatedAttributeId }) => ({
      relationId: id,
      relationName: name,
      title: titleIn(titles, languages) ?? name,
      attributeId: relatedAttributeId,
      isMandatory: mandatory.has(id),
    })),
  }
}

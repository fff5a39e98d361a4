// What is computed of a record is in no text of the log: it is asked of the states that the log knows.
import { memo } from '../base/memo.ts'
import type { DocumentDefinition } from '../model/document.ts'
import { type Plan, planCollection } from '../query/plan.ts'

/** The plan of all computed properties that a definition shows; undefined where it shows none. */
export const planOfComputed = memo((definition: DocumentDefinition): { readonly plan: Plan | undefined } => {
  const names = Object.entries(definition.properties).flatMap(([name, property]) =>
    property.kind === 'value' && 'computed' in property.source ? [name] : [],
  )
  if (names.length === 0) return { plan: undefined }
  const query = { filter: undefined, select: names.join(), orderBy: undefined, offset: 0, limit: 1 }
  return { plan: planCollection(definition, query) }
})

// Whether a list is answered as it is stored.
import type { JsonList, Properties } from '../../model/document.ts'
import type { SelectedProperty } from '../../query/plan-select.ts'

export type SelectedList = Extract<SelectedProperty, { kind: 'list' }>

/** The stored JSON that is the answer; undefined when it is made of the items. */
export function storedAs({ list, identity, properties }: SelectedList): JsonList | undefined {
  const { from } = list
  return !identity && 'json' in from && isStoredAlike(properties, list.properties) ? from : undefined
}

/** Whether all properties are selected, with their own names and in their order. It has no zones of date-times. */
function isStoredAlike(selected: readonly SelectedProperty[], properties: Properties): boolean {
  const names = Object.keys(properties)
  if (selected.length !== names.length) return false
  return selected.every((one, at) => {
    const property = properties[names[at] ?? '']
    if (one.name !== names[at] || !property || one.kind !== property.kind) return false
    if (property.kind === 'value') return property.type !== 'date-time'
    return one.kind !== 'group' || (property.kind === 'group' && isStoredAlike(one.properties, property.properties))
  })
}

// The filter for the records that follow one in the order of their key, for work on a few records at a time.

import type { RecordName } from './record-name.ts'
import { literalOf } from './references.ts'

type Part = readonly [property: string, value: string]

/** The condition for the records that follow in the order of the key. */
export function isAfter(target: RecordName): string {
  return follows(partsOf(target))
}

/** A literal takes the type of the property beside it. */
function follows([[name, value] = ['', ''], ...rest]: readonly Part[]): string {
  const isGreater = `${name} gt ${literalOf(value)}`
  return rest.length === 0 ? isGreater : `(${isGreater} or ${name} eq ${literalOf(value)} and ${follows(rest)})`
}

function partsOf(target: RecordName): readonly Part[] {
  switch (target.kind) {
    case 'document':
      return [['id', target.documentId]]
    case 'customer':
      return [['customerId', target.customerId]]
    case 'value':
      return [
        ['attributeId', target.attributeId],
        ['attributeValue', target.attributeValue],
        ['periodFrom', String(target.periodFrom)],
      ]
    case 'own':
      return target.rules.keyNames.map((name, at) => [name, target.key.texts[at] ?? ''])
  }
}

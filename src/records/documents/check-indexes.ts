// The rules of index values from the document type and the company's attributes (specification, documents 1 and 7).
import { isLongerThan, shortened } from '../../base/text.ts'
import type { Findings } from '../../errors/findings.ts'
import type { CompanyRules, DocumentIndexRules, DocumentTypeRules } from '../../setup/rules/rules.ts'
import type { ReadTx } from '../../store/store.ts'
import { isLegalValue } from '../shared/master-data/value-store.ts'
import type { GivenIndex } from './document.ts'

export interface IndexValue {
  readonly sequenceNo: number
  readonly indexValue: string
}

/** One value for each index of the type, in its order; a value that is not given is empty. */
export function completeIndexes(type: DocumentTypeRules, given: readonly GivenIndex[]): IndexValue[] {
  return type.indexes.map(({ sequenceNo }) => {
    const found = given.find((one) => one.sequenceNo === sequenceNo)
    return { sequenceNo, indexValue: found?.indexValue ?? '' }
  })
}

/** Checks that every number is an index of the type and given only once. */
export function checkSequenceNumbers(type: DocumentTypeRules, given: readonly GivenIndex[], findings: Findings): void {
  const legalNumbers = type.indexes.map(({ sequenceNo }) => sequenceNo)
  const seen = new Set<number>()
  for (const [index, { sequenceNo = 0 }] of given.entries()) {
    if (findings.has(['indexes', index, 'sequenceNo'])) continue
    if (!legalNumbers.includes(sequenceNo)) {
      const legal = legalNumbers.length === 0 ? 'it has none' : `it has ${legalNumbers.join(', ')}`
      findings.add('indexes', 3010, `Document type ${type.id} has no index ${sequenceNo}: ${legal}`, 400)
    } else if (seen.has(sequenceNo)) findings.add('indexes', 3010, `Index ${sequenceNo} is given twice`, 400)
    seen.add(sequenceNo)
  }
}

/** Checks the values. Those that equal `stored` were legal when they were written and are not checked again. */
export async function checkIndexValues(
  tx: ReadTx,
  company: CompanyRules,
  type: DocumentTypeRules,
  values: readonly IndexValue[],
  stored: readonly IndexValue[],
  findings: Findings,
): Promise<void> {
  for (const rule of type.indexes) {
    const value = valueAt(values, rule)
    if (stored.length > 0 && value === valueAt(stored, rule)) continue
    const fault = await findFault(tx, company, rule, value)
    if (fault !== undefined) findings.add('indexes', 3010, fault, 400)
  }
}

async function findFault(
  tx: ReadTx,
  company: CompanyRules,
  { name, attributeId, maxLength, required }: DocumentIndexRules,
  value: string,
): Promise<string | undefined> {
  if (value === '') return required ? `You must enter a value for ${name}` : undefined
  if (isLongerThan(value, maxLength)) {
    return `Value ${shortened(value)} is longer than the ${maxLength} characters of ${name}`
  }
  if (attributeId === undefined || (await isLegalValue(tx, attributeId, value))) return undefined
  return `Value ${value} is not valid for attribute ${company.attributes.get(attributeId)?.name ?? attributeId}`
}

function valueAt(values: readonly IndexValue[], { sequenceNo }: DocumentIndexRules): string {
  return values.find((one) => one.sequenceNo === sequenceNo)?.indexValue ?? ''
}

// The kinds that every company has, one for each built-in record. One whose rules are those of its fields alone needs
// nothing here.
import type { DocumentDefinition } from '../../model/document.ts'
import type { BuiltInRecord } from '../../model/record-definition.ts'
import { BUILT_IN_RECORDS } from '../../model/records/built-in.ts'
import { customers } from '../../model/records/customer.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import { statement } from '../../sql/statement.ts'
import { type CommonKind, plainKind } from '../engine/plain-kind.ts'
import type { RecordKind } from '../engine/record-kind.ts'
import { statementsOf } from '../engine/record-store.ts'
import type { RecordWords } from '../shared/record-routes.ts'
import { customerDocument } from './customer-document.ts'
import { CUSTOMERS, customersOf } from './customers.ts'

export interface BuiltInKind {
  /** What is the same of it in all companies. */
  readonly common: CommonKind
  readonly kindIn: (company: CompanyRules) => RecordKind
  /** For a company, or without one what all have in common. */
  readonly documentOf: (company: CompanyRules | undefined) => DocumentDefinition
  /** Where its endpoints are described otherwise. */
  readonly words?: Partial<RecordWords>
}

const WITH_MORE_RULES: ReadonlyMap<BuiltInRecord, BuiltInKind> = new Map([
  [
    customers,
    {
      common: CUSTOMERS,
      kindIn: customersOf,
      documentOf: customerDocument,
      // Spelt differently from the other resources (specification, authentication 4).
      words: { deniedMessage: 'User is not authorized' },
    },
  ],
])

export const BUILT_IN_KINDS: readonly BuiltInKind[] = BUILT_IN_RECORDS.map(
  (record) => WITH_MORE_RULES.get(record) ?? plain(record),
)

function plain(record: BuiltInRecord): BuiltInKind {
  const kind = plainKind(record)
  return { common: kind, kindIn: () => kind, documentOf: () => kind.document }
}

// Their statements are in the listing of all SQL, so they are declared with this file.
for (const { common } of BUILT_IN_KINDS) statementsOf(common, statement)

// Single records as they are now, in the form that the log has them.
import { findRelation } from '../../records/attribute-relations/attribute-relation-store.ts'
import { findValue } from '../../records/attribute-values/attribute-value-store.ts'
import { findDocument, journalTextOf } from '../../records/documents/document-store.ts'
import { findRecord } from '../../records/engine/record-store.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import type { ReadTx } from '../../store/store.ts'
import { relationKind } from '../attribute-relations.ts'
import { valueKind } from '../attribute-values.ts'
import type { ChangeKind, Columns } from '../change-kind.ts'
import { documentText } from '../log/document-text.ts'

export interface RecordText {
  /** Empty when the record is not there. */
  readonly text: string
  /** Columns that the text does not show. */
  readonly unseen: Columns
}

export async function currentRecord(
  tx: ReadTx,
  company: CompanyRules,
  kind: ChangeKind,
  key: readonly (string | number)[],
): Promise<RecordText> {
  if (kind.kindIn) return bodyOf(await findRecord(tx, kind.kindIn(company), { stored: key, texts: key.map(String) }))
  const [first, second, third, fourth] = key.map(String) as [string, string, string, string]
  switch (kind) {
    case valueKind:
      return bodyOf(await findValue(tx, { attributeId: first, attributeValue: second, periodFrom: Number(third) }))
    case relationKind: {
      const names = { attributeId: first, attributeValue: second, relatedAttributeId: third, relationValue: fourth }
      return bodyOf(await findRelation(tx, names))
    }
    default: {
      const found = await findDocument(tx, first)
      return documentText(found ? journalTextOf(found) : '')
    }
  }
}

function bodyOf(found: { readonly body: string } | undefined): RecordText {
  return { text: found?.body ?? '', unseen: {} }
}

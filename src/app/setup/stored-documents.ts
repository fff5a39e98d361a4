// The documents of a stored setup, for commands that look at a database without serving it.
import { systemClock } from '../../base/clock.ts'
import type { DocumentDefinition } from '../../model/document.ts'
import { type EnterpriseDocument, sameForAll } from '../../objects/enterprise-document.ts'
import type { DocumentSetup } from '../../setup/file/setup-schema.ts'
import { withIndexes } from '../../setup/items/active-indexes.ts'
import { wantedIndexes } from '../../setup/items/document-indexes.ts'
import type { SetupItem } from '../../setup/items/setup-item.ts'
import { declaredDefinition, externalTableDefinition } from '../../setup/rules/external-document.ts'
import type { ReadOnlyDatabase } from '../../store/audit/audit-store.ts'
import { builtInDocuments } from './built-in-documents.ts'

export interface Served {
  readonly document: EnterpriseDocument
  /** `foreign`: on a table that is not ours. */
  readonly of: 'built-in' | 'own' | 'foreign'
  readonly addIndexes: (definition: DocumentDefinition) => DocumentDefinition
}

/** The documents that the stored setup has, by name, with the indexes that exist. */
export async function storedDocuments(
  items: readonly SetupItem[],
  database: ReadOnlyDatabase,
): Promise<Map<string, Served>> {
  const builtIn = builtInDocuments(systemClock)
  const wanted = wantedIndexes(items, (name) => builtIn.find(({ common }) => common.name === name)?.common)
  const existing = await database.setupIndexes()
  const addIndexes = (definition: DocumentDefinition) =>
    withIndexes(definition, wanted.get(definition.name) ?? [], existing)
  const served = new Map(
    builtIn.map((document) => [document.common.name, { document, of: 'built-in', addIndexes } as Served]),
  )
  for (const { kind, definition } of items) {
    if (kind !== 'document') continue
    const setup = definition as DocumentSetup
    const customized =
      setup.table === undefined
        ? declaredDefinition(setup)
        : externalTableDefinition(setup, await database.columnsOf(setup.table))
    served.set(setup.name, {
      document: sameForAll(customized),
      of: setup.table === undefined ? 'own' : 'foreign',
      addIndexes,
    })
  }
  return served
}

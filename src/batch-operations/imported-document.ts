import type { DocumentDefinition } from '../model/document.ts'
import type { CompanyRules } from '../setup/rules/rules.ts'
import { importRefusal } from '../transfer/importer-of.ts'
import type { BatchOperationService } from './batch-operation-service.ts'

/** The definition of a document for a company; undefined if there is none, or no records of it can be imported. */
export function importedDocument(
  { documents }: Pick<BatchOperationService, 'documents'>,
  company: CompanyRules,
  name: string,
): DocumentDefinition | undefined {
  for (const document of documents()) {
    if (document.common.name !== name) continue
    const definition = document.of(company)
    return importRefusal(definition) === undefined ? definition : undefined
  }
  return undefined
}

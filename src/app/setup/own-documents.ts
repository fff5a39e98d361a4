import type { CustomDocuments } from '../../objects/custom-documents.ts'
import type { EnterpriseDocument } from '../../objects/enterprise-document.ts'
import type { OwnDocuments } from '../../records/shared/service.ts'

/** The documents of the setup, whose records may refer to each other and to those of the service. */
export function ownDocuments(builtIn: readonly EnterpriseDocument[], custom: CustomDocuments): OwnDocuments {
  return {
    findRecord: (version, name) => custom.findRecord(version, name),
    definitionOf: (name, company) =>
      [...custom.all, ...builtIn].find(({ common }) => common.name === name)?.of(company),
  }
}

import { permissionFor } from './records.ts'
import { useCompany, useMay } from './session.ts'

/** Tells whether the person may load many records of a document: files are filed one by one, a mirror takes single writes. */
export function useMayImport(): (document: string) => boolean {
  const may = useMay()
  const { source } = useCompany()
  return (document) => {
    const create = permissionFor(document, 'create')
    return create !== undefined && document !== 'documents' && !source && may(create)
  }
}

import { permissionFor } from '../../service/records.ts'
import { useCompany, useMay } from '../../service/session.ts'

/** Whether the person may load many records of a document: files are filed one by one, and a mirror takes single writes. */
export function useMayImport(document: string): boolean {
  const may = useMay()
  const { source } = useCompany()
  const create = permissionFor(document, 'create')
  return create !== undefined && document !== 'documents' && !source && may(create)
}

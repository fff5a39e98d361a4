import { permissionFor } from '../../service/records.ts'

/** Whether the person may load many records of a document: files are filed one by one. */
export function mayImport(document: string, may: (permission: string) => boolean): boolean {
  const create = permissionFor(document, 'create')
  return create !== undefined && document !== 'documents' && may(create)
}

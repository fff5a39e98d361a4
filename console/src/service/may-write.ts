import { permissionFor } from './records.ts'
import { useCompany, useMay } from './session.ts'

/** Tells whether the person may change many records of a document at once. */
export const useMayChangeMany = () => useMayWriteMany('update', ['documents', 'attribute-relations'])

/** Tells whether the person may load many records of a document: files are filed one by one. */
export const useMayImport = () => useMayWriteMany('create', ['documents'])

/** `single`: documents whose records are written one by one. A mirror takes single writes. */
function useMayWriteMany(operation: 'create' | 'update', single: readonly string[]): (document: string) => boolean {
  const mayWrite = useMayWrite()
  const { source } = useCompany()
  return (document) => !single.includes(document) && !source && mayWrite(document, operation)
}

/** Tells whether the person may write single records of a document. */
export function useMayWrite() {
  const may = useMay()
  return (document: string, operation: 'create' | 'update' | 'delete'): boolean => {
    const permission = permissionFor(document, operation)
    return permission !== undefined && may(permission)
  }
}

import { permissionFor } from './records.ts'
import { useCompany, useMay } from './session.ts'

/** Tells whether the person may change many records of a document at once. */
export const useMayChangeMany = () => useMayWriteMany('update', ['documents', 'attribute-relations'])

/** Tells whether the person may load many records of a document: files are filed one by one. */
export const useMayImport = () => useMayWriteMany('create', ['documents'])

/** `single`: documents whose records are written one by one. A mirror takes single writes. */
function useMayWriteMany(operation: 'create' | 'update', single: readonly string[]): (document: string) => boolean {
  const may = useMay()
  const { source } = useCompany()
  return (document) => {
    const permission = permissionFor(document, operation)
    return permission !== undefined && !single.includes(document) && !source && may(permission)
  }
}

import { permissionFor } from './records.ts'
import { useCompany, useMay } from './session.ts'

/** Documents whose records are changed one by one. */
const SINGLE = ['documents', 'attribute-relations']

/** Tells whether the person may change many records of a document at once; a mirror takes single writes. */
export function useMayChangeMany(): (document: string) => boolean {
  const may = useMay()
  const { source } = useCompany()
  return (document) => {
    const update = permissionFor(document, 'update')
    return update !== undefined && !SINGLE.includes(document) && !source && may(update)
  }
}

/** Tells whether the person may load many records of a document: files are filed one by one, a mirror takes single writes. */
export function useMayImport(): (document: string) => boolean {
  const may = useMay()
  const { source } = useCompany()
  return (document) => {
    const create = permissionFor(document, 'create')
    return create !== undefined && document !== 'documents' && !source && may(create)
  }
}

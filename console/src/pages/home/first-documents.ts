import { type DocumentSummary, PLUMBING, useDocuments } from '../../service/metadata.ts'

const SHOWN = 5

/** The first kinds of records that somebody may look at. */
export function useFirstDocuments(): readonly DocumentSummary[] {
  const { data: documents = [] } = useDocuments()
  return documents.filter(({ name }) => !PLUMBING.has(name) && name !== 'document-archive').slice(0, SHOWN)
}

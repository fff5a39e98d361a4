import { useQueryClient } from '@tanstack/react-query'
import type { DocumentInfo } from '../service/metadata.ts'
import { useCompany, useService } from '../service/session.ts'
import { type UndoneChange, undoChange } from '../service/undo.ts'
import { t } from '../words/words.ts'
import { notify } from './notices.tsx'

/** Takes a change back; and says that it was saved, with a button that does so. */
export function useUndo(document: DocumentInfo, key: readonly string[]) {
  const { id: company } = useCompany()
  const service = useService()
  const queries = useQueryClient()
  const undo = async (change: UndoneChange) => {
    await undoChange(service, company, document, key, change)
    await queries.invalidateQueries({ queryKey: [company] })
    notify(t('The change is undone.'))
  }
  /** `tag`: of the record as it was saved. */
  const saved = (tag: string | null) => {
    if (tag === null) notify(t('Saved.'))
    else notify(t('Saved.'), { label: t('Undo'), run: () => undo({ tag }) })
  }
  return { undo, saved }
}

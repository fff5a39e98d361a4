import { useNavigate } from '@tanstack/react-router'
import type { ClipboardEvent } from 'react'
import { useMayImport } from '../../service/may-write.ts'
import type { DocumentInfo } from '../../service/metadata.ts'
import type { Column } from './list-columns.ts'

/** What reads a block comes with the first one. */
export function usePaste(company: string, document: DocumentInfo, columns: readonly Column[]) {
  const navigate = useNavigate()
  const isAllowed = useMayImport()(document.name)
  return async ({ clipboardData }: ClipboardEvent) => {
    if (!isAllowed) return
    const text = clipboardData.getData('text/plain')
    const { handOverBlock } = await import('./clipboard.ts')
    if (!handOverBlock(text, document, columns)) return
    await navigate({ to: '/$company/import/$document', params: { company, document: document.name } })
  }
}

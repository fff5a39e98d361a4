import { useNavigate } from '@tanstack/react-router'
import { DeleteButton } from '../../parts/delete-button.tsx'
import { documentPath } from '../../service/archive.ts'
import { t } from '../../words/words.ts'

interface DeleteDocumentProps {
  readonly company: string
  readonly id: string
  readonly title: string
  readonly tag: string
}

export function DeleteDocument({ company, id, title, tag }: DeleteDocumentProps) {
  const navigate = useNavigate()
  return (
    <DeleteButton
      path={documentPath(id)}
      tag={tag}
      what={title}
      consequence={t('It leaves the lists; by its id it can still be read.')}
      onDeleted={() => void navigate({ to: '/$company/documents', params: { company } })}
    />
  )
}

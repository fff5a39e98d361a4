import { Button, Popover, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { notify } from '../../parts/notices.tsx'
import { fetchService } from '../../service/client.ts'
import { addressOf, type Question } from '../../service/question.ts'
import { saveFile } from '../../service/save-file.ts'
import { t } from '../../words/words.ts'
import type { Column } from './list-columns.ts'

const FORMS = {
  Excel: { format: 'excel', ending: 'csv' },
  CSV: { format: 'csv', ending: 'csv' },
  NDJSON: { format: 'ndjson', ending: 'ndjson' },
  Parquet: { format: 'parquet', ending: 'parquet' },
} as const

interface DownloadMenuProps {
  readonly company: string
  readonly question: Question
  readonly columns: readonly Column[]
  readonly onPrint: () => void
}

/** The rows and columns of the view as a file, as this caller may export them, copied, or on paper. */
export function DownloadMenu({ company, question, columns, onPrint }: DownloadMenuProps) {
  const download = useMutation({
    mutationFn: async (name: keyof typeof FORMS) => {
      const { format, ending } = FORMS[name]
      const answer = await fetchService(`${addressOf(company, question)}&$format=${format}`)
      saveFile(await answer.blob(), `${question.document}.${ending}`)
    },
    onError: ({ message }) => notify(t('No file: {{message}}', { message })),
  })
  const copy = async () => {
    const { copyRows } = await import('./clipboard.ts')
    await copyRows(company, question, columns)
  }
  const [isOpen, setOpen] = useState(false)
  const item = (label: string, run: () => void) => (
    <Button
      key={label}
      size="compact-sm"
      variant="subtle"
      color="gray"
      justify="start"
      onClick={() => {
        setOpen(false)
        run()
      }}
    >
      {label}
    </Button>
  )
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" withinPortal={false} trapFocus returnFocus>
      <Popover.Target>
        <Button variant="default" loading={download.isPending} onClick={() => setOpen(!isOpen)}>
          {t('Download')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap={4} miw={120}>
          {Object.keys(FORMS).map((name) => item(name, () => download.mutate(name as keyof typeof FORMS)))}
          {item(t('Copy'), () => void copy())}
          {item(t('Print'), onPrint)}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

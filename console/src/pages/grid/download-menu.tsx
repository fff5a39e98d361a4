import { Button, Menu } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { notify } from '../../parts/notices.tsx'
import { fetchService } from '../../service/client.ts'
import { addressOf, type Question } from '../../service/question.ts'
import { saveFile } from '../../service/save-file.ts'
import { t } from '../../words/words.ts'

const FORMS = {
  Excel: { format: 'excel', ending: 'csv' },
  CSV: { format: 'csv', ending: 'csv' },
  NDJSON: { format: 'ndjson', ending: 'ndjson' },
  Parquet: { format: 'parquet', ending: 'parquet' },
} as const

interface DownloadMenuProps {
  readonly company: string
  readonly question: Question
  readonly onPrint: () => void
}

/** The rows and columns of the view as a file, as this caller may export them, or on paper. */
export function DownloadMenu({ company, question, onPrint }: DownloadMenuProps) {
  const download = useMutation({
    mutationFn: async (name: keyof typeof FORMS) => {
      const { format, ending } = FORMS[name]
      const answer = await fetchService(`${addressOf(company, question)}&$format=${format}`)
      saveFile(await answer.blob(), `${question.document}.${ending}`)
    },
    onError: ({ message }) => notify(t('No file: {{message}}', { message })),
  })
  return (
    <Menu position="bottom-end" withinPortal={false}>
      <Menu.Target>
        <Button size="xs" variant="default" loading={download.isPending}>
          {t('Download')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {Object.keys(FORMS).map((name) => (
          <Menu.Item key={name} onClick={() => download.mutate(name as keyof typeof FORMS)}>
            {name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={onPrint}>{t('Print')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

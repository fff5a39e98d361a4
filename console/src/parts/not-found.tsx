import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useCompany } from '../service/session.ts'
import { t } from '../words/words.ts'
import { Empty } from './empty.tsx'
import { PageFrame } from './page-frame.tsx'

export function NotFound() {
  const { id: company } = useCompany()
  return (
    <PageFrame title={t('There is no such page')}>
      <Empty
        title={t('This address leads nowhere')}
        actions={
          <Button component={Link} to="/$company" params={{ company } as never}>
            {t('To the first page')}
          </Button>
        }
      >
        {t(
          'It may be misspelt, or of another version. The search above (or the key /) finds records, files and pages.',
        )}
      </Empty>
    </PageFrame>
  )
}

import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { t } from '../words/words.ts'
import { Empty } from './empty.tsx'
import { PageFrame } from './page-frame.tsx'

export function NotFound() {
  return (
    <PageFrame title={t('There is no such page')}>
      <Empty title={t('This address leads nowhere')}>
        <Anchor component={Link} to="/">
          {t('To the first page')}
        </Anchor>
      </Empty>
    </PageFrame>
  )
}

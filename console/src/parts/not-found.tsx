import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Empty } from './empty.tsx'
import { PageFrame } from './page-frame.tsx'

export function NotFound() {
  return (
    <PageFrame title="There is no such page">
      <Empty title="This address leads nowhere">
        <Anchor component={Link} to="/">
          To the first page
        </Anchor>
      </Empty>
    </PageFrame>
  )
}

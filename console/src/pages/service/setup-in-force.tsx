import { Button, Group, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Preformatted } from '../../parts/preformatted.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { ShownText } from '../../parts/shown-text.tsx'
import { fetchJson } from '../../service/client.ts'
import { t } from '../../words/words.ts'

export function SetupInForce({ onEdit }: { readonly onEdit: (text: string) => void }) {
  const { data, error } = useQuery({
    queryKey: ['administration', 'setup'],
    queryFn: () => fetchJson<{ setup: string }>('/console/api/administration/setup'),
  })
  return (
    <section aria-label={t('Setup in force')}>
      <Group justify="space-between">
        <Title order={2}>{t('Setup in force')}</Title>
        {data && (
          <Group gap="xs">
            <CopyButton text={data.setup}>{t('Copy')}</CopyButton>
            <Button size="xs" variant="default" onClick={() => onEdit(data.setup)}>
              {t('Try a change below')}
            </Button>
          </Group>
        )}
      </Group>
      {error && <ProblemNote error={error} />}
      {!data && !error && <Loading />}
      {data && (
        <Preformatted>
          <ShownText text={data.setup} length={20_000} />
        </Preformatted>
      )}
    </section>
  )
}

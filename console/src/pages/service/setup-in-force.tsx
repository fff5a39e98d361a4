import { Button, Group, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Preformatted } from '../../parts/preformatted.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { ShownText } from '../../parts/shown-text.tsx'
import { fetchJson } from '../../service/client.ts'

export function SetupInForce({ onEdit }: { readonly onEdit: (text: string) => void }) {
  const { data, error } = useQuery({
    queryKey: ['administration', 'setup'],
    queryFn: () => fetchJson<{ setup: string }>('/console/api/administration/setup'),
  })
  return (
    <section aria-label="Setup in force">
      <Group justify="space-between">
        <Title order={2}>Setup in force</Title>
        {data && (
          <Group gap="xs">
            <CopyButton text={data.setup}>Copy</CopyButton>
            <Button size="xs" variant="default" onClick={() => onEdit(data.setup)}>
              Try a change below
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

// What somebody should look at: webhooks that fail, and imports with rejected rows.
import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ShownText } from '../../parts/shown-text.tsx'
import { fetchJson } from '../../service/client.ts'
import { useMay } from '../../service/session.ts'

interface Subscription {
  readonly id: string
  readonly status: string
  readonly url?: string
}

const STATES_OF_CONCERN = ['paused', 'failing', 'disabled']

export function Attention({ company }: { readonly company: string }) {
  const may = useMay()
  const { data } = useQuery({
    queryKey: [company, 'subscriptions'],
    enabled: may('subscriptions:read'),
    queryFn: async () => {
      const answer = await fetchJson<Subscription[] | { subscriptions?: Subscription[] }>(
        `/v1/subscriptions?companyId=${encodeURIComponent(company)}`,
      )
      return Array.isArray(answer) ? answer : (answer.subscriptions ?? [])
    },
  })
  const failing = data?.filter(({ status }) => STATES_OF_CONCERN.includes(status)) ?? []
  if (failing.length === 0) return null
  return (
    <Alert color="orange" variant="light" title="Webhooks that need attention">
      <ul>
        {failing.map(({ id, status, url }) => (
          <li key={id}>
            <ShownText text={url ?? id} length={80} />: {status}
          </li>
        ))}
      </ul>
    </Alert>
  )
}

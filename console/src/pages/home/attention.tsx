// What somebody should look at: webhooks that fail, imports with rejected rows, documents of a mirror that are not
// followed, and a service that is not well.
import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ShownText } from '../../parts/shown-text.tsx'
import { fetchJson } from '../../service/client.ts'
import { useMirror } from '../../service/mirror.ts'
import { useMay } from '../../service/session.ts'
import { concernOf, subscriptionsQuery } from '../../service/subscriptions.ts'
import { useTitles } from '../../shell/document-title.ts'

interface BatchOperation {
  readonly id: string
  readonly document: string
  readonly status: string
  readonly rejected: number
  readonly createdAt: string
}

/** Ended by an error, or by the service. */
const FAILED = ['E', 'T']
const RECENT_MS = 7 * 86_400_000

export function Attention({ company }: { readonly company: string }) {
  const may = useMay()
  const titleOf = useTitles()
  const { data: subscriptions = [] } = useQuery({
    ...subscriptionsQuery(company),
    enabled: may('subscriptions:read'),
  })
  const { data: imports = [] } = useQuery({
    queryKey: [company, 'batch-operations'],
    queryFn: () => fetchJson<BatchOperation[]>(`/v1/batch-operations?companyId=${encodeURIComponent(company)}`),
    retry: false,
  })
  // It answers 503 while the service is not well.
  const { error: unwell } = useQuery({
    queryKey: ['ready'],
    queryFn: () => fetchJson<{ status: string }>('/health/ready'),
    refetchInterval: 60_000,
    retry: false,
  })
  const failing = subscriptions.flatMap((one) => {
    const concern = concernOf(one)
    return concern === undefined ? [] : [{ id: one.id, name: one.name || one.url, concern }]
  })
  const unfollowed = useMirror()?.documents.filter(({ problem }) => problem !== '') ?? []
  const since = Date.now() - RECENT_MS
  const rejected = imports.filter(
    ({ rejected: rows, status, createdAt }) => Date.parse(createdAt) > since && (rows > 0 || FAILED.includes(status)),
  )
  if (failing.length + rejected.length + unfollowed.length === 0 && !unwell) return null
  return (
    <Alert color="orange" variant="light" title="This needs attention">
      <ul>
        {unwell && <li>The service is not ready: {unwell.message}</li>}
        {failing.map(({ id, name, concern }) => (
          <li key={id}>
            The webhook{' '}
            <Link to="/$company/integrations" params={{ company }}>
              <ShownText text={name} length={80} />
            </Link>{' '}
            is {concern}
          </li>
        ))}
        {unfollowed.length > 0 && (
          <li>
            The{' '}
            <Link to="/$company/mirror" params={{ company }}>
              mirror
            </Link>{' '}
            does not follow {unfollowed.map(({ name }) => titleOf(name)).join(', ')}
          </li>
        )}
        {rejected.map(({ id, document, rejected: rows, createdAt }) => (
          <li key={id}>
            The import of {document} of {createdAt.slice(0, 16).replace('T', ' ')}{' '}
            {rows > 0 ? `has ${rows} rejected rows` : 'has failed'}
          </li>
        ))}
      </ul>
    </Alert>
  )
}

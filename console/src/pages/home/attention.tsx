// What somebody should look at: webhooks that fail, imports with rejected rows, documents of a mirror that are not
// followed, and a service that is not well.
import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { timeText } from '../../parts/field-value.tsx'
import { ShownText } from '../../parts/shown-text.tsx'
import { fetchJson } from '../../service/client.ts'
import { useMirror } from '../../service/mirror.ts'
import { useMay } from '../../service/session.ts'
import { concernOf, subscriptionsQuery } from '../../service/subscriptions.ts'
import { useTitles } from '../../shell/document-title.ts'
import { sentence } from '../../words/sentence.tsx'
import { listText, t } from '../../words/words.ts'

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
    <Alert color="orange" variant="light" title={t('This needs attention')}>
      <ul>
        {unwell && <li>{t('The service is not ready: {{reason}}', { reason: unwell.message })}</li>}
        {failing.map(({ id, name, concern }) => (
          <li key={id}>
            {sentence('The webhook {{webhook}}: {{concern}}', {
              webhook: (
                <Link to="/$company/integrations" params={{ company }}>
                  <ShownText text={name} length={80} />
                </Link>
              ),
              concern,
            })}
          </li>
        ))}
        {unfollowed.length > 0 && (
          <li>
            {sentence('The {{mirror}} does not follow {{documents}}', {
              mirror: (
                <Link to="/$company/mirror" params={{ company }}>
                  {t('mirror')}
                </Link>
              ),
              documents: listText(unfollowed.map(({ name }) => titleOf(name))),
            })}
          </li>
        )}
        {rejected.map(({ id, document, rejected: rows, createdAt }) => (
          <li key={id}>
            {rows > 0
              ? t('Import of {{document}}, {{time}}: {{count}} rows were rejected', {
                  document: titleOf(document),
                  time: timeText(createdAt),
                  count: rows,
                })
              : t('Import of {{document}}, {{time}}: failed', {
                  document: titleOf(document),
                  time: timeText(createdAt),
                })}
          </li>
        ))}
      </ul>
    </Alert>
  )
}

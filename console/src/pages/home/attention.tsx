// What waits for somebody: webhooks that fail, imports with rejected rows, documents that expire, documents of a mirror
// that are not followed, and a service that is not well. What cannot be read is left out.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { timeText } from '../../parts/field-value.tsx'
import { Icon } from '../../parts/icon.tsx'
import { ShownText } from '../../parts/shown-text.tsx'
import { fetchJson, fetchService } from '../../service/client.ts'
import { useMirror } from '../../service/mirror.ts'
import { addressOf } from '../../service/question.ts'
import { useMay } from '../../service/session.ts'
import { concernOf, type Subscription, subscriptionsQuery } from '../../service/subscriptions.ts'
import { useTitles } from '../../shell/document-title.ts'
import { sentence } from '../../words/sentence.tsx'
import { listText, t } from '../../words/words.ts'
import classes from './home.module.css'
import { Part } from './part.tsx'

interface BatchOperation {
  readonly id: string
  readonly document: string
  readonly status: string
  readonly rejected: number
  /** Whether it was a preview, which has stored nothing. */
  readonly validateOnly: boolean
  readonly createdAt: string
}

interface Waiting {
  readonly key: string
  readonly text: ReactNode
}

/** Ended by an error, or by the service. */
const FAILED = ['E', 'T']
const DAY_MS = 86_400_000
const RECENT_MS = 7 * DAY_MS
const EXPIRY_DAYS = 30

export function Attention({ company }: { readonly company: string }) {
  const waiting = [
    ...useService(),
    ...useWebhooks(company),
    ...useUnfollowed(company),
    ...useImports(company),
    ...useExpiring(company),
  ]
  if (waiting.length === 0) return null
  return (
    <Part title={t('What waits for you')}>
      <ul className={classes.list}>
        {waiting.map(({ key, text }) => (
          <li key={key}>
            <span>
              <Icon name="warning" size={16} /> {text}
            </span>
          </li>
        ))}
      </ul>
    </Part>
  )
}

/** It answers 503 while the service is not well. */
function useService(): Waiting[] {
  const { error } = useQuery({
    queryKey: ['ready'],
    queryFn: () => fetchJson<{ status: string }>('/health/ready'),
    refetchInterval: 60_000,
    retry: false,
  })
  return error ? [{ key: 'service', text: t('The service is not ready: {{reason}}', { reason: error.message }) }] : []
}

function useWebhooks(company: string): Waiting[] {
  const may = useMay()
  const { data = [] } = useQuery({ ...subscriptionsQuery(company), enabled: may('subscriptions:read') })
  return data.flatMap((one) => {
    const concern = concernOf(one)
    if (concern === undefined) return []
    const text = sentence('The webhook {{webhook}}: {{concern}}', { webhook: webhookLink(company, one), concern })
    return [{ key: `webhook ${one.id}`, text }]
  })
}

const webhookLink = (company: string, { name, url }: Subscription) => (
  <Link to="/$company/integrations" params={{ company }}>
    <ShownText text={name || url} length={80} />
  </Link>
)

function useUnfollowed(company: string): Waiting[] {
  const titleOf = useTitles()
  const unfollowed = useMirror()?.documents.filter(({ problem }) => problem !== '') ?? []
  if (unfollowed.length === 0) return []
  const mirror = (
    <Link to="/$company/mirror" params={{ company }}>
      {t('mirror')}
    </Link>
  )
  const documents = listText(unfollowed.map(({ name }) => titleOf(name)))
  const text = sentence('The {{mirror}} does not follow {{documents}}', { mirror, documents })
  return [{ key: 'mirror', text }]
}

function useImports(company: string): Waiting[] {
  const titleOf = useTitles()
  const { data = [] } = useQuery({
    queryKey: [company, 'batch-operations'],
    queryFn: () => fetchJson<BatchOperation[]>(`/v1/batch-operations?companyId=${encodeURIComponent(company)}`),
  })
  const since = Date.now() - RECENT_MS
  const rejected = data.filter(
    ({ rejected: rows, status, createdAt, validateOnly }) =>
      !validateOnly && Date.parse(createdAt) > since && (rows > 0 || FAILED.includes(status)),
  )
  return rejected.map(({ id, document, rejected: rows, createdAt }) => {
    const named = { document: importLink(company, document, titleOf(document)), time: timeText(createdAt) }
    const text =
      rows > 0
        ? sentence('Import of {{document}}, {{time}}: {{count}} rows were rejected', { ...named, count: rows })
        : sentence('Import of {{document}}, {{time}}: failed', named)
    return { key: `import ${id}`, text }
  })
}

const importLink = (company: string, document: string, title: string) => (
  <Link to="/$company/import/$document" params={{ company, document }}>
    {title}
  </Link>
)

/** Documents of the archive that expire in the next days. */
function useExpiring(company: string): Waiting[] {
  const may = useMay()
  const day = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)
  const filter = `expiryDate ge ${day(0)} and expiryDate le ${day(EXPIRY_DAYS)}`
  const { data = 0 } = useQuery({
    queryKey: [company, 'expiring', filter],
    enabled: may('objects:read/document-archive'),
    queryFn: async () => {
      const answer = await fetchService(addressOf(company, { document: 'document-archive', filter }), {
        method: 'HEAD',
      })
      return Number(answer.headers.get('x-erp-total-count'))
    },
  })
  if (data === 0) return []
  const text = (
    <Link to="/$company/grid/$document" params={{ company, document: 'document-archive' }} search={{ filter } as never}>
      {t('{{count}} documents expire within {{days}} days', { count: data, days: EXPIRY_DAYS })}
    </Link>
  )
  return [{ key: 'expiring', text }]
}

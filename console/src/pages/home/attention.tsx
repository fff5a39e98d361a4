// What waits for somebody: webhooks that fail, imports with rejected rows, records that expire, documents of a mirror
// that are not followed, and a service that is not well. What cannot be read is left out.
import { useQueries, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { timeText } from '../../parts/field-value.tsx'
import { Icon } from '../../parts/icon.tsx'
import { ShownText } from '../../parts/shown-text.tsx'
import { fetchJson, fetchService } from '../../service/client.ts'
import {
  type DocumentInfo,
  type FieldInfo,
  fieldTitle,
  isOwn,
  PLUMBING,
  useDescriptions,
  useDocuments,
} from '../../service/metadata.ts'
import { useMirror } from '../../service/mirror.ts'
import { addressOf } from '../../service/question.ts'
import { useMay } from '../../service/session.ts'
import { concernOf, type Subscription, subscriptionsQuery } from '../../service/subscriptions.ts'
import { useTitles } from '../../shell/document-title.ts'
import { sentence } from '../../words/sentence.tsx'
import { listText, t } from '../../words/words.ts'
import { type Condition, filterOf } from '../grid/filter/conditions.ts'
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
/** Nothing ends between two looks at the page. */
const KEPT_MS = 300_000

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

/** Records whose validity, as their document declares its end, is over in the next days. */
function useExpiring(company: string): Waiting[] {
  const { data: documents = [] } = useDocuments()
  const names = documents.map(({ name }) => name).filter((name) => !PLUMBING.has(name))
  const described = useDescriptions(names)
  const ends = described.flatMap(({ data }) => (data ? endsOf(data) : []))
  const counts = useQueries({
    queries: ends.map(({ document, filter }) => ({
      queryKey: [company, 'expiring', document.name, filter],
      queryFn: async () => {
        const { headers } = await fetchService(addressOf(company, { document: document.name, filter }), {
          method: 'HEAD',
        })
        return Number(headers.get('x-erp-total-count'))
      },
      staleTime: KEPT_MS,
      retry: false,
    })),
  })
  return ends.flatMap((end, at) => {
    const count = counts[at]?.data ?? 0
    return count === 0 ? [] : [{ key: `end ${end.document.name} ${end.filter}`, text: endLink(company, end, count) }]
  })
}

function endLink(company: string, { document: { name, schema }, field, filter }: End, count: number) {
  return (
    <Link to="/$company/grid/$document" params={{ company, document: name }} search={{ filter } as never}>
      {t('{{document}}: {{count}} end within {{days}} days ({{field}})', {
        document: schema.title ?? name,
        count,
        days: EXPIRY_DAYS,
        field: fieldTitle(field),
      })}
    </Link>
  )
}

/** A day that is this one where nobody gives it is an end that is open. */
const OPEN_END = '2099-12-31'

interface End {
  readonly document: DocumentInfo
  readonly field: FieldInfo
  /** Those that end in the next days, and are not closed by then. */
  readonly filter: string
}

function endsOf(document: DocumentInfo): End[] {
  const state = document.record['x-erp-state']
  const open: Condition[] = state ? [{ path: state.property, operator: 'isNot', values: [state.closed] }] : []
  return document.fields
    .filter((field) => isOwn(field) && field.isFilterable && String(field.schema.default).startsWith(OPEN_END))
    .map((field) => {
      const soon: Condition = { path: field.path, operator: 'between', values: [dayIn(0), dayIn(EXPIRY_DAYS)] }
      return { document, field, filter: filterOf([soon, ...open], document.fields) }
    })
}

const dayIn = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)

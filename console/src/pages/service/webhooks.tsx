// The webhooks of all companies in which the person may see them; each leads to the page where it is tried and mended.
import { Text } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { DataTable } from '../../parts/data-table.tsx'
import { Empty } from '../../parts/empty.tsx'
import { numberText } from '../../parts/field-value.tsx'
import { Loading } from '../../parts/loading.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { ShownText } from '../../parts/shown-text.tsx'
import { useSession } from '../../service/session.ts'
import { concernOf, type Subscription, subscriptionsQuery } from '../../service/subscriptions.ts'
import { t } from '../../words/words.ts'
import classes from './service.module.css'

const REFRESH_MS = 10_000
/** Each is asked by itself. */
const MOST_COMPANIES = 50

interface Webhook extends Subscription {
  readonly company: string
  readonly companyName: string
}

export function WebhooksPart() {
  const { companies } = useSession()
  const asked = companies
    .filter(({ permissions }) => permissions.includes('subscriptions:read'))
    .slice(0, MOST_COMPANIES)
  const answers = useQueries({
    queries: asked.map(({ id }) => ({ ...subscriptionsQuery(id), refetchInterval: REFRESH_MS })),
  })
  const failed = answers.find(({ error }) => error)
  if (failed?.error) return <ProblemNote error={failed.error} onRetry={() => void failed.refetch()} />
  if (answers.some(({ data }) => data === undefined)) return <Loading />
  const webhooks = asked.flatMap(({ id, name = id }, at) =>
    (answers[at]?.data ?? []).map((webhook) => ({ ...webhook, company: id, companyName: name })),
  )
  return (
    <div className={classes.section}>
      <Text size="sm" c="dimmed">
        {t('Who is told of changes. A webhook is made, tried and paused on the page of its company.')}
      </Text>
      {webhooks.length === 0 ? (
        <Empty title={t('Nobody has subscribed')} icon="plug">
          {t('A webhook is made on the page Integrations of its company.')}
        </Empty>
      ) : (
        <DataTable<Webhook>
          label={t('Webhooks')}
          rows={webhooks}
          keyOf={({ company, id }) => `${company} ${id}`}
          columns={{
            ...(companies.length > 1 ? { [t('Company')]: ({ companyName }) => <ShownText text={companyName} /> } : {}),
            [t('Webhook')]: ({ company, name, url }) => (
              <Link to="/$company/integrations" params={{ company }}>
                <ShownText text={name || url} length={60} />
              </Link>
            ),
            [t('Address')]: ({ url }) => <ShownText text={url} length={80} />,
            [t('State')]: (webhook) => concernOf(webhook) ?? t('active'),
            [t('To be sent')]: ({ pending }) => numberText(String(pending)),
            [t('Given up')]: ({ deadLetters }) => numberText(String(deadLetters)),
          }}
        />
      )}
    </div>
  )
}

// How many records were created in each of the last weeks, by the change log.
import { Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { dateText } from '../../parts/field-value.tsx'
import { Loading } from '../../parts/loading.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { fetchService } from '../../service/client.ts'
import { addressOf } from '../../service/question.ts'
import { t } from '../../words/words.ts'
import { type Total, Totals } from './totals.tsx'

const WEEKS = 8
const DAY_MS = 86_400_000
const WEEK_MS = 7 * DAY_MS

export function Growth({ company }: { readonly company: string }) {
  const { data, error } = useQuery({
    queryKey: [company, 'growth'],
    queryFn: () => Promise.all(weeksUntil(Date.now()).map((from) => createdIn(company, from))),
    staleTime: 300_000,
  })
  return (
    <section aria-label={t('Growth by week')}>
      <Title order={2}>{t('Records created, by week')}</Title>
      {error && <ProblemNote error={error} />}
      {!data && !error && <Loading />}
      {data && <Totals totals={data} label={t('Records created by week')} />}
    </section>
  )
}

/** The first days of the last weeks: Mondays, in UTC. */
function weeksUntil(now: number): Date[] {
  const today = Math.floor(now / DAY_MS)
  // The day 0 was a Thursday.
  const monday = (today - ((today + 3) % 7)) * DAY_MS
  return Array.from({ length: WEEKS }, (_, place) => new Date(monday - (WEEKS - 1 - place) * WEEK_MS))
}

async function createdIn(company: string, from: Date): Promise<Total> {
  const until = new Date(from.getTime() + WEEK_MS)
  const filter = `operation eq 'create' and at ge ${from.toISOString()} and at lt ${until.toISOString()}`
  const { headers } = await fetchService(addressOf(company, { document: 'audit-entries', filter }), { method: 'HEAD' })
  return { label: dateText(from.toISOString().slice(0, 10)), value: Number(headers.get('x-erp-total-count')) }
}

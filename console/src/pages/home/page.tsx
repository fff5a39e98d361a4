// What the company holds, what was changed last, and the ledger by period.
import { Title } from '@mantine/core'
import { useQueries, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { numberText } from '../../parts/field-value.tsx'
import { Loading } from '../../parts/loading.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { documentTypesQuery } from '../../service/archive.ts'
import { fetchJson, fetchService } from '../../service/client.ts'
import { useDocuments } from '../../service/metadata.ts'
import { addressOf, type Question } from '../../service/question.ts'
import { useCompany, useMay } from '../../service/session.ts'
import { useTitles } from '../../shell/document-title.ts'
import { t } from '../../words/words.ts'
import { Attention } from './attention.tsx'
import { Growth } from './growth.tsx'
import classes from './home.module.css'
import { RecentChanges } from './recent-changes.tsx'
import { type Total, Totals } from './totals.tsx'

export function HomePage() {
  const { id, name } = useCompany()
  const { data: documents, error } = useDocuments()
  const mayRead = (document: string) => documents?.some((one) => one.name === document) ?? false
  return (
    <PageFrame title={name ?? id} description={t('What this company holds.')}>
      {error && <ProblemNote error={error} />}
      <Counts company={id} documents={documents?.map((document) => document.name)} />
      <Attention company={id} />
      <div className={classes.columns}>
        {mayRead('audit-entries') && <RecentChanges company={id} />}
        {mayRead('audit-entries') && <Growth company={id} />}
        {mayRead('general-ledger-transactions') && <Ledger company={id} />}
        {mayRead('document-archive') && <DocumentTypes company={id} />}
      </div>
    </PageFrame>
  )
}

/** Shown at their places from the start, so that nothing moves when the numbers come. */
function Counts({
  company,
  documents,
}: {
  readonly company: string
  readonly documents: readonly string[] | undefined
}) {
  const counts = useQueries({
    queries: (documents ?? []).map((document) => {
      const address = addressOf(company, { document })
      return {
        queryKey: [company, 'count', address],
        queryFn: async ({ signal }: { signal: AbortSignal }) => {
          const { headers } = await fetchService(address, { method: 'HEAD', signal })
          return Number(headers.get('x-erp-total-count'))
        },
      }
    }),
  })
  const titleOf = useTitles()
  if (!documents) return <Loading lines={3} />
  return (
    <ul className={classes.counts} aria-label={t('Records by document')}>
      {documents.map((document, place) => (
        <li key={document}>
          <Link to="/$company/grid/$document" params={{ company, document }} className={classes.count}>
            <strong>{counts[place]?.data === undefined ? '…' : numberText(String(counts[place].data))}</strong>
            <span>{titleOf(document)}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

function useTotals(company: string, question: Question, read: (row: Record<string, unknown>) => Total) {
  return useQuery({
    queryKey: [company, 'totals', question],
    queryFn: async () => (await fetchJson<Record<string, unknown>[]>(addressOf(company, question))).map(read),
    staleTime: 60_000,
  })
}

const LEDGER: Question = {
  document: 'general-ledger-transactions',
  filter: 'amounts/amount gt 0',
  groupBy: 'period',
  aggregate: 'sum(amounts/amount) as total',
  orderBy: 'period desc',
  limit: 12,
}

function Ledger({ company }: { readonly company: string }) {
  const { data, error } = useTotals(company, LEDGER, ({ period, total }) => ({
    label: String(period).replace(/(\d{4})(\d\d)/, '$1-$2'),
    value: Number(total),
  }))
  return (
    <section aria-label={t('Ledger by period')}>
      <Title order={2}>{t('Ledger: debits by period')}</Title>
      {error && <ProblemNote error={error} />}
      {!data && !error && <Loading />}
      {data && <Totals totals={data.toReversed()} label={t('Debits by period')} />}
    </section>
  )
}

const ARCHIVE: Question = {
  document: 'document-archive',
  groupBy: 'docType',
  aggregate: 'count() as total',
  orderBy: 'total desc',
  limit: 12,
}

function DocumentTypes({ company }: { readonly company: string }) {
  const { data, error } = useTotals(company, ARCHIVE, ({ docType, total }) => ({
    label: String(docType),
    value: Number(total),
  }))
  const { data: types = [] } = useQuery({ ...documentTypesQuery(company), enabled: useMay()('documents:read') })
  const named = data?.map(({ label, value }) => ({
    label: types.find(({ id }) => id === label)?.description ?? label,
    value,
  }))
  return (
    <section aria-label={t('Documents by type')}>
      <Title order={2}>{t('Documents by type')}</Title>
      {error && <ProblemNote error={error} />}
      {!data && !error && <Loading />}
      {named && <Totals totals={named} label={t('Documents by type')} />}
    </section>
  )
}

// The debit of the ledger by period, as bars; where it is not known, nothing.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense } from 'react'
import { Plot } from '../../parts/lazy-plot.tsx'
import { fetchJson } from '../../service/client.ts'
import { addressOf } from '../../service/question.ts'
import { t } from '../../words/words.ts'
import classes from './home.module.css'
import { Alone, Part } from './part.tsx'

const LEDGER = 'general-ledger-transactions'

export function LedgerPlot({ company }: { readonly company: string }) {
  const { data, isError } = useQuery({
    queryKey: [company, 'ledger-plot'],
    staleTime: 60_000,
    queryFn: () =>
      fetchJson<{ period: number; total: number }[]>(
        addressOf(company, {
          document: LEDGER,
          filter: 'amounts/amount gt 0',
          groupBy: 'period',
          aggregate: 'sum(amounts/amount) as total',
          orderBy: 'period desc',
          limit: 12,
        }),
      ),
  })
  if (isError || (data && data.length < 2)) return null
  const points = data?.toReversed().map(({ period, total }) => ({
    label: String(period).replace(/^(\d{4})(\d\d)$/, '$1-$2'),
    value: Number(total),
  }))
  const label = t('Debit of the ledger by period')
  const space = <div className={classes.plotSpace} />
  return (
    <Alone>
      <Part
        title={label}
        more={
          <Link to="/$company/balances/$document" params={{ company, document: LEDGER }}>
            {t('Balances')}
          </Link>
        }
      >
        <Suspense fallback={space}>{points ? <Plot points={points} label={label} /> : space}</Suspense>
      </Part>
    </Alone>
  )
}

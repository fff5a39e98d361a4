// The debit of the ledger by period, as bars; where it is not known, nothing.
import { Group, NativeSelect } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense, useMemo, useState } from 'react'
import { PLOT_SPACE, Plot } from '../../parts/lazy-plot.tsx'
import type { PlotPoint } from '../../parts/plot.tsx'
import { fetchJson } from '../../service/client.ts'
import { addressOf } from '../../service/question.ts'
import { t } from '../../words/words.ts'
import classes from './home.module.css'
import { Alone, Part } from './part.tsx'

const LEDGER = 'general-ledger-transactions'

interface PeriodSum {
  readonly period: number
  readonly total: number
}

/** Numbers of periods. */
const RANGES = [6, 12, 24, 60]

export function LedgerPlot({ company }: { readonly company: string }) {
  const [limit, setLimit] = useState(12)
  const { data, isError } = useQuery({
    queryKey: [company, 'ledger-plot', limit],
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    queryFn: () =>
      fetchJson<readonly PeriodSum[]>(
        addressOf(company, {
          document: LEDGER,
          filter: 'amounts/amount gt 0',
          groupBy: 'period',
          aggregate: 'sum(amounts/amount) as total',
          orderBy: 'period desc',
          limit,
        }),
      ),
  })
  const points = useMemo(() => data && pointsOf(data), [data])
  if (isError || (data && data.length < 2)) return null
  const label = t('Debit of the ledger by period')
  return (
    <Alone>
      <Part
        title={label}
        more={
          <Group gap="sm">
            <NativeSelect
              size="xs"
              aria-label={t('Which periods')}
              value={String(limit)}
              data={RANGES.map((range) => ({
                value: String(range),
                label: t('The last {{number}} periods', { number: range }),
              }))}
              onChange={({ currentTarget }) => setLimit(Number(currentTarget.value))}
            />
            <Link className={classes.beside} to="/$company/balances/$document" params={{ company, document: LEDGER }}>
              {t('Balances')}
            </Link>
          </Group>
        }
      >
        <Suspense fallback={PLOT_SPACE}>{points ? <Plot points={points} label={label} /> : PLOT_SPACE}</Suspense>
      </Part>
    </Alone>
  )
}

/** The oldest first. */
const pointsOf = (sums: readonly PeriodSum[]): readonly PlotPoint[] =>
  sums.toReversed().map(({ period, total }) => ({
    label: String(period).replace(/^(\d{4})(\d\d)$/, '$1-$2'),
    value: Number(total),
  }))

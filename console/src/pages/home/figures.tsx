// Two or three figures that say how the company stands: what was booked in the last period, and what is still open.
import { useQueries } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { amountText } from '../../parts/field-value.tsx'
import { fetchService } from '../../service/client.ts'
import { parseExact } from '../../service/exact-json.ts'
import { differenceOf, isNegative } from '../../service/exact-sums.ts'
import { type DocumentInfo, documentQuery, type FieldInfo, useDocuments } from '../../service/metadata.ts'
import { addressOf, type Question, valueIn } from '../../service/question.ts'
import { useTitles } from '../../shell/document-title.ts'
import { t } from '../../words/words.ts'
import { axisLabel, firstColumns, isPeriod, rangeOf } from '../balances/axes.ts'
import { amountFields } from '../balances/view.ts'
import classes from './home.module.css'

const MOST = 3

interface Figure {
  readonly amount: string
  readonly note: string
}

export function Figures({ company }: { readonly company: string }) {
  const { data: documents = [] } = useDocuments()
  const described = useQueries({ queries: documents.map(({ name }) => documentQuery(company, name)) })
  const asked = described.flatMap(({ data }) => (data && figureOf(data)) ?? []).slice(0, MOST)
  const answers = useQueries({
    queries: asked.map((one) => ({
      queryKey: [company, 'figure', one.question],
      staleTime: 60_000,
      retry: false,
      queryFn: () => readFigure(company, one),
    })),
  })
  const titleOf = useTitles()
  if (asked.length === 0) return null
  return (
    <ul className={classes.figures} aria-label={t('Figures')}>
      {asked.map(({ question: { document } }, at) => {
        const { data, isError } = answers[at] ?? {}
        return (
          !isError && (
            <li key={document}>
              <Link to="/$company/balances/$document" params={{ company, document }} className={classes.figure}>
                <span>{titleOf(document)}</span>
                <strong>{data ? amountText(data.amount) : '…'}</strong>
                <span>{data?.note ?? '…'}</span>
              </Link>
            </li>
          )
        )
      })}
    </ul>
  )
}

interface Asked {
  readonly question: Question
  readonly figureOf: (rows: readonly Record<string, unknown>[]) => Figure
}

/** Vouchers: the debit of the last two periods. Records with a state: those that are open. Others: those of this month. */
function figureOf(document: DocumentInfo): Asked | undefined {
  const { name, record } = document
  const [amount] = amountFields(document)
  const columns = firstColumns(document)
  const state = record['x-erp-state']
  const balance = record['x-erp-voucher']?.balance
  if (balance !== undefined && columns && isPeriod(columns)) return debitOfPeriods(document, balance, columns)
  if (!amount) return undefined
  const aggregate = `sum(${amount.path}) as total,count() as number`
  const counted = (note: (count: number) => string) => (rows: readonly Record<string, unknown>[]) => ({
    amount: String(rows[0]?.total ?? '0'),
    note: `${amount.titles.at(-1)}, ${note(Number(rows[0]?.number ?? 0))}`,
  })
  if (state) {
    const filter = `${state.property} ne '${state.closed.replaceAll("'", "''")}'`
    return {
      question: { document: name, filter, aggregate },
      figureOf: counted((count) => t('open, in {{count}} records', { count })),
    }
  }
  if (columns?.kind !== 'date-time') return undefined
  const month = new Date().toISOString().slice(0, 7)
  return {
    question: { document: name, filter: rangeOf(columns, month, month), aggregate },
    figureOf: counted((count) => t('{{month}}, in {{count}} records', { month, count })),
  }
}

function debitOfPeriods({ name }: DocumentInfo, balance: string, period: FieldInfo): Asked {
  const { path } = period
  const labelOf = (row: Record<string, unknown>) => axisLabel(period, { code: String(valueIn(row, period).value) })
  return {
    question: {
      document: name,
      filter: `${balance} gt 0`,
      groupBy: path,
      aggregate: `sum(${balance}) as total`,
      orderBy: `${path} desc`,
      limit: 2,
    },
    figureOf([last, before]) {
      if (!last) return { amount: '0', note: '' }
      const amount = String(last.total)
      const shown = t('debit in {{period}}', { period: labelOf(last) })
      if (!before) return { amount, note: shown }
      const difference = differenceOf(amount, String(before.total))
      const signed = isNegative(difference) ? amountText(difference) : `+${amountText(difference)}`
      const compared = t('{{difference}} against {{period}}', { difference: signed, period: labelOf(before) })
      return { amount, note: `${shown}, ${compared}` }
    },
  }
}

async function readFigure(company: string, { question, figureOf }: Asked): Promise<Figure> {
  const answer = await fetchService(addressOf(company, question))
  return figureOf(parseExact<Record<string, unknown>[]>(await answer.text()))
}

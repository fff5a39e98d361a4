// What a figure of Home is now, in the words of the reader.
import { amountText, numberText } from '../../parts/field-value.tsx'
import { fetchService } from '../../service/client.ts'
import { parseExact } from '../../service/exact-json.ts'
import { differenceOf, isNegative, sumOf } from '../../service/exact-sums.ts'
import type { Figure } from '../../service/figures.ts'
import type { DocumentInfo, FieldInfo } from '../../service/metadata.ts'
import { addressOf, type Question, valueIn } from '../../service/question.ts'
import { t } from '../../words/words.ts'
import { allOf, axisLabel, firstColumns, isPeriod, monthBefore, monthOf, rangeOf } from '../balances/axes.ts'
import { amountFields } from '../balances/view.ts'

export interface ShownFigure {
  readonly value: string
  readonly note: string
  /** The last periods, the oldest first; empty where the figure has none. */
  readonly history: readonly PeriodValue[]
  readonly textOf: (value: string) => string
}

export interface PeriodValue {
  readonly label: string
  readonly value: string
}

const MOST_PERIODS = 12
/** The days of a year; points of time may be more. */
const MOST_DAYS = 1_000

type Row = Readonly<Record<string, unknown>>

export async function readFigure(company: string, figure: Figure, info: DocumentInfo): Promise<ShownFigure> {
  const { document, filter = '', sum, by } = figure
  const question = {
    document,
    aggregate: sum === undefined ? 'count() as number' : `sum(${sum}) as total,count() as number`,
  }
  const period = info.fields.find(({ path }) => path === by)
  const textOf = sumText(info, sum)
  if (!period) {
    const [row = {}] = await ask(company, { ...question, filter })
    return { value: textOf(numberOf(row)), note: sum === undefined ? '' : countText(row), history: [], textOf }
  }
  const history = await historyOf(company, { ...question, filter }, period)
  const [last, before] = history.toReversed()
  if (!last) return { value: textOf('0'), note: '', history, textOf }
  const { label, value } = last
  if (!before) return { value: textOf(value), note: label, history, textOf }
  const difference = differenceOf(value, before.value)
  const signed = isNegative(difference) ? textOf(difference) : `+${textOf(difference)}`
  const note = t('{{period}}, {{difference}} against {{before}}', {
    period: label,
    difference: signed,
    before: before.label,
  })
  return { value: textOf(value), note, history, textOf }
}

const numberOf = ({ total, number }: Row): string => String(total ?? number ?? 0)

const countText = ({ number }: Row): string => t('in {{count}} records', { count: Number(number ?? 0) })

/** Amounts have their places, other numbers those that they need. */
function sumText(info: DocumentInfo, sum: string | undefined): (value: string) => string {
  return amountFields(info).some(({ path }) => path === sum)
    ? (value) => amountText(value)
    : (value) => numberText(value)
}

async function ask(company: string, question: Question): Promise<Row[]> {
  return parseExact<Row[]>(await (await fetchService(addressOf(company, question))).text())
}

type Filtered = Question & { readonly filter: string }

/** The last periods that have records; of days, this month and those before, of which two are always told. */
async function historyOf(company: string, question: Filtered, period: FieldInfo): Promise<PeriodValue[]> {
  const { path, kind } = period
  const codeOf = (row: Row) => String(valueIn(row, period).value)
  if (kind !== 'date-time') {
    const rows = await ask(company, { ...question, groupBy: path, orderBy: `${path} desc`, limit: MOST_PERIODS })
    return rows.toReversed().map((row) => ({ label: axisLabel(period, { code: codeOf(row) }), value: numberOf(row) }))
  }
  const months = lastMonths()
  const filter = allOf(question.filter, rangeOf(period, months[0] ?? '', months.at(-1) ?? ''))
  const days = await ask(company, { ...question, filter, groupBy: path, limit: MOST_DAYS })
  if (days.length === MOST_DAYS) return askMonths(company, question, period, months.slice(-2))
  const ofMonth = Map.groupBy(days, (row) => monthOf(codeOf(row), period))
  return months.map((month) => ({ label: month, value: sumOf((ofMonth.get(month) ?? []).map(numberOf)) }))
}

/** The oldest first. */
function lastMonths(): readonly string[] {
  const months = [new Date().toISOString().slice(0, 7)]
  while (months.length < MOST_PERIODS) months.unshift(monthBefore(months[0] ?? ''))
  return months
}

async function askMonths(
  company: string,
  question: Filtered,
  period: FieldInfo,
  months: readonly string[],
): Promise<PeriodValue[]> {
  const answers = months.map((one) =>
    ask(company, { ...question, filter: allOf(question.filter, rangeOf(period, one, one)) }),
  )
  return (await Promise.all(answers)).map(([row = {}], at) => ({ label: months[at] ?? '', value: numberOf(row) }))
}

/** What says most of a document where nobody has chosen: the debit by period, what is open, or what came this month. */
export function automaticFigure(info: DocumentInfo): Figure | undefined {
  const { name: document, record, schema } = info
  const [amount] = amountFields(info)
  const period = firstColumns(info)
  const state = record['x-erp-state']
  const balance = record['x-erp-voucher']?.balance
  const title = schema.title ?? document
  if (balance !== undefined && period && isPeriod(period)) {
    const debit = { document, filter: `${balance} gt 0`, sum: balance, by: period.path }
    return { ...debit, title: t('{{document}}: debit', { document: title }) }
  }
  if (!amount) return undefined
  const summed = { document, sum: amount.path }
  if (state) {
    const filter = `${state.property} ne '${state.closed.replaceAll("'", "''")}'`
    return { ...summed, filter, title: t('{{document}}: open', { document: title }) }
  }
  return period?.kind === 'date-time' ? { ...summed, by: period.path, title } : undefined
}

// What a figure of Home is now, in the words of the reader.
import { amountText, numberText } from '../../parts/field-value.tsx'
import { fetchService } from '../../service/client.ts'
import { parseExact } from '../../service/exact-json.ts'
import { differenceOf, isNegative } from '../../service/exact-sums.ts'
import type { Figure } from '../../service/figures.ts'
import type { DocumentInfo, FieldInfo } from '../../service/metadata.ts'
import { addressOf, type Question, valueIn } from '../../service/question.ts'
import { t } from '../../words/words.ts'
import { allOf, axisLabel, firstColumns, isPeriod, monthBefore, rangeOf } from '../balances/axes.ts'
import { amountFields } from '../balances/view.ts'

export interface ShownFigure {
  readonly value: string
  readonly note: string
}

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
    return { value: textOf(numberOf(row)), note: sum === undefined ? '' : countText(row) }
  }
  const [last, before] = await lastTwo(company, { ...question, filter }, period)
  if (!last) return { value: textOf('0'), note: '' }
  const { label, value } = last
  if (!before) return { value: textOf(value), note: label }
  const difference = differenceOf(value, before.value)
  const signed = isNegative(difference) ? textOf(difference) : `+${textOf(difference)}`
  const note = t('{{period}}, {{difference}} against {{before}}', {
    period: label,
    difference: signed,
    before: before.label,
  })
  return { value: textOf(value), note }
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

interface PeriodValue {
  readonly label: string
  readonly value: string
}

/** The last period that has records and the one before it; of days, this month and the one before. */
async function lastTwo(
  company: string,
  question: Question & { readonly filter: string },
  period: FieldInfo,
): Promise<PeriodValue[]> {
  const { path, kind } = period
  if (kind !== 'date-time') {
    const rows = await ask(company, { ...question, groupBy: path, orderBy: `${path} desc`, limit: 2 })
    return rows.map((row) => ({
      label: axisLabel(period, { code: String(valueIn(row, period).value) }),
      value: numberOf(row),
    }))
  }
  const month = new Date().toISOString().slice(0, 7)
  const months = [month, monthBefore(month)]
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

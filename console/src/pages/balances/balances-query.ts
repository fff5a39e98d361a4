// What the service is asked for a page of balances: first which columns there are, then the sums of the groups.
import { useQuery } from '@tanstack/react-query'
import { fetchService } from '../../service/client.ts'
import { parseExact } from '../../service/exact-json.ts'
import { addressOf, memberAt, type Question } from '../../service/question.ts'
import { type Axis, allOf, axisValueIn, groupItems, isOrdered, monthAfter, monthOf, rangeOf } from './axes.ts'
import { type Pivot, pivotOf } from './pivot.ts'
import type { Chosen, View } from './view.ts'

/** More are no longer read as a table; of an order of columns the last ones are shown. */
export const MOST_COLUMNS = 60
const SHOWN_COLUMNS = 12
/** Groups by days, which are added up to months here. */
export const MOST_GROUPS = 20_000
export const MOST_CELLS = 15_000
/** Such as ten years of months, to choose the first and the last of. */
const MOST_OFFERED = 600

const SUM = 'balanceSum'

export interface Range {
  readonly from: string
  readonly to: string
}

export interface Columns {
  /** In their order. */
  readonly offered: readonly string[]
  /** Undefined where all are shown. */
  readonly range: Range | undefined
  readonly isTooMany: boolean
}

const read = async (company: string, question: Question, signal: AbortSignal): Promise<unknown[]> =>
  parseExact<unknown[]>(await (await fetchService(addressOf(company, question), { signal })).text())

/** Which columns there are; undefined until it is known. */
export function useColumns(company: string, document: string, { columns }: Partial<Chosen>, view: View) {
  const { filter } = view
  return useQuery({
    queryKey: [company, 'balance-columns', document, columns?.path, filter],
    queryFn: ({ signal }) => offeredColumns(company, { document, filter }, columns, signal),
    select: (offered): Columns => {
      const range = columns && isOrdered(columns) ? rangeIn(offered, view) : undefined
      const shown = range ? offered.indexOf(range.to) - offered.indexOf(range.from) + 1 : offered.length
      return { offered, range, isTooMany: shown > MOST_COLUMNS }
    },
  })
}

async function offeredColumns(
  company: string,
  asked: Question,
  field: Axis | undefined,
  signal: AbortSignal,
): Promise<string[]> {
  if (!field) return []
  if (field.kind === 'date-time') return monthsOf(company, asked, field, signal)
  const groupBy = groupItems(field).join(',')
  const question = { ...asked, groupBy, orderBy: `${field.path} desc`, limit: MOST_OFFERED }
  const values = (await read(company, question, signal)).map((row) => axisValueIn(row, field).code)
  return isOrdered(field) ? values.reverse() : values
}

/** From the month of the first day to that of the last one. */
async function monthsOf(company: string, asked: Question, field: Axis, signal: AbortSignal): Promise<string[]> {
  const { path } = field
  const there = allOf(asked.filter ?? '', `${path} ne null`)
  const aggregate = `min(${path}) as first,max(${path}) as last,count() as number`
  const [days] = await read(company, { ...asked, filter: there, aggregate }, signal)
  const at = (name: string) => monthOf(String(memberAt(days, [name]) ?? ''), field)
  if (memberAt(days, ['number']) === 0) return []
  const months = [at('first')]
  while (months.length < MOST_OFFERED && (months.at(-1) ?? '') < at('last')) {
    months.push(monthAfter(months.at(-1) ?? ''))
  }
  return months
}

/** As the address says, or else the last ones. */
function rangeIn(offered: readonly string[], { from, to }: Range): Range | undefined {
  const last = offered.includes(to) ? to : offered.at(-1)
  if (last === undefined) return undefined
  const before = offered.slice(0, offered.indexOf(last) + 1)
  return { from: before.includes(from) ? from : (before.slice(-SHOWN_COLUMNS)[0] ?? last), to: last }
}

/** The groups of rows and columns with their sums. */
export function cellsQuestion(
  document: string,
  { rows, columns, amount }: Chosen,
  filter: string,
  range: Range | undefined,
): Question {
  const within = columns && range ? rangeOf(columns, range.from, range.to) : ''
  return {
    document,
    filter: allOf(filter, within),
    groupBy: [...new Set([...groupItems(rows), ...(columns ? groupItems(columns) : [])])].join(','),
    aggregate: `sum(${amount.path}) as ${SUM}`,
  }
}

/** Undefined in the place of the table where it would have too many cells. */
export function usePivot(company: string, question: Question, { rows, columns }: Chosen, isAsked: boolean) {
  return useQuery({
    queryKey: [company, 'balances', addressOf(company, question)],
    enabled: isAsked,
    queryFn: async ({ signal }): Promise<{ pivot: Pivot | undefined }> => {
      const groups = await read(company, { ...question, limit: MOST_GROUPS + 1 }, signal)
      if (groups.length > MOST_GROUPS) return { pivot: undefined }
      const pivot = pivotOf(groups, { rows, columns, amount: SUM })
      return { pivot: pivot.rows.length * (pivot.columns.length + 1) > MOST_CELLS ? undefined : pivot }
    },
  })
}

// Number series: the next free number of a series, taken in the write that uses it (a refused write gives it back).
import { sql } from 'kysely'
import { statement } from '../../store/statement.ts'
import type { Tx } from '../../store/store.ts'

export interface Numbering {
  readonly series: string
  readonly from: number
  readonly to: number
  readonly prefix: string
  /** Digits of the number, filled up with zeros in front. */
  readonly width: number
}

const takeNext = statement<{ companyId: string; series: string; from: number; to: number }, { last_no: number }>(
  'take_series_number',
  (db, p) =>
    db
      .insertInto('numbering')
      .values({ company_id: p('companyId'), series: p('series'), last_no: p('from') })
      .onConflict((conflict) =>
        conflict
          .columns(['company_id', 'series'])
          .doUpdateSet({
            // A setup may have moved the start of the series upwards.
            last_no: sql<number>`case when numbering.last_no + 1 < excluded.last_no then excluded.last_no else numbering.last_no + 1 end`,
          })
          .where('numbering.last_no', '<', p('to')),
      )
      .returning('last_no'),
)

/** The next id of the series, or nothing, and nothing is changed, when it is used up. */
export async function takeNextId(tx: Tx, { series, from, to, prefix, width }: Numbering): Promise<string | undefined> {
  const row = await tx.first(takeNext, { companyId: tx.companyId, series, from, to })
  return row && prefix + String(row.last_no).padStart(width, '0')
}

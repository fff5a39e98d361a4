// Number series. A number is taken in the transaction that uses it, so a rejected write returns it.
import { sql } from 'kysely'
import type { NumberingRules } from '../../../setup/rules/rules.ts'
import { statement } from '../../../sql/statement.ts'
import type { Tx } from '../../../store/store.ts'

/** Whether the series gives the id. `keepsIds`: one that is given is kept. */
export function takesNumber(numbering: NumberingRules | undefined, id: unknown, keepsIds = false): boolean {
  return numbering !== undefined && !(keepsIds && id !== '')
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
            // A new setup may have raised the start of the series.
            last_no: sql<number>`case when numbering.last_no + 1 < excluded.last_no then excluded.last_no else numbering.last_no + 1 end`,
          })
          .where('numbering.last_no', '<', p('to')),
      )
      .returning('last_no'),
)

const pass = statement<{ companyId: string; series: string; no: number }>('pass_series_number', (db, p) =>
  db
    .insertInto('numbering')
    .values({ company_id: p('companyId'), series: p('series'), last_no: p('no') })
    .onConflict((conflict) =>
      conflict
        .columns(['company_id', 'series'])
        .doUpdateSet((eb) => ({ last_no: eb.ref('excluded.last_no') }))
        .where((eb) => eb('numbering.last_no', '<', eb.ref('excluded.last_no'))),
    ),
)

/** The series goes on behind an id that was not taken from it, where that is one of its own. */
export function passId(tx: Tx, { series, from, to, prefix }: NumberingRules, id: string): void {
  const digits = id.startsWith(prefix) ? id.slice(prefix.length) : ''
  const no = /^\d{1,15}$/.test(digits) ? Number(digits) : Number.NaN
  if (no >= from && no <= to) tx.send(pass, { companyId: tx.companyId, series, no })
}

/** Takes the next id of the series; undefined, without any change, when the series is exhausted. */
export async function takeNextId(
  tx: Tx,
  { series, from, to, prefix, width }: NumberingRules,
): Promise<string | undefined> {
  const row = await tx.first(takeNext, { companyId: tx.companyId, series, from, to })
  return row && prefix + String(row.last_no).padStart(width, '0')
}

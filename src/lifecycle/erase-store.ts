// The SQL of erasing: stored responses and webhooks that tell of a record, and the values of a record that stays.
import { sql } from 'kysely'
import { statement } from '../sql/statement.ts'
import { numbersText } from '../store/audit/prune-entries.ts'
import type { Tx } from '../store/store.ts'

/** The statement that removes the rows of a table that have one of some texts in a column. */
function removeWith(name: string, table: string, column: string) {
  return statement<{ companyId: string; texts: string }>(
    name,
    (_db, p, dialect) => sql`
    delete from ${sql.raw(table)} where company_id = ${p('companyId')} and exists
      (select 1 from ${dialect.textRows(p('texts'), 'n')}
        where ${sql.raw(dialect.indexOf(`${table}.${column}`, 'n.value'))} > 0)`,
  )
}

const removeResponses = removeWith('remove_responses_with', 'kept_answer', 'answer')

const referring = statement<{ companyId: string }, { answer: string }>(
  'list_responses_of_entries',
  (_db, p, dialect) => sql`
    select answer from kept_answer where company_id = ${p('companyId')}
      and ${sql.raw(dialect.indexOf('answer', `'"bodyOf":'`))} > 0`,
)

const BODY = /"bodyOf":(\d+)[,}]/

/** Deletes the responses for retries that have one of these texts, or their body in one of these entries. */
export async function deleteResponses(tx: Tx, texts: readonly string[], entryNos: ReadonlySet<number>): Promise<void> {
  const { companyId } = tx
  const bodies = (await tx.all(referring, { companyId }))
    .map(({ answer }) => BODY.exec(answer))
    .flatMap((found) => (found && entryNos.has(Number(found[1])) ? [found[0]] : []))
  await tx.run(removeResponses, { companyId, texts: JSON.stringify([...texts, ...bodies]) })
}

const removeResults = removeWith('remove_batch_results_with', 'batch_operation_result', 'record_key')

/** Deletes what batch operations have told of rejected rows whose keys have one of these texts. */
export function deleteBatchResults(tx: Tx, texts: readonly string[]): void {
  tx.send(removeResults, { companyId: tx.companyId, texts: JSON.stringify(texts) })
}

const removeFindings = removeWith('remove_mirror_findings_with', 'mirror_finding', 'record_key')

/** Deletes what a mirror could not keep of records whose keys have one of these texts. */
export function deleteFindings(tx: Tx, texts: readonly string[]): void {
  tx.send(removeFindings, { companyId: tx.companyId, texts: JSON.stringify(texts) })
}

const removeProposals = statement<{ companyId: string }>('remove_proposals', (db, p) =>
  db.deleteFrom('proposal').where('company_id', '=', p('companyId')),
)

/** Deletes what agents have proposed in the last minutes, whatever it is: they propose it again. */
export function deleteProposals(tx: Tx): void {
  tx.send(removeProposals, { companyId: tx.companyId })
}

type Entries = { companyId: string; entryNos: string }

const takeLeases = statement<{ companyId: string }>('take_leases_of_subscriptions', (db, p) =>
  db
    .updateTable('subscription')
    .set((eb) => ({ lease_holder: sql.lit(''), lease_until: sql.lit(0), lease_no: eb('lease_no', '+', sql.lit(1)) }))
    .where('company_id', '=', p('companyId')),
)

const removeEvents = statement<Entries>(
  'remove_events_of_entries',
  (_db, p, dialect) => sql`
    delete from subscription_event where company_id = ${p('companyId')}
      and entry_no in (select cast(n.value as bigint) from ${dialect.textRows(p('entryNos'), 'n')})`,
)

const emptyExcerpts = statement<Entries>(
  'empty_excerpts_of_entries',
  (_db, p, dialect) => sql`
    update subscription_attempt set excerpt = '' where company_id = ${p('companyId')}
      and entry_no in (select cast(n.value as bigint) from ${dialect.textRows(p('entryNos'), 'n')})`,
)

/**
 * Deletes the webhooks of these entries that are not delivered, and what receivers have answered to the others. Whoever
 * has read the entries for a delivery loses its lease, and with it can write nothing of them afterwards. Each receiver
 * is told to load the records again, because entries are gone.
 */
export function eraseDeliveries(tx: Tx, numbers: readonly number[]): void {
  const entries = { companyId: tx.companyId, entryNos: numbersText(numbers) }
  tx.send(takeLeases, { companyId: tx.companyId })
  tx.send(removeEvents, entries)
  tx.send(emptyExcerpts, entries)
}

// What removed people had chosen in the console goes with them: somebody else may get their id later.
import { statement } from '../../sql/statement.ts'
import type { SetupTx } from '../../store/store.ts'
import type { SetupItem } from '../items/setup-items.ts'

const remove = statement<{ companyId: string; userId: string }>('remove_person_settings', (db, p) =>
  db.deleteFrom('person_settings').where('company_id', '=', p('companyId')).where('user_id', '=', p('userId')),
)

export async function removeSettings(
  setupTx: SetupTx,
  removed: readonly SetupItem[],
  staying: readonly SetupItem[],
): Promise<void> {
  const users = removed.filter(({ kind }) => kind === 'user')
  if (users.length === 0) return
  const companies = staying.filter(({ kind }) => kind === 'company').map(({ companyId }) => companyId)
  for (const companyId of ['', ...companies]) {
    const tx = await setupTx.in(companyId)
    for (const { id } of users) tx.send(remove, { companyId, userId: id })
  }
}

// What people of the console have kept of an erased record: its page among those opened last and those with a star, and
// views that name it. All else that they have chosen stays.
import { sql } from 'kysely'
import { isObject, type JsonValue } from '../base/strict-json.ts'
import { literalOf } from '../query/literals.ts'
import type { CompanyRules } from '../setup/rules/rules.ts'
import type { PersonSettingsTable } from '../sql/service-tables.ts'
import { statement, whereEqual } from '../sql/statement.ts'
import type { Tx } from '../store/store.ts'
import { type RecordName, valueBehind } from './record-name.ts'

type Found = Pick<PersonSettingsTable, 'user_id' | 'settings'>

const findNaming = statement<{ companyId: string; texts: string }, Found>(
  'list_person_settings_with',
  (_db, p, dialect) => sql`
    select user_id, settings from person_settings where company_id = ${p('companyId')} and exists
      (select 1 from ${dialect.textRows(p('texts'), 'n')}
        where ${sql.raw(dialect.indexOf('person_settings.settings', 'n.value'))} > 0)`,
)

/** A browser that holds them as they were can no longer store them: their version is another one. */
const put = statement<{ companyId: string; userId: string; settings: string }>('erase_in_person_settings', (db, p) =>
  db
    .updateTable('person_settings')
    .set((eb) => ({ settings: p('settings'), version: eb('version', '+', sql.lit(1)) }))
    .$call(whereEqual(p, 'companyId', 'userId')),
)

/** How settings name a record. */
interface Names {
  /** Keys as addresses have them, or their beginnings. */
  readonly addresses: readonly string[]
  readonly literal: string
}

export async function eraseInSettings(tx: Tx, company: CompanyRules, subject: RecordName): Promise<void> {
  const { companyId } = tx
  const value = valueBehind(company, subject)
  const keys = [subject.key.texts, ...(value ? [[value.attributeId, value.attributeValue]] : [])]
  const names = {
    addresses: keys.map((parts) => parts.map(encodeURIComponent).join(',')),
    literal: literalOf(subject.key.texts.at(-1) ?? ''),
  }
  const texts = [...names.addresses, names.literal].map((text) => JSON.stringify(text).slice(1, -1))
  for (const { user_id: userId, settings } of await tx.all(findNaming, { companyId, texts: JSON.stringify(texts) })) {
    const left = withoutRecord(JSON.parse(settings) as JsonValue, names)
    tx.send(put, { companyId, userId, settings: JSON.stringify(left ?? {}) })
  }
}

/** Without the texts that name the record, and the objects that they stand in: a page has its title beside its key. */
function withoutRecord(value: JsonValue, names: Names): JsonValue | undefined {
  if (typeof value === 'string') return namesRecord(value, names) ? undefined : value
  if (Array.isArray(value)) return value.flatMap((item) => withoutRecord(item, names) ?? [])
  if (!isObject(value)) return value
  const members = Object.entries(value)
  if (members.some(([, member]) => typeof member === 'string' && namesRecord(member, names))) return undefined
  const left = members.flatMap(([member, of]) => {
    const kept = withoutRecord(of, names)
    return kept === undefined ? [] : [[member, kept] as const]
  })
  return Object.fromEntries(left)
}

function namesRecord(text: string, { addresses, literal }: Names): boolean {
  return text.includes(literal) || addresses.some((key) => text === key || text.startsWith(`${key},`))
}

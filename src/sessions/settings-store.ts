// The SQL of what people have chosen for themselves in the console: one JSON document for each person and company.
import type { PersonSettingsTable } from '../sql/service-tables.ts'
import { placeholdersFor, statement, whereEqual } from '../sql/statement.ts'
import type { Store } from '../store/store.ts'

/** Empty for what is of no company. */
type Place = { readonly companyId: string; readonly userId: string }

interface StoredSettings {
  /** JSON. */
  readonly text: string
  /** 0: nothing was stored yet. */
  readonly version: number
}

const find = statement<Place, Pick<PersonSettingsTable, 'settings' | 'version'>>('find_person_settings', (db, p) =>
  db
    .selectFrom('person_settings')
    .select(['settings', 'version'])
    .$call(whereEqual(p, 'companyId', 'userId')),
)

/** Changes nothing unless the stored version is the one before. */
const put = statement<Record<keyof PersonSettingsTable, string | number>>('put_person_settings', (db, p) =>
  db
    .insertInto('person_settings')
    .values(placeholdersFor(p, ['company_id', 'user_id', 'settings', 'version']))
    .onConflict((conflict) =>
      conflict
        .columns(['company_id', 'user_id'])
        .doUpdateSet((eb) => ({ settings: eb.ref('excluded.settings'), version: eb.ref('excluded.version') }))
        .where((eb) => eb('person_settings.version', '=', eb('excluded.version', '-', eb.lit(1)))),
    ),
)

export class SettingsStore {
  readonly #store: Store

  constructor(store: Store) {
    this.#store = store
  }

  async find(place: Place): Promise<StoredSettings> {
    const row = await this.#store.reading(place.companyId).first(find, place)
    return { text: row?.settings ?? '{}', version: Number(row?.version ?? 0) }
  }

  /** Replaces what was read as this version. Returns the new one; undefined if it has been replaced meanwhile. */
  async replace({ companyId, userId }: Place, text: string, version: number): Promise<number | undefined> {
    const next = version + 1
    const values = { company_id: companyId, user_id: userId, settings: text, version: next }
    const changed = await this.#store.writeState(companyId, userId, (tx) => tx.run(put, values))
    return changed === 1 ? next : undefined
  }
}

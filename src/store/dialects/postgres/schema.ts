import { Kysely, PostgresDialect } from 'kysely'
import { migrateToLatest } from '../../migrations/migrate.ts'
import { JOURNAL_VIEW } from './journal-text.ts'
import { openMigrationPool } from './sessions/pools.ts'

export const POSTGRES_TYPES = {
  text: `text collate "C" not null default ''`,
  integer: 'bigint not null default 0',
  number: 'double precision not null default 0',
  json: `json not null default '[]'`,
  bytes: `bytea not null default ''`,
  tail: '',
  longRowsTail: '',
  rowLevelSecurity: true,
  wordIndex: [
    `alter table document_text add column words tsvector not null default ''`,
    'create index document_text_words on document_text using gin (words)',
  ],
  journalView: JOURNAL_VIEW,
}

const LOCK_TIMEOUT = '55P03'
/** Another process may be migrating, or using a table. */
const TRIES = 12
const TRY_AGAIN_MS = 1_000

/** Migrates the schema at startup, in a session of its own without timeouts. */
export async function migrateSchema(url: string): Promise<void> {
  const pool = openMigrationPool(url)
  try {
    for (let tries = 1; ; tries++) {
      try {
        return await migrateToLatest(new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) }), POSTGRES_TYPES)
      } catch (error) {
        const { code } = ((error as Error).cause ?? {}) as { code?: string }
        if (code !== LOCK_TIMEOUT || tries === TRIES) throw error
        await new Promise((resume) => setTimeout(resume, TRY_AGAIN_MS))
      }
    }
  } finally {
    await pool.end()
  }
}

// What a role may do with the schema: the owner of the tables makes and changes them, a role of the service need not.
import type pg from 'pg'

type Fault = Error & { readonly code?: string; readonly cause?: Fault }

/** No right on a table or in a schema, or no schema of the search path is accessible. */
const NO_RIGHT = ['42501', '3F000']

interface Place {
  readonly role: string
  readonly schema: string
  /** Who owns the tables, when it is another role. */
  readonly owner: string | null
}

const PLACE = `
  select quote_ident(current_user) as role, quote_ident(coalesce(current_schema(), 'public')) as schema,
    (select quote_ident(pg_get_userbyid(relowner)) from pg_class
      where oid = to_regclass('kysely_migration') and not pg_has_role(relowner, 'usage')) as owner`

/** Runs a migration; an error message tells a role without the right to create tables who has it, or how to get it. */
export async function withSchemaRights(pool: pg.Pool, migrateSchema: () => Promise<unknown>): Promise<void> {
  try {
    await migrateSchema()
  } catch (error) {
    if (!isNoRight(error as Fault)) throw error
    const { rows } = await pool.query<Place>(PLACE)
    throw new Error(`--database: ${adviceFor(rows[0] as Place)}`, { cause: error })
  }
}

function adviceFor({ role, schema, owner }: Place): string {
  if (owner === null)
    return `the role ${role} may not make tables in the schema ${schema}: grant create, usage on schema ${schema} to ${role}`
  return `the role ${role} may not use the tables of ${owner}, or bring them to the schema of this version: run \`tabularium migrate --grant-to ${role}\` as ${owner}`
}

/** Runs statements on the tables of a setup; an error message tells a role that does not own them who does. */
export async function asOwner<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isNoRight(error as Fault)) throw error
    throw new Error(
      `the role of the database may not change tables, which this setup needs: run \`tabularium setup\` as their owner (${(error as Error).message})`,
      { cause: error },
    )
  }
}

function isNoRight({ code, cause }: Fault): boolean {
  return NO_RIGHT.includes(cause?.code ?? code ?? '')
}

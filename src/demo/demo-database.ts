// The demo on PostgreSQL needs a separate database: its clients have published secrets, which must not give access to
// other companies.
import { badUsage } from '../cli/terminal/bad-usage.ts'
import { driverAt } from '../databases/open/drivers.ts'
import { openReadOnly } from '../databases/open/open-read-only.ts'
import type { Setup } from '../setup/file/setup-schema.ts'
import { readItemsBeside } from '../setup/items/setup-item.ts'

export interface DatabaseLocation {
  readonly data: string
  readonly database: string
}

/** Throws a usage error when the setup in the database has items that do not belong to the demo. */
export async function requireDemoDatabase(location: DatabaseLocation, demo: Setup): Promise<void> {
  if (!(await driverAt(location).isSetUp(location))) return
  const demoNames = new Set(namesIn(demo))
  const others = (await namesInDatabase(location)).filter((name) => !demoNames.has(name))
  if (others.length === 0) return
  const example = `${others[0]}${others.length === 1 ? '' : ', ...'}`
  throw badUsage(
    `option '--database': it holds records of your own (${example}), and the demo keeps to a database of its own`,
  )
}

/** Includes the name: a company with the same id and another name is not the company of the demo. */
function companyName(id: string, name: string): string {
  return `company ${id}, ${name}`
}

function namesIn({ companies = [], roles = [], users = [], clients = [] }: Setup): string[] {
  const byKind = { role: roles, user: users, client: clients }
  return [
    ...companies.map(({ id, name }) => companyName(id, name)),
    ...Object.entries(byKind).flatMap(([kind, items]) => items.map(({ id }) => `${kind} ${id}`)),
  ]
}

async function namesInDatabase(location: DatabaseLocation): Promise<string[]> {
  await using database = await openReadOnly(location)
  return (await readItemsBeside(database)).flatMap(({ kind, id, definition }) => {
    if (kind === 'company') return [companyName(id, (definition as { name: string }).name)]
    return ['role', 'user', 'client'].includes(kind) ? [`${kind} ${id}`] : []
  })
}

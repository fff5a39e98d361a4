// The demo on PostgreSQL keeps to a database of its own: its clients have published secrets, which no other company must get.
import type { Setup } from '../../setup/setup-schema.ts'
import { openReadOnly } from '../../store/open-read-only.ts'
import { isMade } from '../../store/open-store.ts'
import { listSetupItems } from '../../store/setup-store.ts'
import { badUsage } from '../bad-usage.ts'

interface Place {
  readonly data: string
  readonly database: string
}

/** Throws (bad usage) when something is set up in the database that is not the demo's. */
export async function requireDemoDatabase(place: Place, demo: Setup): Promise<void> {
  if (!(await isMade(place))) return
  const ours = new Set(namesIn(demo))
  const others = (await namesInForce(place)).filter((name) => !ours.has(name))
  if (others.length === 0) return
  const shown = `${others[0]}${others.length === 1 ? '' : ', ...'}`
  throw badUsage(
    `option '--database': it holds records of your own (${shown}), and the demo keeps to a database of its own`,
  )
}

/** A company of the same id with another name is another company. */
function companyName(id: string, name: string): string {
  return `company ${id}, ${name}`
}

function namesIn({ companies = [], roles = [], users = [], clients = [] }: Setup): string[] {
  const named = { role: roles, user: users, client: clients }
  return [
    ...companies.map(({ id, name }) => companyName(id, name)),
    ...Object.entries(named).flatMap(([kind, items]) => items.map(({ id }) => `${kind} ${id}`)),
  ]
}

async function namesInForce(place: Place): Promise<string[]> {
  const database = await openReadOnly(place)
  try {
    const items = await listSetupItems({ all: (statement, values) => database.all('', statement, values) })
    return items.flatMap(({ kind, id, definition }) => {
      if (kind === 'company') return [companyName(id, (JSON.parse(definition) as { name: string }).name)]
      return ['role', 'user', 'client'].includes(kind) ? [`${kind} ${id}`] : []
    })
  } finally {
    await database.close()
  }
}

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Directory } from '../../access/directory.ts'
import { KeyRing } from '../../access/keys.ts'
import { Tokens } from '../../access/tokens.ts'
import { systemClock } from '../../base/clock.ts'
import { nearestName } from '../../base/text.ts'
import { openReadOnly } from '../../store/open-read-only.ts'
import { listSetupItems } from '../../store/service-state/setup-store.ts'
import type { TokenSettings } from '../commands/token.ts'
import { storeOptions } from '../settings.ts'

export async function printToken(settings: TokenSettings): Promise<void> {
  await requireClient(settings)
  const file = settings.keys ?? join(settings.data, 'keys.json')
  if (!existsSync(file)) throw new Error(`${file} is not there: start the service once, or name its folder with --data`)
  const keys = KeyRing.provided(file, systemClock)
  process.stdout.write(`${await new Tokens(keys, new Directory(), systemClock).issue(settings.client)}\n`)
}

/** Throws when the setup has no such client: every request with its token would be rejected. */
async function requireClient(settings: TokenSettings): Promise<void> {
  await using database = await openReadOnly(storeOptions(settings))
  const items = await listSetupItems({ all: (statement, values) => database.all('', statement, values) })
  const ids = items.filter(({ kind }) => kind === 'client').map(({ id }) => id)
  if (ids.includes(settings.client)) return
  const nearest = nearestName(settings.client, ids)
  throw new Error(`there is no client '${settings.client}'${nearest ? `; did you mean '${nearest}'?` : ''}`)
}

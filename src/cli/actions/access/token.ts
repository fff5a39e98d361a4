import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Directory } from '../../../access/directory.ts'
import { KeyRing } from '../../../access/keys.ts'
import { Tokens } from '../../../access/tokens.ts'
import { systemClock } from '../../../base/clock.ts'
import { nearestName } from '../../../base/text.ts'
import type { StoreFlags } from '../../settings/settings.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { readAccess } from './read-access.ts'

export interface TokenSettings extends StoreFlags {
  readonly client: string
}

export async function printToken(settings: TokenSettings, terminal: Terminal): Promise<void> {
  const directory = await directoryWith(settings)
  const file = settings.keys ?? join(settings.data, 'keys.json')
  if (!existsSync(file)) throw new Error(`${file} is not there: start the service once, or name its folder with --data`)
  const keys = KeyRing.provided(file, systemClock)
  terminal.stdout.write(`${await new Tokens(keys, directory, systemClock).issue(settings.client)}\n`)
}

/** Throws when the setup has no such client, or it is disabled: every request with its token would be rejected. */
async function directoryWith(settings: TokenSettings): Promise<Directory> {
  const access = await readAccess(settings)
  const directory = new Directory()
  directory.replace(access)
  if (directory.findClient(settings.client)) return directory
  const ids = access.clients.map(({ id }) => id)
  if (ids.includes(settings.client)) throw new Error(`the client '${settings.client}' is disabled, or its user is`)
  const nearest = nearestName(settings.client, ids)
  throw new Error(`there is no client '${settings.client}'${nearest ? `; did you mean '${nearest}'?` : ''}`)
}

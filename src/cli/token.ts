import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { Directory } from '../access/directory.ts'
import { KeyRing } from '../access/keys.ts'
import { Tokens } from '../access/tokens.ts'
import { systemClock } from '../base/clock.ts'
import { nearestName } from '../base/text.ts'
import { openReadOnly } from '../store/open-read-only.ts'
import { listSetupItems } from '../store/setup-store.ts'
import { type StoreSettings, setting, storeOptions, storeSettings } from './settings.ts'

/** `token --client ID`: prints an access token, signed with the keys that the service uses. */
export function tokenCommand(): Command {
  const command = new Command('token')
    .description(
      'print an access token for a client, signed with the keys of the data folder (no secret is needed there)',
    )
    .addOption(setting('--client <id>', 'client to get a token for').makeOptionMandatory())
    .addHelpText(
      'after',
      '\nExample:\n  curl -H "Authorization: Bearer $(tabularium token --client demo)" http://127.0.0.1:8080/v1/attribute-values/C1',
    )
  for (const option of storeSettings()) command.addOption(option)
  return command.action(token)
}

async function token(settings: StoreSettings & { client: string }): Promise<void> {
  const file = settings.keys ?? join(settings.data, 'keys.json')
  if (!existsSync(file)) throw new Error(`${file} is not there: start the service once, or name its folder with --data`)
  await requireClient(settings)
  const keys = KeyRing.given(file, systemClock)
  process.stdout.write(`${await new Tokens(keys, new Directory(), systemClock).issue(settings.client)}\n`)
}

/** Throws when no setup has made the client known: its token would be refused everywhere. */
async function requireClient(settings: StoreSettings & { client: string }): Promise<void> {
  const database = await openReadOnly(storeOptions(settings))
  try {
    const items = await listSetupItems({ all: (statement, values) => database.all('', statement, values) })
    const ids = items.filter(({ kind }) => kind === 'client').map(({ id }) => id)
    if (ids.includes(settings.client)) return
    const nearest = nearestName(settings.client, ids)
    throw new Error(`there is no client '${settings.client}'${nearest ? `; did you mean '${nearest}'?` : ''}`)
  } finally {
    await database.close()
  }
}

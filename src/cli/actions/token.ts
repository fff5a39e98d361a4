import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Directory } from '../../access/directory.ts'
import { KeyRing } from '../../access/keys.ts'
import { Tokens } from '../../access/tokens.ts'
import { systemClock } from '../../base/clock.ts'
import { didYouMean } from '../../base/text.ts'
import type { StoreFlags } from '../settings/settings.ts'
import { badUsage } from '../terminal/bad-usage.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { readAccess } from './access-lists.ts'

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
  throw new Error(`there is no client '${settings.client}'${didYouMean(settings.client, ids)}`)
}

export type KeySettings = Pick<StoreFlags, 'data' | 'keys'>

export async function rotateKeys({ data, keys }: KeySettings, terminal: Terminal): Promise<void> {
  if (keys !== undefined) {
    throw badUsage(
      `option '--keys': ${keys} is your own file: put a new key before the others in it, and every service that has it signs with the new one within a second`,
    )
  }
  if (!existsSync(data)) throw new Error(`there is no data folder ${data}: make it, or name another with --data`)
  const file = join(data, 'keys.json')
  const isFirst = !existsSync(file)
  if (!isFirst) requireOwnFile(file)
  const ring = await KeyRing.managed(file, systemClock)
  if (isFirst) {
    terminal.stdout.write(
      `${file} is made: a service with it signs tokens with the key ${(await ring.signing()).kid}\n`,
    )
    return
  }
  terminal.stdout.write(
    `tokens are signed with the key ${await ring.rotate()}; those signed before stay valid until they expire\n`,
  )
}

/** A file written by another user could not be read by the service. */
function requireOwnFile(file: string): void {
  if (process.getuid && statSync(file).uid !== process.getuid())
    throw new Error(`${file} belongs to another user: run this command as the user of the service`)
}

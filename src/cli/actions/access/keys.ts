import { statSync } from 'node:fs'
import { join } from 'node:path'
import { KeyRing } from '../../../access/keys.ts'
import { systemClock } from '../../../base/clock.ts'
import { badUsage } from '../../bad-usage.ts'
import type { KeySettings } from '../../commands/access/keys.ts'
import type { Terminal } from '../../terminal.ts'

export async function rotateKeys({ data, keys }: KeySettings, terminal: Terminal): Promise<void> {
  if (keys !== undefined) {
    throw badUsage(
      `option '--keys': ${keys} is your own file: put a new key before the others in it, and every service that has it signs with the new one within a second`,
    )
  }
  const file = join(data, 'keys.json')
  requireOwnFile(file)
  const keyId = await (await KeyRing.managed(file, systemClock)).rotate()
  terminal.stdout.write(`tokens are signed with the key ${keyId}; those signed before stay valid until they expire\n`)
}

/** A file written by another user could not be read by the service. */
function requireOwnFile(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false })
  if (!found) throw new Error(`${file} is not there: start the service once, or name its folder with --data`)
  if (process.getuid && found.uid !== process.getuid())
    throw new Error(`${file} belongs to another user: run this command as the user of the service`)
}

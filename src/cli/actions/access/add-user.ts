import { hashSecret } from '../../../access/secrets.ts'
import { readText } from '../../../base/process/read-text.ts'
import { saveDurably } from '../../../base/process/save-durably.ts'
import { badUsage, requireFile } from '../../terminal/bad-usage.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { readSecret } from './read-secret.ts'

export interface UserSettings {
  readonly setup: string
  readonly company?: string
  readonly role?: readonly string[]
}

/** People choose passwords: a secret of a client is random, and may be shorter. */
const MIN_PASSWORD_CHARACTERS = 12

export async function addUser(id: string, settings: UserSettings, terminal: Terminal): Promise<void> {
  const { setup: file, company, role: roles } = settings
  requireFile("option '--setup'", file)
  if (roles && company === undefined) throw badUsage("option '--role': give the company too, with --company")
  const { withPerson } = await import('../../../setup/file/person-in-setup.ts')
  const text = readText(file)
  const change = (passwordHash: string) => withPerson(text, { id, company, roles, passwordHash })
  // What is wrong is told before anybody types a password.
  change('')
  const password = await readSecret({ name: 'password', minCharacters: MIN_PASSWORD_CHARACTERS }, terminal)
  const changed = change(await hashSecret(password))
  saveDurably(file, changed.text)
  terminal.stdout.write(
    `${changed.isNew ? `${id} is added to` : `the password of ${id} is changed in`} ${file}; apply it: tabularium setup ${file}\n`,
  )
}

// Credentials that `tabularium login` keeps for its user, in a file that nobody else may read.
import { chmodSync, mkdirSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { readText, saveDurably } from '../../base/process/files.ts'

/** In the user's configuration folder (XDG Base Directory Specification: a relative path is ignored). */
export function loginsFile(environment: NodeJS.ProcessEnv): string {
  const given = environment.XDG_CONFIG_HOME ?? ''
  const folder = isAbsolute(given) ? given : join(environment.HOME ?? homedir(), '.config')
  return join(folder, 'tabularium', 'logins.json')
}

/** The newest first; none if there is no file. Throws when others may read it, or when it holds anything else. */
export function readLogins(file: string): readonly ServiceCredentials[] {
  const found = statSync(file, { throwIfNoEntry: false })
  if (!found) return []
  // Windows has no such modes: a user's folder is the user's own there.
  if (process.platform !== 'win32' && (found.mode & 0o077) !== 0)
    throw new Error(`${file} holds secrets, and others may read it: chmod 600 it, and make new secrets`)
  const logins = loginsIn(readText(file))
  if (!logins) throw new Error(`${file} is no file of logins: remove it, and run tabularium login again`)
  return logins
}

/** In place of what was kept for the client at the address. */
export function saveLogin(file: string, login: ServiceCredentials): void {
  const others = readLogins(file).filter(({ url, clientId }) => url !== login.url || clientId !== login.clientId)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  chmodSync(dirname(file), 0o700)
  saveDurably(file, `${JSON.stringify({ logins: [login, ...others] }, null, 2)}\n`)
}

function loginsIn(text: string): readonly ServiceCredentials[] | undefined {
  try {
    const { logins } = Object(JSON.parse(text)) as { readonly logins?: unknown }
    if (!Array.isArray(logins)) return undefined
    const isRight = (one: unknown) =>
      ['url', 'clientId', 'clientSecret'].every((name) => typeof Object(one)[name] === 'string')
    return logins.every(isRight) ? logins : undefined
  } catch {
    return undefined
  }
}

/** Where a running service is, and the client to ask as. */
export interface ServiceCredentials {
  /** With the base path, without a slash at its end. */
  readonly url: string
  readonly clientId: string
  readonly clientSecret: string
}

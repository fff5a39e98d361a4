// Credentials that `tabularium login` keeps for its user, in a file that nobody else may read.

import { chmodSync, mkdirSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { readText } from '../../base/process/read-text.ts'
import { saveDurably } from '../../base/process/save-durably.ts'
import type { ServiceCredentials } from './service-credentials.ts'

export const DEFAULT_PROFILE = 'default'

type Profiles = ReadonlyMap<string, ServiceCredentials>

/** In the user's configuration folder (XDG Base Directory Specification: a relative path is ignored). */
export function profilesFile(environment: NodeJS.ProcessEnv): string {
  const given = environment.XDG_CONFIG_HOME ?? ''
  const folder = isAbsolute(given) ? given : join(environment.HOME ?? homedir(), '.config')
  return join(folder, 'tabularium', 'profiles.json')
}

/** None if there is no file. Throws when others may read it, or when it holds anything else. */
export function readProfiles(file: string): Profiles {
  const found = statSync(file, { throwIfNoEntry: false })
  if (!found) return new Map()
  // Windows has no such modes: a user's folder is the user's own there.
  if (process.platform !== 'win32' && (found.mode & 0o077) !== 0)
    throw new Error(`${file} holds secrets, and others may read it: chmod 600 it, and make new secrets`)
  const profiles = profilesIn(readText(file))
  if (!profiles) throw new Error(`${file} is no file of profiles: remove it, and run tabularium login again`)
  return new Map(Object.entries(profiles))
}

/** Adds the profile, or replaces the one of its name. */
export function saveProfile(file: string, name: string, credentials: ServiceCredentials): void {
  const profiles = Object.fromEntries(new Map(readProfiles(file)).set(name, credentials))
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  chmodSync(dirname(file), 0o700)
  saveDurably(file, `${JSON.stringify({ profiles }, null, 2)}\n`)
}

function profilesIn(text: string): Readonly<Record<string, ServiceCredentials>> | undefined {
  try {
    const { profiles } = Object(JSON.parse(text)) as { readonly profiles?: unknown }
    const all = Object.values(Object(profiles)).map((one) => Object(one))
    const isRight = all.every((one) =>
      ['url', 'clientId', 'clientSecret'].every((name) => typeof one[name] === 'string'),
    )
    return profiles !== undefined && isRight ? (profiles as Record<string, ServiceCredentials>) : undefined
  } catch {
    return undefined
  }
}

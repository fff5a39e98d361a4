// Makes the three clients from a description, as their users do, and compiles the sessions that use them.
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

const FOLDER = import.meta.dirname
const MADE = join(FOLDER, 'made')
const DESCRIPTION = join(MADE, 'openapi.json')

/** Where the compiled session of each client is. */
export const SESSIONS = ['openapi-fetch', 'hey-api', 'orval'] as const
export const sessionFile = (name: string): string => join(MADE, 'compiled/sessions', `${name}.js`)

/** The generators are no part of the project's own packages: they are installed when they are first needed. */
export async function install(): Promise<void> {
  if (existsSync(join(FOLDER, 'node_modules/.package-lock.json'))) return
  try {
    await run('npm', ['ci', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: FOLDER })
  } catch (error) {
    throw new Error('the generators are not installed, and could not be: npm run generators', { cause: error })
  }
}

/** `address` is where the service of the description answers. */
export async function generate(description: string, address: string): Promise<void> {
  rmSync(MADE, { recursive: true, force: true })
  mkdirSync(MADE)
  writeFileSync(DESCRIPTION, description)
  writeFileSync(join(MADE, 'orval.config.json'), JSON.stringify(orvalConfig(address)))
  await Promise.all([
    tool('openapi-typescript', DESCRIPTION, '--output', join(MADE, 'openapi-typescript.d.ts')),
    tool('openapi-ts', '--input', DESCRIPTION, '--output', join(MADE, 'hey-api'), '--client', '@hey-api/client-fetch'),
    tool('orval', '--config', join(MADE, 'orval.config.json')),
  ])
}

/** With TypeScript 5.9, strictly. Throws with what does not compile. */
export async function compile(): Promise<void> {
  await tool('tsc', '--project', join(FOLDER, 'sessions/tsconfig.json'))
}

function orvalConfig(address: string): object {
  const output = { target: join(MADE, 'orval.ts'), client: 'fetch', mode: 'single', baseUrl: address }
  return { tabularium: { input: DESCRIPTION, output } }
}

async function tool(name: string, ...args: string[]): Promise<void> {
  try {
    await run(process.execPath, [join(FOLDER, 'node_modules/.bin', name), ...args], { cwd: FOLDER })
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new Error(`${name} failed:\n${stdout}${stderr}`, { cause: error })
  }
}

// The setup of the month: the test companies, with what an administrator changes in it from time to time.
import { readFileSync } from 'node:fs'
import { SETUP } from '../../support/process.ts'

const FIXTURE = readFileSync(SETUP, 'utf8')

export type Presence = 'active' | 'disabled' | 'gone'

export interface Rules {
  /** Codes that have been added to the list of countries. */
  readonly codes: readonly string[]
  /** The secrets of the client `renewed`, as a list of the setup. */
  readonly secrets: string
  readonly leaver: Presence
  readonly former: Presence
}

export function setupOf({ codes, secrets, leaver, former }: Rules): string {
  const countries = ['"NO": Norway', 'SE: Sweden', ...codes.map((code) => `${code}: Country ${code}`)]
  const clients = [
    `  - { id: renewed, user: svc-both, secrets: [${secrets}] }\n`,
    clientOf('leaver', leaver),
    clientOf('former', former),
  ]
  const text = FIXTURE.replace(
    'objects: [read]\n',
    'objects: [read]\n      customers: [create, read, update]\n',
  ).replace('COUNTRY: { "NO": Norway, SE: Sweden }', `COUNTRY: { ${countries.join(', ')} }`)
  return text + clients.join('')
}

function clientOf(id: string, presence: Presence): string {
  if (presence === 'gone') return ''
  const disabled = presence === 'disabled' ? 'disabled: true, ' : ''
  return `  - { id: ${id}, ${disabled}user: svc-reader, secretEnv: TEST_CLIENT_SECRET }\n`
}

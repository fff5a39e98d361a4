import { randomBytes } from 'node:crypto'
import { hashSecret, MIN_SECRET_CHARACTERS } from '../../../access/secrets.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { readSecret } from './read-secret.ts'

export interface HashSettings {
  readonly generate?: boolean
}

const GENERATED_BYTES = 32

export async function printHash({ generate }: HashSettings, terminal: Terminal): Promise<void> {
  if (generate) {
    const secret = randomBytes(GENERATED_BYTES).toString('base64url')
    terminal.stdout.write(`secret: ${secret}\nhash:   ${await hashSecret(secret)}\n`)
    return
  }
  const secret = await readSecret({ name: 'secret', minCharacters: MIN_SECRET_CHARACTERS }, terminal)
  terminal.stdout.write(`${await hashSecret(secret)}\n`)
}

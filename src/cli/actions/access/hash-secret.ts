import { randomBytes } from 'node:crypto'
import { hashSecret, MIN_SECRET_CHARACTERS } from '../../../access/secrets/secrets.ts'
import { badUsage } from '../../bad-usage.ts'
import type { HashSettings } from '../../commands/access/hash-secret.ts'
import { askHidden } from './ask-hidden.ts'

const GENERATED_BYTES = 32
/** HTTP headers with a longer one are refused. */
const MAX_SECRET_CHARACTERS = 1_000

export async function printHash({ generate }: HashSettings): Promise<void> {
  if (generate) {
    const secret = randomBytes(GENERATED_BYTES).toString('base64url')
    process.stdout.write(`secret: ${secret}\nhash:   ${await hashSecret(secret)}\n`)
    return
  }
  const secret = process.stdin.isTTY ? await askTwice() : await readInput()
  requireUsable(secret)
  process.stdout.write(`${await hashSecret(secret)}\n`)
}

async function askTwice(): Promise<string> {
  const secret = await askHidden('Secret: ', process.stdin, process.stderr)
  if (secret !== (await askHidden('Once more: ', process.stdin, process.stderr)))
    throw badUsage('the two secrets differ')
  return secret
}

/** The whole standard input without the end of its last line. */
async function readInput(): Promise<string> {
  let text = ''
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += chunk
    if (text.length > 2 * MAX_SECRET_CHARACTERS) break
  }
  return text.replace(/\r?\n$/, '')
}

function requireUsable(secret: string): void {
  const { length } = secret
  if (length < MIN_SECRET_CHARACTERS) throw badUsage(`the secret is shorter than ${MIN_SECRET_CHARACTERS} characters`)
  if (length > MAX_SECRET_CHARACTERS) throw badUsage(`the secret is longer than ${MAX_SECRET_CHARACTERS} characters`)
  if (/[\p{Cc}\p{Cs}\ufffd]/u.test(secret)) throw badUsage('the secret must be one line of UTF-8 text')
}

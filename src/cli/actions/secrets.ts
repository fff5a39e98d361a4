import { randomBytes } from 'node:crypto'
import { hashSecret, MIN_SECRET_CHARACTERS } from '../../access/secrets.ts'
import { readText, saveDurably } from '../../base/process/files.ts'
import { askHidden } from '../terminal/ask-hidden.ts'
import { badUsage, requireFile } from '../terminal/bad-usage.ts'
import type { Terminal } from '../terminal/terminal.ts'

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

/** As text it has 20 characters. */
const FIRST_BYTES = 15

/** The password of the first person and the secret of the first client, with their hashes for a setup. */
export async function firstSecrets() {
  const made = () => randomBytes(FIRST_BYTES).toString('base64url')
  const [password, secret] = [made(), made()]
  const [passwordHash, secretHash] = await Promise.all([hashSecret(password), hashSecret(secret)])
  return { password, secret, passwordHash, secretHash }
}

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
  const { withPerson } = await import('../../setup/file/person-in-setup.ts')
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

// A secret that a person types, or that standard input has: never an argument, which others on the machine would see.

/** HTTP headers with a longer one are refused. */
const MAX_SECRET_CHARACTERS = 1_000

interface SecretKind {
  /** Such as `secret`. */
  readonly name: string
  readonly minCharacters: number
}

/** Asks twice on a terminal, otherwise reads one line. Throws the error of bad usage where it cannot be one. */
async function readSecret(kind: SecretKind, terminal: Terminal): Promise<string> {
  const secret = terminal.stdin.isTTY ? await askTwice(kind, terminal) : await readInput(terminal)
  requireUsable(secret, kind)
  return secret
}

async function askTwice({ name }: SecretKind, terminal: Terminal): Promise<string> {
  const prompt = `${name[0]?.toUpperCase()}${name.slice(1)}: `
  const secret = await askHidden(prompt, terminal)
  if (secret !== (await askHidden('Once more: ', terminal))) throw badUsage(`the two ${name}s differ`)
  return secret
}

/** The whole standard input without the end of its last line. */
async function readInput({ stdin }: Terminal): Promise<string> {
  let text = ''
  for await (const chunk of stdin.setEncoding('utf8')) {
    text += chunk
    if (text.length > 2 * MAX_SECRET_CHARACTERS) break
  }
  return text.replace(/\r?\n$/, '')
}

function requireUsable(secret: string, { name, minCharacters }: SecretKind): void {
  const { length } = secret
  if (length < minCharacters) throw badUsage(`the ${name} is shorter than ${minCharacters} characters`)
  if (length > MAX_SECRET_CHARACTERS) throw badUsage(`the ${name} is longer than ${MAX_SECRET_CHARACTERS} characters`)
  if (/[\p{Cc}\p{Cs}\ufffd]/u.test(secret)) throw badUsage(`the ${name} must be one line of UTF-8 text`)
}

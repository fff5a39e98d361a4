// A secret that a person types, or that standard input has: never an argument, which others on the machine would see.

import { askHidden } from '../../terminal/ask-hidden.ts'
import { badUsage } from '../../terminal/bad-usage.ts'
import type { Terminal } from '../../terminal/terminal.ts'

/** HTTP headers with a longer one are refused. */
const MAX_SECRET_CHARACTERS = 1_000

export interface SecretKind {
  /** Such as `secret`. */
  readonly name: string
  readonly minCharacters: number
}

/** Asks twice on a terminal, otherwise reads one line. Throws the error of bad usage where it cannot be one. */
export async function readSecret(kind: SecretKind, terminal: Terminal): Promise<string> {
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

// Texts that others have made (messages of drivers, of the system, of Node.js) on their way into the log.

/** Credentials, tokens, and what is said to be a secret. */
const SECRETS: readonly (readonly [what: RegExp, instead: string])[] = [
  [/\b(bearer|basic)\s+[\w.~+/=-]{6,}/gi, '$1 ***'],
  [/\beyJ[\w-]*\.[\w-]*\.?[\w-]*/g, '***'],
  [/\b(password|secret|token|client_secret|access_token)(["']?\s*[=:]\s*["']?)[^\s"'&,;]+/gi, '$1$2***'],
]

/** The text without what must not be told. */
export function withoutSecrets(text: string): string {
  let told = withoutPasswords(text)
  for (const [what, instead] of SECRETS) told = told.replace(what, instead)
  return told
}

/** The text without the passwords of addresses, such as those of databases. */
export function withoutPasswords(text: string): string {
  return text.replace(/(\w:\/\/[^:/\s]*):\S*@/g, '$1:***@')
}

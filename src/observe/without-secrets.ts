// Censors secrets in messages of drivers, of the operating system and of Node before they are logged.

/** HTTP credentials, JWTs, and values whose name says that they are secret. */
const SECRETS: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/\b(bearer|basic)\s+[\w.~+/=-]{6,}/gi, '$1 ***'],
  [/\beyJ[\w-]*\.[\w-]*\.?[\w-]*/g, '***'],
  [/\b(password|secret|token|client_secret|access_token)(["']?\s*[=:]\s*["']?)[^\s"'&,;]+/gi, '$1$2***'],
]

/** The text with credentials, tokens and passwords replaced by `***`. */
export function withoutSecrets(text: string): string {
  let censored = withoutPasswords(text)
  for (const [pattern, replacement] of SECRETS) censored = censored.replace(pattern, replacement)
  return censored
}

/** The text with the passwords of URLs, such as database addresses, replaced by `***`. */
export function withoutPasswords(text: string): string {
  return text.replace(/(\w:\/\/[^:/\s]*):\S*@/g, '$1:***@')
}

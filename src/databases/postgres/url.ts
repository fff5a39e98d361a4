import { anyOf } from '../../base/text.ts'

const SSL_MODE = /([?&]sslmode=)([^&#]*)/i
const UNCHECKED_MODES = ['disable', 'no-verify']
const CHECKED_MODES = ['allow', 'prefer', 'require', 'verify-ca', 'verify-full']

export function isPostgresUrl(text: string): boolean {
  return /^postgres(ql)?:\/\//.test(text)
}

/** Returns the URL as the library takes it; undefined when it is no such URL. Throws for an unknown `sslmode`. */
export function readPostgresUrl(url: string): string | undefined {
  if (!isPostgresUrl(url)) return undefined
  const mode = SSL_MODE.exec(url)?.[2]?.toLowerCase()
  if (mode === undefined || UNCHECKED_MODES.includes(mode)) return url
  if (!CHECKED_MODES.includes(mode)) {
    throw new Error(`sslmode must be ${anyOf([...UNCHECKED_MODES, ...CHECKED_MODES])}.`)
  }
  // The library treats all of these as verify-full, but warns that its next version will not.
  return url.replace(SSL_MODE, '$1verify-full')
}

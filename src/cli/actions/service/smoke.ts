// Inquiries at a running service from outside, one after the other, and a line for each that tells how it was answered.
import type { ServiceCredentials } from '../../settings/logins.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { shown } from '../../terminal/terminal-text.ts'
import { reasonOf } from './asking.ts'
import { type Ask, askAll, type Inquiry } from './smoke-requests.ts'

const ALL_MS = 20_000
const EACH_MS = 10_000
const MAX_REASON = 200

/** Sets the exit code. A service that hangs everywhere ends with the time for all. */
export async function smoke(credentials: ServiceCredentials, terminal: Terminal): Promise<void> {
  const deadline = AbortSignal.timeout(ALL_MS)
  const counts = { ok: 0, failed: 0, 'not asked': 0 }
  const tell = (result: keyof typeof counts, what: string, reason = '') => {
    counts[result] += 1
    terminal.stdout.write(`${result.padEnd(9)}  ${shown(what)}${reason && `: ${shown(reason)}`}\n`)
  }
  const ask: Ask = async (path, inquiry = {}) => {
    const what = `${inquiry.method ?? 'GET'} ${path}${inquiry.statuses?.length === 1 ? ` (${inquiry.statuses})` : ''}`
    try {
      const text = await answerTo(credentials.url + path, inquiry, deadline)
      tell('ok', what)
      return text
    } catch (error) {
      tell('failed', what, reasonOf(error as Error).slice(0, MAX_REASON))
      return undefined
    }
  }
  await askAll({ ask, skip: (what, reason) => tell('not asked', what, reason) }, credentials)
  terminal.stdout.write(
    `${credentials.url}: ${counts.ok} ok, ${counts.failed} failed, ${counts['not asked']} not asked\n`,
  )
  if (counts.failed > 0) terminal.exitCode = 1
}

/** Throws with what is wrong in the answer. */
async function answerTo(
  url: string,
  { statuses = [200], type = 'application/json', has = '', ...request }: Inquiry,
  deadline: AbortSignal,
): Promise<string> {
  const signal = AbortSignal.any([deadline, AbortSignal.timeout(EACH_MS)])
  const answer = await fetch(url, { ...request, redirect: 'manual', signal })
  const text = await answer.text()
  const { status, headers } = answer
  if (!statuses.includes(status)) throw new Error(`${status} instead of ${statuses.join(' or ')} ${text}`)
  const given = headers.get('content-type') ?? 'no content type'
  if (!given.startsWith(type)) throw new Error(`${given} instead of ${type}`)
  if (!text.includes(has)) throw new Error(`the answer has no ${has}`)
  if (type === 'application/json') JSON.parse(text)
  return text
}

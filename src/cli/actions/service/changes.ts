// The changes of a company of a running service, as `changes` prints those of a database.
import { once } from 'node:events'
import { createClient } from '#client'
import type { ServiceCredentials } from '../../settings/logins.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { shownJson } from '../../terminal/terminal-text.ts'
import { linesIn } from './answers.ts'
import { asking } from './asking.ts'

/** Prints page after page, with all digits of its numbers. */
export async function printChanges(
  credentials: ServiceCredentials,
  { company, since }: { readonly company?: string; readonly since: string },
  { stdout }: Terminal,
): Promise<void> {
  const client = createClient(credentials, { company })
  const headers = { accept: 'application/x-ndjson' }
  await asking(credentials, async () => {
    for (let [place, isAtEnd] = [since, false]; !isAtEnd; ) {
      const answer = await client.request({ path: '/v1/changes', query: { since: place }, headers })
      // The first tells of what they are, the last where to go on.
      const [, ...lines] = await Array.fromAsync(linesIn([answer]))
      const end = JSON.parse(lines.pop() ?? '') as { readonly next: string; readonly upToDate: boolean }
      for (const line of lines) {
        if (!stdout.write(`${stdout.isTTY ? shownJson(line) : line}\n`)) await once(stdout, 'drain')
      }
      ;[place, isAtEnd] = [end.next, end.upToDate]
    }
  })
}

import { Command } from 'commander'
import { credentialsFrom, type ServiceFlags, serviceSettings } from '../settings/credentials.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** `smoke`: whether an installation works, seen from outside. */
export function smokeCommand(terminal: Terminal): Command {
  const command = new Command('smoke')
    .description('tell whether a running service answers at all its doors')
    .addHelpText(
      'after',
      `
It asks some fifty requests as a client, within 20 s, and changes nothing: what would write is sent with $validateOnly.
What the client has no right for is not asked, and no failure. Exit code 1 when a door fails.

Examples:
  tabularium smoke
  TABULARIUM_SECRET=... tabularium smoke --url https://erp.example.com --client shop`,
    )
  for (const option of serviceSettings()) command.addOption(option)
  return command.action(async (flags: ServiceFlags) => {
    const credentials = credentialsFrom(flags, terminal.env)
    const { smoke } = await import('../actions/service/smoke.ts')
    await smoke(credentials, terminal)
  })
}

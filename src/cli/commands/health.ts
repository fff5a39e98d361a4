import { Command } from 'commander'
import { credentialsFrom, type ServiceFlags, serviceSettings } from '../settings/credentials.ts'
import { type ServeSettings, serveSettings } from '../settings/settings.ts'
import type { Terminal } from '../terminal/terminal.ts'

const USED = ['host', 'port', 'base-path']

/** `health`: for supervisors and containers, which have no other program to ask with. */
export function healthCommand(terminal: Terminal): Command {
  const command = new Command('health')
    .description('tell whether the service on this machine is ready; it needs the same --port, --host and --base-path')
    .addHelpText(
      'after',
      '\nExit code 0 when it is ready, 1 when it is not or does not answer within 5 s.\n\nExamples:\n  tabularium health\n  tabularium health --config /etc/tabularium/tabularium.yaml',
    )
  for (const option of serveSettings()) if (USED.includes(option.name())) command.addOption(option)
  return command.action(async (settings: Pick<ServeSettings, 'host' | 'port' | 'basePath'>) => {
    const { requireReady } = await import('../actions/health.ts')
    await requireReady(settings, terminal)
  })
}

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

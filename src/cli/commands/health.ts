import { Command } from 'commander'
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

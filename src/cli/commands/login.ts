import { Command } from 'commander'
import { type ServiceFlags, serviceSettings } from '../settings/credentials.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** `login`: keeps the credentials of a client for the other commands that ask a running service. */
export function loginCommand(terminal: Terminal): Command {
  const command = new Command('login')
    .description('check the secret of a client of a running service, and keep it for the user of this machine')
    .addHelpText(
      'after',
      `
The secret is taken from TABULARIUM_SECRET, or asked for on a terminal. It is kept in tabularium/logins.json of the
configuration folder (XDG_CONFIG_HOME, or ~/.config), which only the user may read. Other commands take the newest, or that of their --url and --client.

Examples:
  tabularium login --url https://erp.example.com --client shop
  tabularium login --url https://test.example.com --client shop
  tabularium query customers --url https://erp.example.com`,
    )
  for (const option of serviceSettings()) command.addOption(option)
  return command.action(async (flags: ServiceFlags) => {
    const { login } = await import('../actions/service/login.ts')
    await login(flags, terminal)
  })
}

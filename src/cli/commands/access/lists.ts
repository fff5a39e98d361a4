import { Command, Option } from 'commander'
import type { ListSettings } from '../../actions/access/lists.ts'
import { storeSettings } from '../../settings/settings.ts'
import type { Terminal } from '../../terminal/terminal.ts'

type Lists = typeof import('../../actions/access/lists.ts')

/** `clients`, `users` and `roles`: list the stored setup's. They only read, also while the service runs. */
export function listCommands(terminal: Terminal): Command[] {
  return [
    listCommand(
      terminal,
      'clients',
      'list the clients: their user, state, secrets and roles',
      (lists) => lists.listClients,
    ),
    listCommand(terminal, 'users', 'list the users: their clients, state and roles', (lists) => lists.listUsers),
    listCommand(terminal, 'roles', 'list the roles: what they allow, and who has them', (lists) => lists.listRoles),
  ]
}

function listCommand(
  terminal: Terminal,
  name: string,
  description: string,
  actionOf: (lists: Lists) => (settings: ListSettings, terminal: Terminal) => Promise<void>,
): Command {
  const command = new Command(name)
    .description(description)
    .addOption(new Option('--format <format>', 'json for programs').choices(['table', 'json']).default('table'))
    .addHelpText('after', `\nExamples:\n  tabularium ${name}\n  tabularium ${name} --format json`)
  for (const option of storeSettings()) command.addOption(option)
  return command.action(async (settings: ListSettings) => {
    await actionOf(await import('../../actions/access/lists.ts'))(settings, terminal)
  })
}

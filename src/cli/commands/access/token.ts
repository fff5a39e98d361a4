import { Command } from 'commander'
import type { TokenSettings } from '../../actions/access/token.ts'
import { setting, storeSettings } from '../../settings/settings.ts'
import type { Terminal } from '../../terminal/terminal.ts'

/** `token --client ID`: prints an access token, signed with the keys that the service uses. */
export function tokenCommand(terminal: Terminal): Command {
  const command = new Command('token')
    .description(
      'print an access token for a client, signed with the keys of the data folder (no secret is needed there)',
    )
    .addOption(setting('--client <id>', 'client to get a token for').makeOptionMandatory())
    .addHelpText(
      'after',
      '\nExample:\n  curl -H "Authorization: Bearer $(tabularium token --client demo)" http://127.0.0.1:8080/v1/attribute-values/C1',
    )
  for (const option of storeSettings()) command.addOption(option)
  return command.action(async (settings: TokenSettings) => {
    const { printToken } = await import('../../actions/access/token.ts')
    await printToken(settings, terminal)
  })
}

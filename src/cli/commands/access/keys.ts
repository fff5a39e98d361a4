import { Command } from 'commander'
import type { KeySettings } from '../../actions/access/keys.ts'
import { storeSettings } from '../../settings/settings.ts'
import type { Terminal } from '../../terminal/terminal.ts'

/** `keys rotate`: tokens are signed with a new key from now on. */
export function keysCommand(terminal: Terminal): Command {
  const rotate = new Command('rotate')
    .description(
      'sign tokens with a new key from now on, in all processes; tokens of the ones before stay valid until they expire',
    )
    .addHelpText('after', '\nExamples:\n  tabularium keys rotate\n  tabularium keys rotate --data /srv/records')
  for (const option of storeSettings()) if (['data', 'keys'].includes(option.name())) rotate.addOption(option)
  rotate.action(async (settings: KeySettings) => {
    const { rotateKeys } = await import('../../actions/access/keys.ts')
    await rotateKeys(settings, terminal)
  })
  return new Command('keys').description('the private keys that sign tokens').addCommand(rotate)
}

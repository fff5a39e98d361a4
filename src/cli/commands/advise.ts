import { Command } from 'commander'
import { type StoreFlags, storeSettings } from '../settings/settings.ts'
import type { Terminal } from '../terminal/terminal.ts'

const DESCRIPTION =
  'tell which questions were slow, how the database answers them, and the indexes that would serve them. It only reads, also while the service runs'

const HELP = `
The service remembers questions that take longer than 200 ms, by their shape: no value of a caller is kept.
What is printed at the end goes into the setup; it has all indexes that its documents already have there.

Exit code 0, also when nothing was slow; 1 when the database cannot be read; 2 for bad usage.

Examples:
  tabularium advise
  tabularium advise --database postgres://app@db/records`

/** `advise`: lists slow queries and missing indexes. */
export function adviseCommand(terminal: Terminal): Command {
  const command = new Command('advise').description(DESCRIPTION).addHelpText('after', HELP)
  for (const option of storeSettings()) command.addOption(option)
  return command.action(async (settings: StoreFlags) => {
    const { printAdvice } = await import('../actions/advise.ts')
    await printAdvice(settings, terminal)
  })
}

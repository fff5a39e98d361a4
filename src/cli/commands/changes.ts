import { Command, Option } from 'commander'
import type { ChangesSettings } from '../actions/records/changes.ts'
import { namedService, placeSettings } from '../settings/credentials.ts'
import { setting } from '../settings/settings.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** `changes`: prints what was written, a JSON object on each line. */
export function changesCommand(terminal: Terminal): Command {
  const command = new Command('changes')
    .description('print what was written since, as one JSON object a line')
    .addOption(setting('--company <id>', 'company whose changes are printed; may be left out when there is one'))
    .addOption(
      new Option(
        '--since <place>',
        'after a change number such as 0, or after the id of a change',
      ).makeOptionMandatory(),
    )
    .addHelpText(
      'after',
      '\nGET /v1/changes also takes a filter, and waits for what is to come.\n\nExamples:\n  tabularium changes --company EN --since 0 > changes.ndjson',
    )
  for (const option of placeSettings()) command.addOption(option)
  return command.action(async (settings: ChangesSettings) => {
    const credentials = namedService(command, terminal.env)
    if (credentials) {
      const { printChanges } = await import('../actions/service/changes.ts')
      return await printChanges(credentials, settings, terminal)
    }
    const { runChanges } = await import('../actions/records/changes.ts')
    return await runChanges(settings, terminal)
  })
}

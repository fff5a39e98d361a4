import { Command, InvalidArgumentError, Option } from 'commander'
import type { ChangesSettings } from '../actions/records/changes.ts'
import { delegable, endsOnInterrupt } from '../remote/declarations.ts'
import { setting, storeSettings } from '../settings/settings.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** `changes`: prints what was written, a JSON object on each line. */
export function changesCommand(terminal: Terminal): Command {
  const command = new Command('changes')
    .description('print what was written since, as one JSON object a line')
    .addOption(setting('--company <id>', 'company whose changes are printed; may be left out when there is one'))
    .addOption(
      new Option(
        '--since <place>',
        'after a change number, after the id of a change, or now; default with --follow: now',
      ),
    )
    .addOption(
      new Option('--entities <names>', 'such as customers,attribute-values; default: all').argParser(parseNames),
    )
    .addOption(new Option('--filter <filter>', 'which records of --entities, in the language of the object endpoints'))
    .addOption(new Option('--select <properties>', 'which properties of their records'))
    .addOption(new Option('--latest', 'the newest state of each record alone'))
    .addOption(new Option('--follow', 'go on with what is written from now on, until it is interrupted (Ctrl+C)'))
    .addHelpText(
      'after',
      `\nExamples:\n  tabularium changes --company EN --since 0 > changes.ndjson\n  tabularium changes --follow --entities customers --filter "countryCode eq 'NO'"`,
    )
  for (const option of storeSettings()) command.addOption(option)
  return endsOnInterrupt(delegable(command)).action(async (settings: ChangesSettings) => {
    const { runChanges } = await import('../actions/records/changes.ts')
    await runChanges(settings, terminal)
  })
}

function parseNames(text: string, before: readonly string[] = []): readonly string[] {
  const names = text.split(',').map((name) => name.trim())
  if (names.every((name) => name !== '')) return [...before, ...names]
  throw new InvalidArgumentError('It must be names with commas between them.')
}

import { Argument, Command, InvalidArgumentError, Option } from 'commander'
import type { PrunableSection } from '../../setup/apply/prune.ts'
import type { SetupSettings } from '../actions/setup.ts'
import { storeSettings, webhookSetting } from '../settings/settings.ts'
import { badUsage } from '../terminal/bad-usage.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** `setup FILE`: checks a setup file and applies it, or prints what it would change. */
export function setupCommand(terminal: Terminal): Command {
  const command = new Command('setup')
    .summary('check a setup file and apply it')
    .description('check a setup file and apply it: it adds and changes, and deletes only what --prune names')
    .addArgument(new Argument('[file]', 'setup file (YAML)'))
    .addOption(new Option('--dry-run', 'print what would change, and change nothing'))
    .addOption(
      new Option(
        '--prune <sections>',
        'remove what the file lacks of clients, users, roles and subscriptions (a list: clients,users)',
      ).argParser(parseSections),
    )
    .addOption(new Option('--print', 'print the setup in force, as a file that changes nothing when it is applied'))
    .addHelpText(
      'after',
      '\nExamples:\n  tabularium setup company.yaml --dry-run\n  tabularium setup company.yaml --prune clients,users,roles,subscriptions\n  tabularium setup --print > company.yaml\n  tabularium setup company.yaml --database postgres://app@db/records',
    )
  for (const option of [...storeSettings(), webhookSetting()]) command.addOption(option)
  return command.action(async (file: string | undefined, settings: SetupSettings) => {
    if (settings.print) {
      if (file !== undefined || settings.dryRun || settings.prune) throw badUsage("option '--print' stands alone")
      const { printStoredSetup } = await import('../actions/access/print-setup.ts')
      return printStoredSetup(settings, terminal)
    }
    if (file === undefined) throw badUsage("missing required argument 'file'")
    const { runSetup } = await import('../actions/setup.ts')
    await runSetup(file, settings, terminal)
  })
}

const SECTIONS = ['clients', 'users', 'roles', 'subscriptions'] as const satisfies readonly PrunableSection[]

function parseSections(text: string): readonly PrunableSection[] {
  const sections = SECTIONS.filter((section) => text.split(',').includes(section))
  if (text.split(',').every((name) => SECTIONS.some((section) => section === name))) return sections
  throw new InvalidArgumentError(
    'Only clients, users, roles and subscriptions can be removed: records may need everything else.',
  )
}

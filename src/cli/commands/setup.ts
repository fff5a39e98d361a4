import { Command, Option } from 'commander'
import { type StoreFlags, storeSettings } from '../settings.ts'

export interface SetupSettings extends StoreFlags {
  readonly dryRun?: boolean
}

/** `setup FILE`: checks a setup file and applies it, or prints what it would change. */
export function setupCommand(): Command {
  const command = new Command('setup')
    .description('check a setup file and apply it: it adds and changes, and never deletes')
    .argument('<file>', 'setup file (YAML)')
    .addOption(new Option('--dry-run', 'print what would change, and change nothing'))
    .addHelpText(
      'after',
      '\nExamples:\n  tabularium setup company.yaml --dry-run\n  tabularium setup company.yaml --database postgres://app:secret@db/records',
    )
  for (const option of storeSettings()) command.addOption(option)
  return command.action(async (file: string, settings: SetupSettings) => {
    const { runSetup } = await import('../actions/setup.ts')
    await runSetup(file, settings)
  })
}

import { Command } from 'commander'
import type { FileFlags } from '../actions/records/with-files.ts'
import { filesSetting, storeSettings } from '../settings/settings.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** `files check` and `files sweep`: missing, damaged and unreferenced contents of documents. */
export function filesCommand(terminal: Terminal): Command {
  const part = (name: 'check' | 'sweep', description: string) => {
    const command = new Command(name)
      .description(description)
      .addHelpText(
        'after',
        `\nExit code 1 when a content is missing or damaged.\n\nExamples:\n  tabularium files ${name}\n  tabularium files ${name} --files s3://papers/archive --database postgres://app@db/records`,
      )
    for (const option of [...storeSettings(), filesSetting()]) command.addOption(option)
    return command.action(async (settings: FileFlags) => {
      const { checkFiles } = await import('../actions/records/files.ts')
      await checkFiles(settings, name === 'sweep', terminal)
    })
  }
  return new Command('files')
    .description('look after the contents of documents')
    .addCommand(
      part(
        'check',
        'read every content that a document refers to and compare it with its hash; find contents that nobody refers to; also while the service runs',
      ),
    )
    .addCommand(part('sweep', 'as check, and take away contents that nobody refers to, when they are older than a day'))
}

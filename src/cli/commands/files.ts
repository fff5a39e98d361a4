import { Command, Option } from 'commander'
import type { FilesSettings } from '../actions/records/files.ts'
import { filesSetting, storeSettings } from '../settings/settings.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** `files check`: finds missing, damaged and unreferenced contents of documents. */
export function filesCommand(terminal: Terminal): Command {
  const check = new Command('check')
    .description(
      'read every content that a document refers to and compare it with its hash; find contents that nobody refers to; also while the service runs',
    )
    .addOption(new Option('--sweep', 'take away contents that nobody refers to, when they are older than a day'))
    .addHelpText(
      'after',
      '\nExit code 1 when a content is missing or damaged.\n\nExamples:\n  tabularium files check\n  tabularium files check --sweep --files s3://papers/archive --database postgres://app@db/records',
    )
  for (const option of [...storeSettings(), filesSetting()]) check.addOption(option)
  check.action(async (settings: FilesSettings) => {
    const { checkFiles } = await import('../actions/records/files.ts')
    await checkFiles(settings, terminal)
  })
  return new Command('files').description('look after the contents of documents').addCommand(check)
}

import { Command, Option } from 'commander'
import type { AuditSettings } from '../actions/audit.ts'
import { setting, storeSettings } from '../settings/settings.ts'
import type { Terminal } from '../terminal/terminal.ts'

const DESCRIPTION =
  'the chain of the change log: every entry carries the hash of the one before it. Both commands read the database without changing it, also while the service runs'

/** `audit verify` and `audit head`: detect changes to the change log. */
export function auditCommand(terminal: Terminal): Command {
  const verify = new Command('verify')
    .description('read the whole chain of each company, and tell the first entry that is not what it was')
    .addOption(companySetting())
    .addOption(
      new Option(
        '--since <heads...>',
        'lines of `audit head` (COMPANY:ENTRY:HASH), or files of them, that must still be part of the chains',
      ),
    )
    .addHelpText(
      'after',
      '\nExit code 1 when a chain is broken.\n\nExamples:\n  tabularium audit verify\n  tabularium audit verify --company EN --database postgres://app@db/records\n  tabularium audit verify --since /mnt/elsewhere/heads.txt',
    )
    .action(async (settings: AuditSettings) => {
      const { verifyAll } = await import('../actions/audit.ts')
      await verifyAll(settings, terminal)
    })
  const head = new Command('head')
    .description('print where each chain ends, as COMPANY:ENTRY:HASH, to be kept out of reach of this machine')
    .addOption(companySetting())
    .addHelpText('after', '\nExamples:\n  tabularium audit head >> /mnt/elsewhere/heads.txt')
    .action(async (settings: AuditSettings) => {
      const { printHeads } = await import('../actions/audit.ts')
      await printHeads(settings, terminal)
    })
  const commands = [verify, head]
  const audit = new Command('audit').description(DESCRIPTION)
  for (const command of commands) {
    for (const option of storeSettings()) command.addOption(option)
    audit.addCommand(command)
  }
  return audit
}

function companySetting(): Option {
  return setting('--company <id>', 'company whose chain is read; absent: all, and that of what belongs to none')
}

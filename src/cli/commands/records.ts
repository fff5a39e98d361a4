import { Command } from 'commander'
import type { PatchFlags, RecordFlags } from '../actions/service/records.ts'
import { credentialsFrom, type ServiceFlags, serviceSettings } from '../settings/credentials.ts'
import { badUsage } from '../terminal/bad-usage.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { companyOption } from './query.ts'

/** `get`: one record. */
export function getCommand(terminal: Terminal): Command {
  const command = new Command('get')
    .description('print a record of a running service as JSON, and its entity tag on standard error')
    .argument('<resource>', 'such as customers, attribute-values, or a document that the setup declares')
    .argument('<key...>', 'the parts of its key')
    .addOption(companyOption())
    .addHelpText(
      'after',
      `
Exit code 1 when there is no such record.

Examples:
  tabularium get customers 1001
  tabularium get attribute-values C1 2096 0 --company EN`,
    )
  for (const option of serviceSettings()) command.addOption(option)
  return command.action(async (resource: string, key: readonly string[], flags: ServiceFlags & RecordFlags) => {
    const credentials = credentialsFrom(flags, terminal.env)
    const { printRecord } = await import('../actions/service/records.ts')
    await printRecord(credentials, { resource, key }, flags, { output: terminal.stdout, error: terminal.stderr })
  })
}

/** `patch`: changes members of one record. */
export function patchCommand(terminal: Terminal): Command {
  const command = new Command('patch')
    .description('change a record of a running service, and print it as it is then')
    .argument('<resource>', 'such as customers')
    .argument('<key...>', 'the parts of its key; without --set a file of JSON Patch behind them, - for standard input')
    .option('--set <path=text...>', 'a JSON pointer and its new text; with := a number, true, false or other JSON')
    .option('--if-match <tag>', 'the entity tag that get has printed: fails if somebody has changed the record since')
    .option('--dry-run', 'check the change completely, and store nothing')
    .addOption(companyOption())
    .addHelpText(
      'after',
      `
All changes are stored, or none. Exit code 1 when the service refuses them; each field that is wrong is named.

Examples:
  tabularium patch customers 1001 --set "/customerName=Berg Pumper AS" --set /invoice/creditLimit:=50000
  tabularium patch customers 1001 changes.json --dry-run
  echo '[{"op":"replace","path":"/customerName","value":"Berg"}]' | tabularium patch customers 1001 -`,
    )
  for (const option of serviceSettings()) command.addOption(option)
  return command.action(async (resource: string, parts: readonly string[], flags: ServiceFlags & PatchFlags) => {
    const credentials = credentialsFrom(flags, terminal.env)
    const file = flags.set === undefined ? parts.at(-1) : undefined
    const key = file === undefined ? parts : parts.slice(0, -1)
    if (key.length === 0) throw badUsage("option '--set': it is missing, and so is a file behind the key")
    const { patchRecord } = await import('../actions/service/records.ts')
    const outputs = { output: terminal.stdout, error: terminal.stderr }
    await patchRecord(credentials, { resource, key }, { ...flags, file, input: terminal.stdin }, outputs)
  })
}

// The commands and how a failure of one is told. One file each says what a command does.
import { Command, CommanderError } from 'commander'
import { PROGRAM_VERSION } from '../base/program-version.ts'
import { withoutPasswords } from '../observe/without-secrets.ts'
import { adviseCommand } from './advise.ts'
import { auditCommand } from './audit.ts'
import { backupCommand, restoreCommand, verifyCommand } from './backup.ts'
import { checkCommand } from './check.ts'
import { demoCommand } from './demo.ts'
import { exportCommand } from './export.ts'
import { filesCommand } from './files.ts'
import { importCommand } from './import.ts'
import { serveCommand } from './serve.ts'
import { setupCommand } from './setup.ts'
import { tokenCommand } from './token.ts'

const EXAMPLES = `
Examples:
  tabularium serve --setup company.yaml
  tabularium setup company.yaml --dry-run
  tabularium import customers shop.ndjson --company EN
  tabularium export general-ledger-transactions ledger.csv --company EN
  tabularium check
  tabularium files check
  tabularium audit verify
  tabularium advise
  tabularium backup /backup/records
  tabularium token --client integration`

/** Runs one command to its end; gives the exit code. */
export async function run(argv: readonly string[]): Promise<number> {
  leaveWithReader()
  const program = new Command('tabularium')
    .description(
      'An enterprise records service: master data, relations, customers and papers behind one JSON REST interface.',
    )
    .version(PROGRAM_VERSION, '--version', 'print the version')
    .option('--verbose', 'show the stack of a failure')
    .addHelpText('after', EXAMPLES)
    .enablePositionalOptions(false)
  const commands = [
    serveCommand(),
    setupCommand(),
    importCommand(),
    exportCommand(),
    filesCommand(),
    checkCommand(),
    auditCommand(),
    adviseCommand(),
    backupCommand(),
    restoreCommand(),
    verifyCommand(),
    tokenCommand(),
    demoCommand(),
  ]
  for (const command of commands) program.addCommand(command)
  const all = commands.flatMap((command) => [command, ...command.commands])
  for (const command of all) {
    command
      .version(PROGRAM_VERSION, '--version', 'print the version')
      .option('--verbose', 'show the stack of a failure')
  }
  for (const command of [program, ...all]) {
    command.exitOverride().configureOutput({ outputError: () => {} })
  }
  try {
    await program.parseAsync(argv, { from: 'user' })
    return Number(process.exitCode ?? 0)
  } catch (error) {
    return tell(error, argv.includes('--verbose'))
  }
}

/** Who reads the output, such as `head`, may have enough: that is no failure, and nothing is left to be told. */
function leaveWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit()
  })
}

function tell(error: unknown, isVerbose: boolean): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0
    const help =
      error.code === 'commander.help'
        ? ''
        : `${error.message.replace(/^error: /, '').replaceAll('\n', ' ')} (see --help)`
    if (help) process.stderr.write(`tabularium: ${help.replace(GIVEN_ADDRESS, '$1')}\n`)
    return 2
  }
  const text = error instanceof Error ? (isVerbose ? (error.stack ?? error.message) : error.message) : String(error)
  process.stderr.write(`tabularium: ${withoutPasswords(text)}\n`)
  return 1
}

/** What was given for the address of a database: with a slip in it, the password may stand anywhere. */
const GIVEN_ADDRESS = /(--database <url>' (?:argument|value)) '.*?'(?= (?:from env|is invalid))/s

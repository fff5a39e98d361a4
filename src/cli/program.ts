// The commands and how a failure of one is told. Their flags are told without loading what they do: only the one that is
// called is loaded.
import { Command, CommanderError } from 'commander'
import { withoutPasswords } from '../observe/without-secrets.ts'
import { adviseCommand } from './commands/advise.ts'
import { auditCommand } from './commands/audit.ts'
import { backupCommand, restoreCommand, verifyCommand } from './commands/backup.ts'
import { checkCommand } from './commands/check.ts'
import { demoCommand } from './commands/demo.ts'
import { exportCommand } from './commands/export.ts'
import { filesCommand } from './commands/files.ts'
import { importCommand } from './commands/import.ts'
import { serveCommand } from './commands/serve.ts'
import { setupCommand } from './commands/setup.ts'
import { tokenCommand } from './commands/token.ts'

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

const VERSION = 'tabularium.version'

/** Runs one command to its end; gives the exit code. */
export async function run(argv: readonly string[]): Promise<number> {
  leaveWithReader()
  const program = new Command('tabularium')
    .description(
      'An enterprise records service: master data, relations, customers and papers behind one JSON REST interface.',
    )
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
  for (const command of [program, ...all]) {
    command
      .option('--verbose', 'show the stack of a failure, and what has caused it')
      .option('--version', 'print the versions of the program and of what it runs on')
      .on('option:version', () => {
        throw new CommanderError(0, VERSION, '')
      })
    command.exitOverride().configureOutput({ outputError: () => {} })
  }
  try {
    await program.parseAsync(argv, { from: 'user' })
    return Number(process.exitCode ?? 0)
  } catch (error) {
    if (error instanceof CommanderError && error.code === VERSION) return tellVersion()
    return tell(error, argv.includes('--verbose'))
  }
}

async function tellVersion(): Promise<number> {
  const { versionText } = await import('./version-text.ts')
  process.stdout.write(`${versionText()}\n`)
  return 0
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
  const text = isVerbose ? withCauses(error) : error instanceof Error ? error.message : String(error)
  process.stderr.write(`tabularium: ${withoutPasswords(text)}\n`)
  return 1
}

/** The stack of a failure, and of what has caused it. */
function withCauses(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const stack = error.stack ?? error.message
  return error.cause === undefined ? stack : `${stack}\ncaused by: ${withCauses(error.cause)}`
}

/** What was given for the address of a database: with a slip in it, the password may stand anywhere. */
const GIVEN_ADDRESS = /(--database <url>' (?:argument|value)) '.*?'(?= (?:from env|is invalid))/s

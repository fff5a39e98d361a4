import cluster from 'node:cluster'
import { Argument, Command, InvalidArgumentError } from 'commander'
import { requireFreeAddress } from '../../app/listening.ts'
import { requireNoDemo } from '../../demo/demo-folder.ts'
import type { MirrorSettings } from '../actions/mirror.ts'
import { credentialsFrom, type ServiceFlags, serviceSettings } from '../settings/credentials.ts'
import { EXAMPLE, parseFaults } from '../settings/faults.ts'
import { type ServeSettings, serveSettings, setting, withOptions } from '../settings/settings.ts'
import { badUsage, requireFile } from '../terminal/bad-usage.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { lazily } from './lazily.ts'

/** `init`: the setup of a first company, by a few questions. */
export function initCommand(terminal: Terminal): Command {
  return new Command('init')
    .description('write the setup of a first company, by five questions')
    .argument('[file]', 'setup file to write; it must not be there yet', 'company.yaml')
    .addHelpText(
      'after',
      `
Without a terminal, standard input has a line for each answer: the name of the company, its language, the records
(cost-centres, customers, documents, suppliers), sqlite or a PostgreSQL address, and who signs in. An empty line is
the default, where there is one.

Examples:
  tabularium init
  tabularium init shop.yaml < answers.txt`,
    )
    .action(async (file: string) => {
      const { init } = await import('../actions/init.ts')
      await init(file, terminal)
    })
}

const DEMO_DATA = './data/demo'

/** `demo`: serves the demo company and prints example requests. */
export function demoCommand(terminal: Terminal): Command {
  const command = new Command('demo')
    .description('serve the demo company (what npm start does)')
    .addArgument(
      new Argument('[transactions]', 'of the ledger, to make when there are none')
        .default(100_000)
        .argParser(transactionCount),
    )
    .addHelpText(
      'after',
      '\nExamples:\n  tabularium demo\n  tabularium demo 1000000\n  tabularium demo --port 9000 --data /tmp/demo\n  tabularium demo --faults 429=0.05,cut=0.01',
    )
  for (const option of [...serveSettings(), faults]) {
    command.addOption(option.name() === 'data' ? option.default(DEMO_DATA) : option)
  }
  return command.action(lazily(terminal, async () => (await import('../actions/demo.ts')).runDemo))
}

const faults = setting(
  '--faults <list>',
  'behave as badly as a busy source, in one process: shares of requests that are refused (429, 503), slow ' +
    `(share:milliseconds) or cut off; a quota of each client; pages by offset that shift. Such as ${EXAMPLE}`,
).argParser(parseFaults)

const MAX_TRANSACTIONS = 10_000_000

function transactionCount(text: string): number {
  const count = Number(text)
  if (/^\d{1,8}$/.test(text) && count !== 1 && count <= MAX_TRANSACTIONS) return count
  throw new InvalidArgumentError(`It must be a number from 2 to ${MAX_TRANSACTIONS}, or 0 for none.`)
}

/** `serve`: serves requests until it receives a signal. */
export function serveCommand(terminal: Terminal): Command {
  const command = new Command('serve')
    .description('serve the records of the companies that are set up')
    .addHelpText(
      'after',
      '\nExamples:\n  tabularium serve --setup company.yaml\n  tabularium serve --database postgres://app@db/records --port 80',
    )
  // This help is where every setting is found, with its default.
  const settings = serveSettings().map((option) => option.hideHelp(false))
  return withOptions(command, [...settings, setting('--setup <file>', 'setup to apply before serving')]).action(
    async (settings: ServeSettings) => {
      if (!cluster.isWorker) await requireFreeAddress(settings)
      if (settings.setup !== undefined) requireFile("option '--setup'", settings.setup)
      if (settings.setup !== undefined && settings.database === undefined) requireNoDemo(settings.data)
      const { serve } = await import('../actions/serve.ts')
      await serve(settings, terminal)
    },
  )
}

const MIRROR_DATA = './data/mirror'

/** `mirror URL`: fills a company from an ERP system, and serves it. */
export function mirrorCommand(terminal: Terminal): Command {
  const command = new Command('mirror')
    .summary('fill a company from an ERP system, and serve it')
    .description(
      'find out what an ERP system shows its client, write a setup file of it, load all records, and follow their changes',
    )
    .argument('[url]', 'address of its interface, without /v1; needed the first time')
    .addOption(setting('--company <id>', 'company of the ERP system; needed the first time'))
    .addOption(setting('--setup <file>', 'setup file; written if it is not there').default('mirror.yaml'))
    .option('--verify', 'compare every record with the ERP system, and serve nothing')
    .option('--detach', 'make it a company that takes writes of its own, and serve nothing')
    .addHelpText(
      'after',
      `
The client and its secret are taken from ERP_CLIENT and ERP_SECRET, or asked for on a terminal. Where it gets a token
is found out, or taken from ERP_TOKEN_URL.

Examples:
  tabularium mirror https://erp.example.com/web-api --company EN
  tabularium mirror --verify
  tabularium mirror --detach`,
    )
  for (const option of serveSettings()) {
    command.addOption(option.name() === 'data' ? option.default(MIRROR_DATA) : option)
  }
  return command.action(async (url: string | undefined, settings: MirrorSettings) => {
    const { verify = false, detach = false } = settings
    if (verify && detach) throw badUsage("option '--detach': it stands alone")
    if (url !== undefined && (verify || detach))
      throw badUsage(`argument 'url': the setup file has it for --${verify ? 'verify' : 'detach'}`)
    const { detachMirror, mirror, verifyMirror } = await import('../actions/mirror.ts')
    if (verify) return verifyMirror(settings, terminal)
    return detach ? detachMirror(settings, terminal) : mirror(url, settings, terminal)
  })
}

const USED = ['host', 'port', 'base-path']

/** `health`: for supervisors and containers, which have no other program to ask with. */
export function healthCommand(terminal: Terminal): Command {
  const command = new Command('health')
    .description('tell whether the service on this machine is ready; it needs the same --port, --host and --base-path')
    .addHelpText(
      'after',
      '\nExit code 0 when it is ready, 1 when it is not or does not answer within 5 s.\n\nExamples:\n  tabularium health\n  tabularium health --config /etc/tabularium/tabularium.yaml',
    )
  const used = serveSettings().filter((option) => USED.includes(option.name()))
  return withOptions(command, used).action(
    lazily(terminal, async () => (await import('../actions/health.ts')).requireReady),
  )
}

/** `smoke`: whether an installation works, seen from outside. */
export function smokeCommand(terminal: Terminal): Command {
  const command = new Command('smoke').description('tell whether a running service answers as it should').addHelpText(
    'after',
    `
It asks some fifty requests as a client, within 20 s, and changes nothing: what would write is sent with $validateOnly.
What the client has no right for is not asked, and no failure. Exit code 1 when an answer is wrong.

Examples:
  tabularium smoke
  TABULARIUM_SECRET=... tabularium smoke --url https://erp.example.com --client shop`,
  )
  return withOptions(command, serviceSettings()).action(async (flags: ServiceFlags) => {
    const credentials = credentialsFrom(flags, terminal.env)
    const { smoke } = await import('../actions/service/smoke.ts')
    await smoke(credentials, terminal)
  })
}

import { Argument, Command, Option } from 'commander'
import type { MirrorSettings } from '../actions/mirror.ts'
import { serveSettings, setting } from '../settings/settings.ts'
import { badUsage } from '../terminal/bad-usage.ts'
import type { Terminal } from '../terminal/terminal.ts'

const DATA = './data/mirror'

/** `mirror URL`: fills a company from an ERP system, and serves it. */
export function mirrorCommand(terminal: Terminal): Command {
  const command = new Command('mirror')
    .summary('fill a company from an ERP system, and serve it')
    .description(
      'find out what an ERP system shows its client, write a setup file of it, load all records, and follow their changes',
    )
    .addArgument(new Argument('[url]', 'address of its interface, without /v1; needed the first time'))
    .addOption(setting('--company <id>', 'company of the ERP system; needed the first time'))
    .addOption(setting('--setup <file>', 'setup file; written if it is not there').default('mirror.yaml'))
    .addOption(new Option('--verify', 'compare every record with the ERP system, and serve nothing'))
    .addOption(new Option('--detach', 'make it a company that takes writes of its own, and serve nothing'))
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
    command.addOption(option.name() === 'data' ? option.default(DATA) : option)
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

import { Argument, Command, type Option } from 'commander'
import type { DetachSettings, MirrorSettings } from '../actions/mirror.ts'
import { type StoreFlags, serveSettings, setting, storeSettings, webhookSetting } from '../settings/settings.ts'
import type { Terminal } from '../terminal/terminal.ts'

const DATA = './data/mirror'

function setupSetting(description: string): Option {
  return setting('--setup <file>', description).default('mirror.yaml')
}

/** `mirror URL`: fills a company from an ERP system, and serves it. */
export function mirrorCommand(terminal: Terminal): Command {
  const command = new Command('mirror')
    .summary('fill a company from an ERP system, and serve it')
    .description(
      'find out what an ERP system shows its client, write a setup file of it, load all records, and follow their changes',
    )
    .usage('[options] [url] [token-url]')
    .addArgument(new Argument('[url]', 'address of its interface, without /v1; needed the first time'))
    .addArgument(new Argument('[token-url]', 'where its client gets a token; absent: the usual places are tried'))
    .addOption(setting('--company <id>', 'company of the ERP system; needed the first time'))
    .enablePositionalOptions()
    .addHelpText(
      'after',
      `
The client and its secret are taken from ERP_CLIENT and ERP_SECRET, or asked for on a terminal.

Examples:
  tabularium mirror https://erp.example.com/web-api --company EN
  tabularium mirror verify
  tabularium mirror detach`,
    )
  addAll(command, [setupSetting('setup file; written if it is not there'), ...serveSettings()])
  for (const part of partsOf(terminal)) command.addCommand(part)
  return command.action(async (url: string | undefined, tokenUrl: string | undefined, settings: MirrorSettings) => {
    const { mirror } = await import('../actions/mirror.ts')
    await mirror({ url, tokenUrl }, settings, terminal)
  })
}

/** What is done with a mirror besides serving it. */
function partsOf(terminal: Terminal): Command[] {
  const verify = new Command('verify')
    .description('compare every record with the ERP system')
    .addHelpText('after', '\nExit code 1 when there are differences.\n\nExample:\n  tabularium mirror verify')
    .action(async (settings: StoreFlags) => {
      const { verifyMirror } = await import('../actions/mirror.ts')
      await verifyMirror(settings, terminal)
    })
  const detach = new Command('detach')
    .description('make it a company that takes writes of its own')
    .addHelpText('after', '\nExample:\n  tabularium mirror detach')
    .action(async (settings: DetachSettings) => {
      const { detachMirror } = await import('../actions/mirror.ts')
      await detachMirror(settings, terminal)
    })
  addAll(verify, storeSettings())
  addAll(detach, [setupSetting('setup file, which loses its source'), ...storeSettings(), webhookSetting()])
  return [verify, detach]
}

/** A mirror has a data folder of its own. */
function addAll(command: Command, options: readonly Option[]): void {
  for (const option of options) command.addOption(option.name() === 'data' ? option.default(DATA) : option)
}

import { Command, InvalidArgumentError, Option } from 'commander'
import type { AskedRequest } from '../../../app/explain-access.ts'
import type { AccessSettings } from '../../actions/access/access.ts'
import { delegable } from '../../remote/declarations.ts'
import { setting, storeSettings } from '../../settings/settings.ts'
import type { Terminal } from '../../terminal/terminal.ts'

/** `access`: tells whether a request is allowed, by which role and under which rules, or what is missing. */
export function accessCommand(terminal: Terminal): Command {
  const command = new Command('access')
    .description('tell why a request of a client is allowed or refused: by which roles, and under which rules')
    .addOption(setting('--client <id>', 'client that sends the request').makeOptionMandatory())
    .addOption(setting('--company <id>', 'company of the request; absent: that of its address, or the default one'))
    .addOption(
      new Option('--why <request>', 'method and address, such as "GET /v1/customers/1001"')
        .argParser(parseRequest)
        .makeOptionMandatory(),
    )
    .addOption(new Option('--json', 'for programs: a JSON object'))
    .addHelpText(
      'after',
      '\nExit code 0 when it is allowed, 1 when it is refused.\n\nExamples:\n  tabularium access --client bi --why "GET /v1/objects/customers"\n  tabularium access --client bi --company EN --why "PATCH /v1/customers/1001" --json',
    )
  for (const option of storeSettings()) command.addOption(option)
  return delegable(command, 'if-asked').action(async (settings: AccessSettings) => {
    const { printAccess } = await import('../../actions/access/access.ts')
    await printAccess(settings, terminal)
  })
}

const REQUEST = /^(GET|HEAD|POST|PATCH|DELETE) (\/\S*)$/

function parseRequest(text: string): AccessSettings['why'] {
  const [, method, url] = REQUEST.exec(text) ?? []
  if (method !== undefined && url !== undefined) return { method: method as AskedRequest['method'], url }
  throw new InvalidArgumentError('It must be a method and an address, like "GET /v1/customers/1001".')
}

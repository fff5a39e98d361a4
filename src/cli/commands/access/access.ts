import { Argument, Command, InvalidArgumentError, Option } from 'commander'
import type { AccessSettings, RequestToExplain } from '../../actions/access/access.ts'
import { setting, storeSettings } from '../../settings/settings.ts'
import type { Terminal } from '../../terminal/terminal.ts'

/** `access`: tells whether a request is allowed, by which role and under which rules, or what is missing. */
export function accessCommand(terminal: Terminal): Command {
  const command = new Command('access')
    .description('tell why a request of a client is allowed or refused: by which roles, and under which rules')
    .addOption(setting('--client <id>', 'client that sends the request').makeOptionMandatory())
    .addOption(setting('--company <id>', 'company of the request; absent: that of its address, or the default one'))
    .addArgument(
      new Argument('<request>', 'method and address, such as "GET /v1/customers/1001"').argParser(parseRequest),
    )
    .addOption(new Option('--format <format>', 'json for programs').choices(['text', 'json']).default('text'))
    .addHelpText(
      'after',
      '\nExit code 0 when it is allowed, 1 when it is refused.\n\nExamples:\n  tabularium access "GET /v1/objects/customers" --client bi\n  tabularium access "PATCH /v1/customers/1001" --client bi --company EN --format json',
    )
  for (const option of storeSettings()) command.addOption(option)
  return command.action(async (request: RequestToExplain, settings: AccessSettings) => {
    const { printAccess } = await import('../../actions/access/access.ts')
    await printAccess(request, settings, terminal)
  })
}

const REQUEST = /^(GET|HEAD|POST|PATCH|DELETE) (\/\S*)$/

function parseRequest(text: string): RequestToExplain {
  const [, method, url] = REQUEST.exec(text) ?? []
  if (method !== undefined && url !== undefined) return { method: method as RequestToExplain['method'], url }
  throw new InvalidArgumentError('It must be a method and an address, like "GET /v1/customers/1001".')
}

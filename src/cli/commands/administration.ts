import { Command, InvalidArgumentError, Option } from 'commander'
import type { PrunableSection } from '../../setup/apply/prune.ts'
import type { RequestToExplain } from '../actions/access.ts'
import type { ListSettings } from '../actions/access-lists.ts'
import type { SetupSettings } from '../actions/setup.ts'
import { setting, storeSettings, webhookSetting, withOptions } from '../settings/settings.ts'
import { badUsage } from '../terminal/bad-usage.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { lazily } from './lazily.ts'

/** `setup FILE`: checks a setup file and applies it, or prints what it would change. */
export function setupCommand(terminal: Terminal): Command {
  const command = new Command('setup')
    .summary('check a setup file and apply it')
    .description('check a setup file and apply it: it adds and changes, and deletes only what --prune names')
    .argument('[file]', 'setup file (YAML)')
    .option('--dry-run', 'print what would change, and change nothing')
    .option(
      '--prune <sections>',
      'remove what the file lacks of clients, users, roles and subscriptions (a list: clients,users)',
      parseSections,
    )
    .option('--print', 'print the setup in force, as a file that changes nothing when it is applied')
    .addHelpText(
      'after',
      '\nExamples:\n  tabularium setup company.yaml --dry-run\n  tabularium setup company.yaml --prune clients,users,roles,subscriptions\n  tabularium setup --print > company.yaml\n  tabularium setup company.yaml --database postgres://app@db/records',
    )
  return withOptions(command, [...storeSettings(), webhookSetting()]).action(
    async (file: string | undefined, settings: SetupSettings) => {
      if (settings.print) {
        if (file !== undefined || settings.dryRun || settings.prune) throw badUsage("option '--print' stands alone")
        const { printStoredSetup } = await import('../actions/access-lists.ts')
        return printStoredSetup(settings, terminal)
      }
      if (file === undefined) throw badUsage("missing required argument 'file'")
      const { runSetup } = await import('../actions/setup.ts')
      await runSetup(file, settings, terminal)
    },
  )
}

const SECTIONS = ['clients', 'users', 'roles', 'subscriptions'] as const satisfies readonly PrunableSection[]

function parseSections(text: string): readonly PrunableSection[] {
  const sections = SECTIONS.filter((section) => text.split(',').includes(section))
  if (text.split(',').every((name) => SECTIONS.some((section) => section === name))) return sections
  throw new InvalidArgumentError(
    'Only clients, users, roles and subscriptions can be removed: records may need everything else.',
  )
}

/** `access`: tells whether a request is allowed, by which role and under which rules, or what is missing. */
export function accessCommand(terminal: Terminal): Command {
  const command = new Command('access')
    .description('tell why a request of a client is allowed or refused: by which roles, and under which rules')
    .addOption(setting('--client <id>', 'client that sends the request').makeOptionMandatory())
    .addOption(setting('--company <id>', 'company of the request; absent: that of its address, or the default one'))
    .argument('<request>', 'method and address, such as "GET /v1/customers/1001"', parseRequest)
    .addOption(new Option('--format <format>', 'json for programs').choices(['text', 'json']).default('text'))
    .addHelpText(
      'after',
      '\nExit code 0 when it is allowed, 1 when it is refused.\n\nExamples:\n  tabularium access "GET /v1/objects/customers" --client bi\n  tabularium access "PATCH /v1/customers/1001" --client bi --company EN --format json',
    )
  return withOptions(command, storeSettings()).action(
    lazily(terminal, async () => (await import('../actions/access.ts')).printAccess),
  )
}

const REQUEST = /^(GET|HEAD|POST|PATCH|DELETE) (\/\S*)$/

function parseRequest(text: string): RequestToExplain {
  const [, method, url] = REQUEST.exec(text) ?? []
  if (method !== undefined && url !== undefined) return { method: method as RequestToExplain['method'], url }
  throw new InvalidArgumentError('It must be a method and an address, like "GET /v1/customers/1001".')
}

/** `hash-secret`: prints the hash of a secret, for a setup. An argument would be visible to others on the machine. */
export function hashSecretCommand(terminal: Terminal): Command {
  return new Command('hash-secret')
    .description('print the hash of a secret for a setup; the secret is read from standard input, or asked for')
    .option('--generate', 'make a random secret, and print it before its hash')
    .addHelpText(
      'after',
      '\nExamples:\n  tabularium hash-secret\n  tabularium hash-secret < secret.txt\n  tabularium hash-secret --generate',
    )
    .action(lazily(terminal, async () => (await import('../actions/secrets.ts')).printHash))
}

/** `keys rotate`: tokens are signed with a new key from now on. */
export function keysCommand(terminal: Terminal): Command {
  const rotate = new Command('rotate')
    .description(
      'sign tokens with a new key from now on, in all processes; tokens of the ones before stay valid until they expire',
    )
    .addHelpText('after', '\nExamples:\n  tabularium keys rotate\n  tabularium keys rotate --data /srv/records')
  for (const option of storeSettings()) if (['data', 'keys'].includes(option.name())) rotate.addOption(option)
  rotate.action(lazily(terminal, async () => (await import('../actions/token.ts')).rotateKeys))
  return new Command('keys').description('the private keys that sign tokens').addCommand(rotate)
}

type Lists = typeof import('../actions/access-lists.ts')

/** `clients`, `users` and `roles`: list the stored setup's. They only read, also while the service runs. */
export function listCommands(terminal: Terminal): Command[] {
  return [
    listCommand(
      terminal,
      'clients',
      'list the clients: their user, state, secrets and roles',
      (lists) => lists.listClients,
    ),
    listCommand(terminal, 'users', 'list the users: their clients, state and roles', (lists) => lists.listUsers),
    listCommand(terminal, 'roles', 'list the roles: what they allow, and who has them', (lists) => lists.listRoles),
  ]
}

function listCommand(
  terminal: Terminal,
  name: string,
  description: string,
  actionOf: (lists: Lists) => (settings: ListSettings, terminal: Terminal) => Promise<void>,
): Command {
  const command = new Command(name)
    .description(description)
    .addOption(new Option('--format <format>', 'json for programs').choices(['table', 'json']).default('table'))
    .addHelpText('after', `\nExamples:\n  tabularium ${name}\n  tabularium ${name} --format json`)
  return withOptions(command, storeSettings()).action(
    lazily(terminal, async () => actionOf(await import('../actions/access-lists.ts'))),
  )
}

/** `token --client ID`: prints an access token, signed with the keys that the service uses. */
export function tokenCommand(terminal: Terminal): Command {
  const command = new Command('token')
    .description(
      'print an access token for a client, signed with the keys of the data folder (no secret is needed there)',
    )
    .addOption(setting('--client <id>', 'client to get a token for').makeOptionMandatory())
    .addHelpText(
      'after',
      '\nExample:\n  curl -H "Authorization: Bearer $(tabularium token --client demo)" http://127.0.0.1:8080/v1/attribute-values/C1',
    )
  return withOptions(command, storeSettings()).action(
    lazily(terminal, async () => (await import('../actions/token.ts')).printToken),
  )
}

/** `user add ID`: a person who signs in to the console, in a setup file. */
export function userCommand(terminal: Terminal): Command {
  const add = new Command('add')
    .description(
      'add a person to a setup file, or give one another password; the password is asked for, or read from standard input',
    )
    .argument('<id>', 'the user who signs in')
    .requiredOption('--setup <file>', 'the setup file that is changed')
    .option('--company <id>', 'the default company; needed for a new user')
    .option('--role <id...>', 'roles in that company')
    .addHelpText(
      'after',
      '\nThe file is changed, and nothing else: apply it with `tabularium setup FILE`.\n\nExamples:\n  tabularium user add anna.lie --setup company.yaml --company EN --role reader\n  tabularium user add anna.lie --setup company.yaml < password.txt',
    )
    .action(lazily(terminal, async () => (await import('../actions/secrets.ts')).addUser))
  return new Command('user').description('people who sign in to the console').addCommand(add)
}

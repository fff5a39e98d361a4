import { Command, Option } from 'commander'
import type { HashSettings } from '../../actions/access/hash-secret.ts'
import type { Terminal } from '../../terminal/terminal.ts'

/** `hash-secret`: prints the hash of a secret, for a setup. An argument would be visible to others on the machine. */
export function hashSecretCommand(terminal: Terminal): Command {
  return new Command('hash-secret')
    .description('print the hash of a secret for a setup; the secret is read from standard input, or asked for')
    .addOption(new Option('--generate', 'make a random secret, and print it before its hash'))
    .addHelpText(
      'after',
      '\nExamples:\n  tabularium hash-secret\n  tabularium hash-secret < secret.txt\n  tabularium hash-secret --generate',
    )
    .action(async (settings: HashSettings) => {
      const { printHash } = await import('../../actions/access/hash-secret.ts')
      await printHash(settings, terminal)
    })
}

import { Command } from 'commander'
import { credentialsFrom, type ServiceFlags, serviceSettings } from '../../remote-service/credentials.ts'
import type { Terminal } from '../../terminal.ts'

interface BridgeFlags extends ServiceFlags {
  readonly write?: boolean
}

/** `mcp`: for programs that start a server of tools and speak with it through its standard input and output. */
export function mcpCommand(terminal: Terminal): Command {
  const command = new Command('mcp')
    .description('pass messages of agents (Model Context Protocol) between standard input and output and a service')
    .option('--write', 'ask for a token that may also propose and apply changes')
    .addHelpText(
      'after',
      `
It ends with its input, exit code 0. Exit code 1 when the service gives no token at the start, 2 for bad usage.

Examples:
  TABULARIUM_SECRET=... tabularium mcp --url https://erp.example.com --client agents
  TABULARIUM_SECRET=... tabularium mcp --url https://erp.example.com --client agents --write`,
    )
  for (const option of serviceSettings()) command.addOption(option)
  return command.action(async ({ write = false, ...flags }: BridgeFlags) => {
    const credentials = credentialsFrom(flags, terminal.env)
    const { runBridge } = await import('../../actions/bridge/run-bridge.ts')
    await runBridge(credentials, { write, input: terminal.stdin, output: terminal.stdout, error: terminal.stderr })
  })
}

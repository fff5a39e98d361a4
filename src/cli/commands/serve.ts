import cluster from 'node:cluster'
import { Command } from 'commander'
import { requireFreeAddress } from '../../app/listening.ts'
import { requireNoDemo } from '../../demo/demo-folder.ts'
import { type ServeSettings, serveSettings, setting } from '../settings/settings.ts'
import { requireFile } from '../terminal/bad-usage.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** `serve`: serves requests until it receives a signal. */
export function serveCommand(terminal: Terminal): Command {
  const command = new Command('serve')
    .description('serve the records of the companies that are set up')
    .addHelpText(
      'after',
      '\nExamples:\n  tabularium serve --setup company.yaml\n  tabularium serve --database postgres://app@db/records --port 80\n\n' +
        'The guide "Settings" lists further ones, which poolers, replicas and other single features need.',
    )
  for (const option of [...serveSettings(), setting('--setup <file>', 'setup to apply before serving')]) {
    command.addOption(option)
  }
  return command.action(async (settings: ServeSettings) => {
    if (!cluster.isWorker) await requireFreeAddress(settings)
    if (settings.setup !== undefined) requireFile("option '--setup'", settings.setup)
    if (settings.setup !== undefined && settings.database === undefined) requireNoDemo(settings.data)
    const { serve } = await import('../actions/serve.ts')
    await serve(settings, terminal)
  })
}

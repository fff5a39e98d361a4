import { Command } from 'commander'
import { startApplication } from '../app.ts'
import { createLogger } from '../observe/logger.ts'
import { type ServeSettings, serveSettings, setting } from './settings.ts'

const FATAL_EXIT_CODE = 70

/** `serve`: answers requests until it is told to stop. */
export function serveCommand(): Command {
  const command = new Command('serve')
    .description('serve the records of the companies that are set up')
    .addHelpText(
      'after',
      '\nExamples:\n  tabularium serve --setup company.yaml\n  tabularium serve --database postgres://app:secret@db/records --port 80',
    )
  for (const option of [...serveSettings(), setting('--setup <file>', 'setup to apply before serving')]) {
    command.addOption(option)
  }
  return command.action((settings: ServeSettings) => serve(settings))
}

/** Starts the service, tells its address, and resolves when it has stopped in good order. */
export async function serve(settings: ServeSettings, whenReady?: (address: string) => Promise<void>): Promise<void> {
  const observe = createLogger(settings.logLevel)
  const application = await startApplication({
    ...settings,
    observe,
    onFatal: () => process.exit(FATAL_EXIT_CODE),
  })
  const stopped = new Promise<void>((resolve, reject) => {
    const stop = (signal: NodeJS.Signals): void => {
      observe({ kind: 'stopping', signal })
      // At a keyboard nobody waits for a load balancer to notice.
      const graceMs = signal === 'SIGTERM' ? settings.shutdownGrace * 1000 : 0
      application.stop(graceMs).then(resolve, reject)
    }
    process.once('SIGTERM', stop)
    process.once('SIGINT', stop)
  })
  process.stdout.write(`listening on ${application.address}\n`)
  observe({ kind: 'listening', address: application.address })
  await whenReady?.(application.address)
  await stopped
  observe({ kind: 'stopped' })
}

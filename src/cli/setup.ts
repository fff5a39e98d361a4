import { Command, Option } from 'commander'
import { setupTask } from '../app.ts'
import { systemClock } from '../base/clock.ts'
import { createLogger } from '../observe/logger.ts'
import { applySetup, previewSetup } from '../setup/apply-setup.ts'
import { openStore } from '../store/open-store.ts'
import { requireNoDemo } from './demo/demo-folder.ts'
import { type StoreSettings, storeOptions, storeSettings } from './settings.ts'

/** `setup FILE`: checks a setup file whole and applies it, or says what it would change. */
export function setupCommand(): Command {
  const command = new Command('setup')
    .description('check a setup file and apply it: it adds and changes, and never deletes')
    .argument('<file>', 'setup file (YAML)')
    .addOption(new Option('--dry-run', 'print what would change, and change nothing'))
    .addHelpText(
      'after',
      '\nExamples:\n  tabularium setup company.yaml --dry-run\n  tabularium setup company.yaml --database postgres://app:secret@db/records',
    )
  for (const option of storeSettings()) command.addOption(option)
  return command.action(setup)
}

async function setup(file: string, settings: StoreSettings & { dryRun?: boolean }): Promise<void> {
  if (settings.database === undefined) requireNoDemo(settings.data)
  const observe = createLogger('warn')
  const store = await openStore({
    ...storeOptions(settings),
    clock: systemClock,
    observe,
    onFatal: () => process.exit(70),
  })
  try {
    const task = setupTask(store, file, observe)
    const report = settings.dryRun ? await previewSetup(task) : await applySetup(task)
    process.stdout.write(`${report.text}\n`)
    if (!settings.dryRun) await store.changeIndexes(report.indexes, new AbortController().signal)
  } finally {
    await store.close()
  }
}

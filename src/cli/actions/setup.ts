import { setupTask } from '../../app/setup-task.ts'
import { systemClock } from '../../base/clock.ts'
import { requireNoDemo } from '../../demo/demo-folder.ts'
import { createLogger } from '../../observe/logger.ts'
import { applySetup, previewSetup } from '../../setup/apply/apply-setup.ts'
import { driverAt } from '../../store/dialects/drivers.ts'
import { openScratchStore, openStore } from '../../store/open-store.ts'
import { requireFile } from '../bad-usage.ts'
import type { SetupSettings } from '../commands/setup.ts'
import { FATAL_EXIT_CODE } from '../exit-codes.ts'
import { storeOptions } from '../settings.ts'

export async function runSetup(file: string, settings: SetupSettings): Promise<void> {
  requireFile("argument 'file'", file)
  if (settings.database === undefined) requireNoDemo(settings.data)
  const observe = createLogger('warn')
  const options = {
    ...storeOptions(settings),
    clock: systemClock,
    observe,
    onFatal: () => process.exit(FATAL_EXIT_CODE),
  }
  // What a first setup would change is found out elsewhere: a dry run makes no database.
  const isScratch = settings.dryRun && !(await driverAt(options).isSetUp(options))
  await using resources = new AsyncDisposableStack()
  const store = await (isScratch ? openScratchStore(options) : openStore(options))
  resources.defer(() => store.close())
  const task = setupTask(store, file, observe)
  const report = settings.dryRun ? await previewSetup(task) : await applySetup(task)
  process.stdout.write(`${report.text}\n`)
  if (!settings.dryRun) await store.changeIndexes(report.indexes, new AbortController().signal)
}

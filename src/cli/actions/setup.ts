import { untilInForce } from '../../app/serving-process.ts'
import { setupTask } from '../../app/setup/setup-task.ts'
import { systemClock } from '../../base/clock.ts'
import { driverAt } from '../../databases/open/drivers.ts'
import { openScratchStore, openStore } from '../../databases/open/open-store.ts'
import { requireNoDemo } from '../../demo/demo-folder.ts'
import { applySetup, previewSetup } from '../../setup/apply/apply-setup.ts'
import type { PrunableSection } from '../../setup/apply/prune.ts'
import type { Store } from '../../store/store.ts'
import { type StoreFlags, storeOptions, type WebhookFlags } from '../settings/settings.ts'
import { requireFile } from '../terminal/bad-usage.ts'
import { reportsTo } from '../terminal/reports-to.ts'
import type { Terminal } from '../terminal/terminal.ts'

export interface SetupSettings extends StoreFlags, WebhookFlags {
  readonly dryRun?: boolean
  readonly prune?: readonly PrunableSection[]
  readonly print?: boolean
}

export async function runSetup(file: string, settings: SetupSettings, terminal: Terminal): Promise<void> {
  requireFile("argument 'file'", file)
  if (settings.database === undefined) requireNoDemo(settings.data)
  const reports = reportsTo(terminal)
  const options = { ...storeOptions(settings), clock: systemClock, ...reports }
  // What a first setup would change is found out elsewhere: a dry run makes no database.
  const isScratch = settings.dryRun && !(await driverAt(options).isSetUp(options))
  await using resources = new AsyncDisposableStack()
  const store = await (isScratch ? openScratchStore(options) : openStore(options))
  resources.defer(() => store.close())
  const { prune, webhookNetworks } = settings
  const task = setupTask(store, file, reports.observe, { prune, webhookNetworks, environment: terminal.env })
  const report = settings.dryRun ? await previewSetup(task) : await applySetup(task)
  terminal.stdout.write(`${report.text}\n`)
  if (!settings.dryRun) await awaitForce(store, settings.database !== undefined, terminal)
  if (!settings.dryRun) await store.changeIndexes(report.indexes, new AbortController().signal)
}

/** When the command has ended, every process answers by the new rules. */
async function awaitForce(store: Store, isShared: boolean, terminal: Terminal): Promise<void> {
  const late = await untilInForce(store, isShared)
  if (late.length === 0) return
  terminal.stderr.write(`the setup is applied, but not in force yet in ${late.join(', ')}\n`)
}

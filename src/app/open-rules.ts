// The setup in force: companies and their rules, who may call, documents and indexes, and what follows a change.
import { basename } from 'node:path'
import { Directory } from '../access/directory.ts'
import { PROGRAM_VERSION } from '../base/process/program-version.ts'
import { OPERATION_LEASES } from '../batch-operations/held-operation-store.ts'
import { ChangeService } from '../changes/feed/change-service.ts'
import { ChangeFeed } from '../changes/feed/feed.ts'
import { LongWork } from '../changes/long-work.ts'
import { Problem } from '../errors/problem.ts'
import { ResponseCache } from '../http/route/response-cache.ts'
import { MIRROR_LEASES } from '../mirror/mirror-store.ts'
import type { DocumentDefinition } from '../model/document.ts'
import { DeclaredDocuments } from '../objects/declared-documents.ts'
import { withExtension } from '../objects/enterprise-document.ts'
import type { Observe } from '../observe/observation.ts'
import { customerDocument } from '../records/kinds/customer-document.ts'
import { applySetup } from '../setup/apply/apply-setup.ts'
import { findConsoleSource } from '../setup/apply/console-source.ts'
import { ActiveIndexes } from '../setup/items/active-indexes.ts'
import { ActiveRules } from '../setup/items/active-rules.ts'
import { Companies } from '../setup/rules/companies.ts'
import type { Store } from '../store/store.ts'
import { DELIVERY_LEASES } from '../subscriptions/delivery/lease-store.ts'
import type { ApplicationSettings } from './application.ts'
import { warnOfAccess } from './log-access.ts'
import type { Opened } from './open.ts'
import { ServingProcess } from './serving-process.ts'
import { builtInDocuments } from './setup/built-in-documents.ts'
import { findersIn, setupTask } from './setup/setup-task.ts'

export type OpenRules = Awaited<ReturnType<typeof openRules>>

/** Applies the setup of the settings, and loads what is stored. */
export async function openRules(settings: ApplicationSettings, opened: Opened, resources: AsyncDisposableStack) {
  const { store, records, read, observe, clock, metrics, environment } = opened
  const companies = new Companies()
  const directory = new Directory()
  const builtIn = builtInDocuments(clock, () => custom)
  const { findCommon } = findersIn(builtIn)
  const { looksAfter = true } = settings
  const indexes = new ActiveIndexes({ store, findCommon, observe, builds: looksAfter })
  resources.defer(() => indexes.stop())
  const withIndexes = (definition: DocumentDefinition) => indexes.withIndexes(definition)
  const custom = new DeclaredDocuments(store, withIndexes, customerDocument)
  const served = builtIn.map((document) => withExtension(document, withIndexes))
  const allDocuments = () => [...served, ...custom.all]
  const longWork = new LongWork()
  const feed = new ChangeFeed({ store: records, companies, documents: allDocuments, work: longWork })
  const changes = new ChangeService({ store: records, feed, documents: allDocuments, read })
  const responseCache = new ResponseCache(PROGRAM_VERSION, metrics.responses)
  const onReplaced = (version: number) => {
    responseCache.invalidate(version)
    changes.signals.wakeAll()
  }
  const serving = await ServingProcess.on(store, settings)
  resources.defer(() => serving.leave())
  const onLoaded = (version: number) => serving.report(version)
  const parts = { store, companies, directory, documents: custom, indexes, observe, onReplaced, onLoaded }
  const active = new ActiveRules(parts)
  resources.defer(() => active.stop())
  const { setup, webhookNetworks } = settings
  const setupReport =
    setup === undefined || (await isLeftAlone(setup, store, observe))
      ? undefined
      : await applySetup(setupTask(store, setup, observe, { environment, webhookNetworks }))
  await active.load()
  if (settings.database === undefined && !settings.isWorker) await releaseEndedLeases(store, companies)
  if (!settings.isWorker) warnOfAccess(directory, setupReport, clock(), observe)
  const documents = { builtIn: served, custom, withIndexes }
  return {
    companies,
    directory,
    builtIn,
    documents,
    allDocuments,
    indexes,
    active,
    setupReport,
    serving,
    responseCache,
    changes,
    feed,
    longWork,
  }
}

/** What was changed in the console stays, and the file does not take it back. */
async function isLeftAlone(file: string, store: Store, observe: Observe): Promise<boolean> {
  const source = await findConsoleSource(store)
  if (source)
    observe({ kind: 'setup-left-alone', file: basename(file), changedBy: source.userId, changedAt: source.at })
  return source !== undefined
}

/** For the first process on a data folder, which it holds: whoever has held leases before has ended. */
async function releaseEndedLeases(store: Store, companies: Companies): Promise<void> {
  for (const { id } of companies.all) {
    for (const leases of [DELIVERY_LEASES, MIRROR_LEASES, OPERATION_LEASES]) {
      await leases.releaseAll(store, id).catch((thrown: unknown) => {
        // On a full disk they end by themselves.
        if (!(thrown instanceof Problem)) throw thrown
      })
    }
  }
}

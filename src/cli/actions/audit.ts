import { existsSync } from 'node:fs'
import { readText } from '../../base/process/files.ts'
import { openReadOnly } from '../../databases/open/open-read-only.ts'
import {
  findChainEnd,
  findErasures,
  listChains,
  type ReadOnlyDatabase,
  readChain,
} from '../../store/audit/audit-store.ts'
import { Erasures } from '../../store/audit/erasures.ts'
import { type ChainFault, type NotedEntry, verifyChain } from '../../store/audit/verify-chain.ts'
import { type StoreFlags, storeOptions } from '../settings/settings.ts'
import { badUsage, unknownName } from '../terminal/bad-usage.ts'
import { formatCountOf, withProgress } from '../terminal/progress.ts'
import type { Terminal } from '../terminal/terminal.ts'

export interface AuditSettings extends StoreFlags {
  readonly company?: string
  readonly since?: readonly string[]
}

/** The end of a company's chain, as an administrator has recorded it outside the service. */
interface NotedHead extends NotedEntry {
  readonly companyId: string
}

export async function verifyAll(settings: AuditSettings, terminal: Terminal): Promise<void> {
  const noted = (settings.since ?? []).flatMap(readHeads)
  await using database = await openReadOnly(storeOptions(settings))
  const companies = await companiesOf(database, settings.company)
  for (const { companyId, entryNo } of noted) {
    if (settings.company !== undefined || companies.includes(companyId)) continue
    const message = 'the entry was noted and there is no such company'
    printFault(companyId, { kind: 'noted', entryNo, message }, terminal)
  }
  let total = 0
  // Sequentially, because a PostgreSQL session is bound to one company at a time.
  for (const companyId of companies) total += (await findChainEnd(database, companyId)).count
  const { faults, erased, pruned } = await withProgress(terminal, 'reading the journal', total, (progress) =>
    verifyEach(database, companies, noted, progress),
  )
  for (const [companyId, found] of faults) for (const fault of found) printFault(companyId, fault, terminal)
  const intact = companies.length - [...faults.values()].filter((found) => found.length > 0).length
  const emptied = [
    ...(erased === 0 ? [] : [`${formatCountOf(erased, 'entry')} erased`]),
    ...(pruned === 0 ? [] : [`${formatCountOf(pruned, 'entry')} without texts`]),
  ]
  const emptiedText = emptied.length === 0 ? '' : `; ${emptied.join(' and ')}, as later ones say`
  terminal.stdout.write(
    `${formatCountOf(total, 'entry')}: ${intact} of ${formatCountOf(companies.length, 'chain')} ${intact === 1 ? 'is' : 'are'} whole${emptiedText}\n`,
  )
}

interface Verified {
  readonly faults: Map<string, ChainFault[]>
  /** Numbers of entries that were erased, and that have lost their texts alone. */
  readonly erased: number
  readonly pruned: number
}

async function verifyEach(
  database: ReadOnlyDatabase,
  companies: readonly string[],
  noted: readonly NotedHead[],
  progress: (entries: number) => void,
): Promise<Verified> {
  const faults = new Map<string, ChainFault[]>()
  let [done, erased, pruned] = [0, 0, 0]
  for (const companyId of companies) {
    const wanted = noted.filter((one) => one.companyId === companyId)
    const verified = await verifyOne(database, companyId, wanted, (entries) => progress(done + entries))
    faults.set(companyId, verified.faults)
    done += verified.count
    erased += verified.erasures.count
    pruned += verified.erasures.countWithKeys
  }
  return { faults, erased, pruned }
}

const TRIES = 3

async function verifyOne(
  database: ReadOnlyDatabase,
  companyId: string,
  noted: readonly NotedHead[],
  progress: (entries: number) => void,
): Promise<{ faults: ChainFault[]; count: number; erasures: Erasures }> {
  for (let tries = 1; ; tries++) {
    // Read again, because the service may have written entries since the total was counted.
    const end = await findChainEnd(database, companyId)
    const naming = await findErasures(database, companyId)
    const erasures = new Erasures(naming)
    const faults = await verifyChain(readChain(database, companyId, end.entryNo), end, noted, progress, erasures)
    const found = { faults, count: end.count, erasures }
    if (faults.length === 0 || tries === TRIES) return found
    // The service may have emptied entries before they were read: then there are new ones that say so.
    if ((await findErasures(database, companyId)).length === naming.length) return found
  }
}

function printFault(companyId: string, { kind, entryNo, message }: ChainFault, terminal: Terminal): void {
  const chain = companyId === '' ? 'what belongs to no company' : `company ${companyId}`
  terminal.stdout.write(`${kind}: entry ${entryNo} of ${chain}: ${message}\n`)
  terminal.exitCode = 1
}

export async function printHeads(settings: AuditSettings, terminal: Terminal): Promise<void> {
  await using database = await openReadOnly(storeOptions(settings))
  for (const companyId of await companiesOf(database, settings.company)) {
    const { entryNo, hash } = await findChainEnd(database, companyId)
    if (entryNo > 0) terminal.stdout.write(`${companyId}:${entryNo}:${hash}\n`)
  }
}

async function companiesOf(database: ReadOnlyDatabase, wanted: string | undefined): Promise<string[]> {
  const all = await listChains(database)
  if (wanted === undefined) return all
  const found = all.find((companyId) => companyId.toLowerCase() === wanted.toLowerCase())
  if (found === undefined) throw unknownName("option '--company'", 'company', wanted, all)
  return [found]
}

/** The company id may contain colons. */
const HEAD = /^(.*):([1-9]\d{0,15}):([0-9a-f]{64})$/

/** Parses one line of `audit head`, or a file of such lines. */
function readHeads(given: string): NotedHead[] {
  if (HEAD.test(given)) return [parseHead(given)]
  if (!existsSync(given))
    throw badUsage(`option '--since': '${given.slice(0, 100)}' is no COMPANY:ENTRY:HASH and no file`)
  const lines = readText(given).split(/\r?\n/)
  return lines.filter((line) => line.trim() !== '').map(parseHead)
}

function parseHead(line: string): NotedHead {
  const [, companyId, entryNo, hash] = HEAD.exec(line) ?? []
  if (companyId === undefined || hash === undefined) {
    throw badUsage(`option '--since': '${line.slice(0, 100)}' is not COMPANY:ENTRY:HASH`)
  }
  return { companyId, entryNo: Number(entryNo), hash }
}

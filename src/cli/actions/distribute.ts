import type { StoreFlags } from '../settings/settings.ts'
import { printerOn } from '../terminal/terminal-text.ts'
// Loads all of the service: every statement must be declared, so that its plan is looked at.
import '../../app/app.ts'
import { storedDocuments } from '../../app/setup/stored-documents.ts'
import type { Distribution, SampleQuery } from '../../databases/driver.ts'
import { driverAt } from '../../databases/open/drivers.ts'
import { openReadOnly } from '../../databases/open/open-read-only.ts'
import { createLogger } from '../../observe/logger.ts'
import { planCollection } from '../../query/plan.ts'
import { readItemsBeside } from '../../setup/items/setup-item.ts'
import { rulesFrom } from '../../setup/items/setup-items.ts'
import { compileCollection } from '../../sql/compile/compile-query.ts'
import type { ReadOnlyDatabase } from '../../store/audit/audit-store.ts'
import { formatCountOf, stageOn } from '../terminal/progress.ts'
import type { Terminal } from '../terminal/terminal.ts'

export interface DistributeSettings extends Pick<StoreFlags, 'data' | 'database'> {
  readonly dryRun?: boolean
}

export async function runDistribute(
  { data, database, dryRun = false }: DistributeSettings,
  terminal: Terminal,
): Promise<void> {
  const print = printerOn(terminal)
  const location = { data, database }
  const driver = driverAt(location)
  const queries = await queriesAt(location)
  const done = await stageOn(terminal)('distributing', (progress) =>
    driver.distribute({
      ...location,
      isDryRun: dryRun,
      queries,
      observe: createLogger('warn', terminal.stderr),
      progress,
      report: print,
    }),
  )
  for (const condition of done.unmet) terminal.stderr.write(`tabularium: ${condition}\n`)
  for (const line of done.unrouted) print(line)
  if (!dryRun && done.unmet.length === 0) print(describe(done))
  if (done.unmet.length + done.unrouted.length > 0) terminal.exitCode = 1
}

async function queriesAt(location: Pick<DistributeSettings, 'data' | 'database'>): Promise<SampleQuery[]> {
  if (location.database === undefined || !(await driverAt(location).isSetUp(location))) return []
  await using database = await openReadOnly(location)
  return await sampleQueries(database)
}

function describe({ tables, servers, statements, unrouted }: Distribution): string {
  const routed = `${statements - unrouted.length} of ${formatCountOf(statements, 'statement')}`
  return `${formatCountOf(tables, 'table')} distributed over ${formatCountOf(servers, 'server')}; ${routed} ask one shard`
}

/** The default page of a client request. */
const PAGE = { select: undefined, filter: undefined, orderBy: undefined, offset: 0, limit: 50 }

/** One query of each document, to look at its plan; none without a company, and none of tables that are not ours. */
export async function sampleQueries(database: ReadOnlyDatabase): Promise<SampleQuery[]> {
  const items = await readItemsBeside(database)
  const [company] = rulesFrom(items).values()
  if (!company) return []
  const served = [...(await storedDocuments(items, database))].filter(([, { of }]) => of !== 'foreign')
  return served.map(([name, { document }]) => {
    const definition = document.of(company)
    const plan = planCollection(definition, PAGE)
    const scope = [[definition.companyColumn, company.id]] as const
    return { name, companyId: company.id, query: compileCollection(plan, scope, database.dialect) }
  })
}

import { randomInt } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/longest-first.ts'
import { writeToMemory } from './test/support/temporary-files.ts'

/** What needs no process of its own. */
const QUICK = [
  'src/**/*.test.ts',
  'test/*.test.ts',
  'test/{api,client,store,support}/**/*.test.ts',
  'packages/*/src/**/*.test.ts',
  'console/src/**/*.test.ts',
]

/** Processes, commands, browsers and faults. */
const BESIDE = ['test/{cli,console,deploy,files,generators,reliability,upgrade}/**/*.test.ts']

/** Measure their own process, hear its events, or look at all that it has declared: each file has a process of its own. */
const MEASURED = [
  'test/docs.test.ts',
  'test/cli/one-process.test.ts',
  'test/store/{company-predicates,compiled-once}.test.ts',
  'test/store/statement-tables.test.ts',
  'test/api/document-memory.test.ts',
  'test/reliability/http/{background-faults,unhandled-errors}.test.ts',
  'test/reliability/isolation/{statements,timing}.test.ts',
  'test/reliability/load/**/*.test.ts',
  'test/files/bombs/**/*.test.ts',
  'src/files/text/memory.test.ts',
]

/** Large files, long waits and many tries, more than a second each: no part of `npm run test:quick`. */
const SLOW = [
  'src/demo/{ledger,load-records,purchases}.test.ts',
  'src/files/**/*.test.ts',
  'src/parquet/parquet-encoder.test.ts',
  'src/setup/check/read-setup.test.ts',
  'test/api/{address-limits,batch,batch-operations,change-number,changes-operations,changes-rights,changes-waiting,clients}.test.ts',
  'test/api/{collection-etags,computed,computed.properties,console-administration,costly-queries,customers.properties}.test.ts',
  'test/api/{declared-properties,description-examples,document-forms,document-revisions,document-search}.test.ts',
  'test/api/{document-thumbnails,document-uploads,documents.contents,documents.list-pages,documents.properties}.test.ts',
  'test/api/{explained-access,external-companies,fair-shares,fair-writes,field-rules,guides,idempotency-keys}.test.ts',
  'test/api/{latest-rules,long-texts,many-companies,mcp.audit,metrics,mirror,mirror.*,quotas,rules-isolation}.test.ts',
  'test/api/{trusted-issuers,trusted-proxies,wrong-secrets}.test.ts',
  'test/api/objects.{annotations,large-rows,limits,many-rows,parquet-ranges}.test.ts',
  'test/api/odata.navigation.test.ts',
  'test/client/{api-through-client,browser,filter,package,service}.test.ts',
  'test/store/{aggregates-differential,documents-differential,inserted-rows,plans,query-case,query-differential,reader-pool}.test.ts',
]

/**
 * What a client sees is the same on both databases but where SQL, locks, the change log or collections decide: `npm test`
 * runs the tests of the interface on both only where these do, and on SQLite otherwise. CONTRIBUTING.md says so.
 */
const ON_SQLITE = [
  'test/{api,client}/**/*.test.ts',
  'test/cli/{access,audit,backup,erase,followed-pages,log,moving-in,serve,traces,workers}.test.ts',
  'test/cli/administration/*.test.ts',
  'test/reliability/{auth,http,isolation,mcp}/**/*.test.ts',
]

/** These of them run on both. */
const ON_BOTH = [
  // Locks, writes and the change log.
  'test/api/{as-of,as-of.races,attribute-relations.delete,attribute-values.patch,batch-groups,batch-repeats}.test.ts',
  'test/api/{change-log-replay,changes,changes-operations,customers.patch,customers.properties,deadlocks}.test.ts',
  'test/api/{documents.delete,documents.patch,documents.properties,fair-writes,history,no-op-writes}.test.ts',
  'test/api/{mirror,mirror.load,own-records,own-records.lists,own-records.past,store-faults,subscription-actions}.test.ts',
  // Questions of collections.
  'test/api/{associations,attribute-values.list,computed,computed.properties,decimals,documents.list,external-values,hidden-records}.test.ts',
  'test/api/{lines-created,lines-patched,moving-in,numbers,order-lines,orders-with-lines,row-rules,search,slow-queries,states,valid-at}.test.ts',
  'test/api/objects.{aggregates,audit-entries,documents,filter,order-and-pages,select,text-search}.test.ts',
  'test/api/odata.{own-lists,pages}.test.ts',
  // PostgreSQL alone has it.
  'test/reliability/isolation/row-level-security.test.ts',
]

/** Run by `npm run test:long` alone: a smaller test of the same claim is part of `npm test`, or none is needed daily. */
const LONG = [
  // What other programs make of the interface, and the version before: each is installed first.
  'test/generators/*.test.ts',
  'test/upgrade/*.test.ts',
  'test/cli/package.test.ts',
  'test/deploy/install.test.ts',
  'test/client/{browser,package}.test.ts',
  'test/client/types/selects.test.ts',
  'test/reliability/durability/litestream.test.ts',
  // Measured rather than counted.
  'src/files/text/memory.test.ts',
  'test/api/{costly-queries,document-memory}.test.ts',
  'test/reliability/http/{costly-requests,held-by-operations}.test.ts',
  'test/reliability/isolation/timing.test.ts',
  'test/reliability/load/{bursts,greedy-client,month,overload,slow-clients,slow-uploads}.test.ts',
  // Many or large files, or what slow databases and clients do.
  'test/api/{document-traffic,read-replicas}.test.ts',
  'test/cli/{one-service,postgres-slow}.test.ts',
  // A second form of a claim.
  'test/console/{every-endpoint,files-and-forms,further-journeys}.test.ts',
  'src/files/processes/job-pool.test.ts',
  'test/cli/administration/{commands,killed-commands}.test.ts',
  'test/cli/{clients-in-workers,demo-folder,description,distribute,erase-own-records,loads,named-files}.test.ts',
  'test/cli/{contacts-nobody,traces,webhooks-of-two}.test.ts',
  'test/files/bombs/{bombs,fuzz}.test.ts',
  'test/files/stores/{folder,s3}.test.ts',
  'test/reliability/auth/{agent-tokens,commands,killed-rotation}.test.ts',
  'test/reliability/durability/{audit-chain,backup-of-other-schema,damaged-backup}.test.ts',
  'test/reliability/durability/{disk-faults,documents-check,documents-damage,documents-disk,documents-sweep}.test.ts',
  'test/reliability/durability/{kill-batch,kill-import,kill-life-cycle,kill-mirror,postgres-crash,syscall-kill}.test.ts',
  'test/reliability/http/{background-faults,console}.test.ts',
  'test/reliability/isolation/{declared-routes,odata,predicate-mutants}.test.ts',
  'test/reliability/load/{handover,lost-server}.test.ts',
]

writeToMemory()

const isLong = process.env.RELIABILITY !== undefined
if (isLong) process.env.TABULARIUM_SEED ??= String(randomInt(2 ** 31))

/** With each of these a random test has failed once: it is tried again with it. */
const failedSeeds: readonly { file: string; seed: number }[] = JSON.parse(readFileSync('test/seeds.json', 'utf8'))

// The processes that tests start, and those that run tests, need not compile the same sources each time.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/compile')

/** What reads sources of the console, which only Vite can: they have JSX, and names without extensions. */
const CONSOLE = [
  'console/src/**/*.test.ts',
  'test/api/{console-filters,console-printed}.test.ts',
  'test/console/shell-quote.test.ts',
]

const recorder = process.env.RECORD ? ['test/support/recorder/current-test.ts'] : []

const everywhere = {
  // Node.js reads TypeScript itself, and keeps what it has compiled.
  experimental: { viteModuleRunner: false, nodeLoader: false },
  setupFiles: [
    'test/support/prototype-intact.ts',
    'test/support/seeded.ts',
    'test/support/count-costs.ts',
    ...recorder,
  ],
  // These end what hangs; no test says how long something takes. A busy machine may be ten times slower than a quiet one.
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 120_000 } },
}
/**
 * The program is loaded once for all files that a process runs: loading it takes longer than most files do. What such a
 * process has loaded is much to go over each time for the collector: it is asked less often.
 */
const together = { ...everywhere, isolate: false, execArgv: ['--max-semi-space-size=64'] }

/** As many tries as the long form has, in which the seed has failed. */
const withSeed = (seed: number) => ({ TABULARIUM_SEED: String(seed), TABULARIUM_TIMES: '10' })

const filesOf = (patterns: readonly string[]) => new Set(globSync(patterns, { exclude: ['**/node_modules/**'] }))
const [measured, slow, ofConsole] = [filesOf(MEASURED), filesOf(SLOW), filesOf(CONSOLE)]
/** Nothing when the databases are named. */
const onSqlite = isLong || process.env.STORES ? new Set<string>() : filesOf(ON_SQLITE).difference(filesOf(ON_BOTH))
/** Left to the long form. */
const left = filesOf(isLong ? [] : LONG)
const elsewhere = left.union(ofConsole)

function project(name: string, options: object, files: ReadonlySet<string>) {
  return { test: { ...options, name, include: [...files] } }
}

/** One project for the files that run on both databases, one for those that run on SQLite alone. */
function onBoth(name: string, files: ReadonlySet<string>) {
  return [
    project(name, together, files.difference(onSqlite)),
    project(`${name} on SQLite`, { ...together, env: { STORES: 'sqlite' } }, files.intersection(onSqlite)),
  ]
}

export default defineConfig({
  test: {
    globalSetup: [
      'test/support/postgres.ts',
      'test/support/world-templates.ts',
      'test/support/program.ts',
      'guides/build.ts',
      'console/build.ts',
    ],
    reporters: ['default', './test/support/summary-reporter.ts'],
    sequence: { sequencer: LongestFirst },
    // Many tests wait for processes of their own, or for a time to pass: two more than two cores have keep both busy.
    maxWorkers: 4,
    projects: [
      project('measured', everywhere, measured.difference(left)),
      ...onBoth('slow', filesOf(BESIDE).union(slow).difference(measured).difference(elsewhere)),
      ...onBoth('quick', filesOf(QUICK).difference(slow).difference(measured).difference(elsewhere)),
      project('quick console', { ...together, experimental: {} }, ofConsole),
      ...failedSeeds.map(({ file, seed }) =>
        project(`seed ${seed} of ${basename(file)}`, { ...everywhere, env: withSeed(seed) }, new Set([file])),
      ),
    ],
  },
})

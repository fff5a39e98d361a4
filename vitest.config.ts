import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/longest-first.ts'
import { writeToMemory } from './test/support/temporary-files.ts'

/** Measure their own process, hear its events, or look at all that it has declared: each file has a process of its own. */
const MEASURED = [
  'test/docs.test.ts',
  'test/store/compiled-once.test.ts',
  'test/store/statement-tables.test.ts',
  'test/api/document-memory.test.ts',
  'test/reliability/http/{background-faults,unhandled-errors}.test.ts',
  'test/reliability/isolation/timing.test.ts',
  'test/reliability/load/**/*.test.ts',
  'test/files/bombs/**/*.test.ts',
  'src/files/text/memory.test.ts',
]

/** Large files, long waits and many tries: no part of `npm run test:quick`. */
const SLOW = [
  'src/files/**/*.test.ts',
  'test/api/costly-queries.test.ts',
  'test/api/document-forms.test.ts',
  'test/api/document-uploads.test.ts',
  'test/api/documents.properties.test.ts',
  'test/api/fair-shares.test.ts',
  'test/api/objects.limits.test.ts',
  'test/api/wrong-secrets.test.ts',
  'test/client/browser.test.ts',
  'test/client/package.test.ts',
  'test/store/documents-differential.test.ts',
  'test/store/plans.test.ts',
]

/** Run by `npm run test:long` alone: a smaller test of the same claim is part of `npm test`, or none is needed daily. */
const LONG = [
  // What other programs make of the interface, and the version before: each is installed first.
  'test/generators/*.test.ts',
  'test/upgrade/*.test.ts',
  'test/cli/package.test.ts',
  'test/client/{browser,package}.test.ts',
  'test/reliability/durability/litestream.test.ts',
  // Measured rather than counted.
  'src/files/text/memory.test.ts',
  'test/api/document-memory.test.ts',
  'test/reliability/http/costly-requests.test.ts',
  'test/reliability/isolation/timing.test.ts',
  'test/reliability/load/{bursts,greedy-client,month,overload,slow-clients,slow-uploads}.test.ts',
  // A second form of a claim.
  'test/console/further-journeys.test.ts',
  'test/files/bombs/{bombs,fuzz}.test.ts',
  'test/reliability/auth/{agent-tokens,commands,killed-rotation}.test.ts',
  'test/reliability/durability/{backup-of-other-schema,damaged-backup,lost-commit}.test.ts',
  'test/reliability/durability/{disk-faults,documents-damage,documents-disk,documents-sweep}.test.ts',
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

const recorder = process.env.RECORD ? ['test/support/recorder/current-test.ts'] : []

const everywhere = {
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
      {
        test: {
          ...together,
          name: 'quick',
          include: [
            'src/**/*.test.ts',
            'test/*.test.ts',
            'test/{api,client,store,support}/**/*.test.ts',
            'packages/*/src/**/*.test.ts',
            'console/src/**/*.test.ts',
          ],
          exclude: [...MEASURED, ...SLOW],
        },
      },
      {
        test: {
          ...together,
          name: 'slow',
          include: [
            'test/{cli,console,deploy,files,reliability,upgrade}/**/*.test.ts',
            'test/generators/*.test.ts',
            ...SLOW,
          ],
          exclude: [...MEASURED, ...(isLong ? [] : LONG)],
        },
      },
      { test: { ...everywhere, name: 'measured', include: MEASURED, exclude: isLong ? [] : LONG } },
      ...failedSeeds.map(({ file, seed }) => ({
        test: { ...everywhere, name: `seed ${seed}`, include: [file], env: { TABULARIUM_SEED: String(seed) } },
      })),
    ],
  },
})

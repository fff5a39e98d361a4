import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/support/postgres.ts'],
    setupFiles: ['test/support/prototype-intact.ts'],
    reporters: ['default', './test/support/closing-line.ts'],
    // Many tests wait for processes of their own: one more than two cores have to do keeps both busy.
    maxWorkers: 3,
    // The many processes that tests start need not compile the same sources each time.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/compile') },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})

// A program that opens a store and thereby migrates its schema: `open-store.ts DATA DATABASE KILL_AT AS`. It kills itself
// before statement number KILL_AT (0: never); once open, it prints the number of
// statements and keeps running. AS: service or command.
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { openStore } from '../../../../src/databases/open/open-store.ts'

const [data = '', database = '', killAt = '0', as = 'service'] = process.argv.slice(2)
let statements = 0

function countCalls(prototype: object, name: string): void {
  const methods = prototype as Record<string, (...values: unknown[]) => unknown>
  const method = methods[name]!
  methods[name] = function counted(this: unknown, ...values: unknown[]) {
    if (++statements === Number(killAt)) process.kill(process.pid, 'SIGKILL')
    return method.apply(this, values)
  }
}

countCalls(DatabaseSync.prototype, 'prepare')
countCalls(DatabaseSync.prototype, 'exec')
countCalls(pg.Client.prototype, 'query')

process.stdout.write('begun\n')
try {
  await openStore({
    data,
    database: database === '' ? undefined : database,
    isService: as === 'service',
    clock: () => new Date(),
    observe: () => {},
    onFatal: () => {},
  })
  process.stdout.write(`opened ${statements}\n`)
  process.stdin.resume().on('end', () => process.exit())
} catch (error) {
  process.stderr.write((error as Error).message)
  process.exit(1)
}

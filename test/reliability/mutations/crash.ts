// Mutations that lose acknowledged writes when a process is killed, stopped or copied.
import type { Mutation } from './mutation.ts'

const D1 = ['test/reliability/durability/kill.test.ts', 'D1 keeps every acknowledged write'] as const
const D2_COMMIT = ['test/reliability/durability/lost-commit.test.ts', 'D2 is in doubt'] as const
const D2_SESSIONS = [
  'test/reliability/durability/postgres-crash.test.ts',
  'D2 loses nothing acknowledged when sessions',
] as const
const D2_STOPS = [
  'test/reliability/durability/postgres-crash.test.ts',
  'D2 loses nothing acknowledged when the database',
] as const
const D9 = [
  'test/reliability/durability/migrations.test.ts',
  'D9 leaves the schema of a whole migration when it is killed',
] as const
const D10 = ['test/reliability/durability/backup.test.ts', 'D10 restores each to one snapshot'] as const

export const crashMutations: readonly Mutation[] = [
  {
    name: 'writes are acknowledged before their shared transaction is committed',
    find: '      this.#commit()\n',
    replace: `      for (const outcome of outcomes) if ('value' in outcome) outcome.job.done(outcome.value)
      await new Promise((resume) => setTimeout(resume, 300))
      this.#commit()
`,
    test: D1,
  },
  {
    name: 'a record is committed before its content stands under its name',
    find: 'await onDisk(move(staged.path, path))',
    replace: `await onDisk(move(staged.path, \`\${path}.late\`))
      setTimeout(() => void rename(\`\${path}.late\`, path), 100)`,
    test: D1,
  },
  {
    name: 'what a write adds to the journal is written after its transaction',
    find: '  const stored = writeEntries(tx)\n  if (stored) await stored\n  return result',
    replace: '  setTimeout(() => void (async () => writeEntries(tx))().catch(() => {}), 5)\n  return result',
    test: D1,
  },
  {
    name: 'PostgreSQL does not wait for the disk: synchronous_commit=off',
    needsPostgres: true,
    find: 'pending.add(begin(session, companyId))',
    replace: "pending.add(begin(session, companyId, ['begin', 'set local synchronous_commit = off']))",
    test: D2_STOPS,
  },
  {
    name: 'a commit that has failed is acknowledged',
    needsPostgres: true,
    find: "throw new CommitFailed('the commit failed', { cause: outcome.reason })",
    replace: 'continue',
    test: D2_COMMIT,
  },
  {
    name: 'a write whose commit was not answered is reported as not stored',
    needsPostgres: true,
    find: ': commitOutcomeUnknown(error.cause)',
    replace: ': translate(error.cause)',
    test: D2_COMMIT,
  },
  {
    name: 'a session that the database terminates ends the process',
    needsPostgres: true,
    find: "client.on('error', ignoreLostSession)",
    replace: "client.on('end', () => process.exit(1))",
    test: D2_SESSIONS,
  },
  {
    name: 'each statement of a migration commits by itself on SQLite',
    find: '    const statement = connection.prepare(text)\n    const reader',
    replace: `    const isBorder = ['begin', 'commit'].includes(text)
    const statement = connection.prepare(isBorder ? 'select 1' : text)
    const reader`,
    test: D9,
  },
  {
    name: 'migrations are in no transaction',
    needsPostgres: true,
    find: 'new Migrator({ db, ',
    replace: 'new Migrator({ disableTransactions: true, db, ',
    test: D9,
  },
  {
    name: 'two processes may have the same data folder',
    find: "lock.exec('begin immediate')",
    replace: "lock.exec('begin')",
    test: ['test/reliability/durability/migrations.test.ts', 'D9 is migrated by one of two processes'],
  },
  {
    name: 'the tables of a backup are of several snapshots',
    needsPostgres: true,
    find: "  'begin isolation level repeatable read read only',\n  `set local",
    replace: "  'begin read only',\n  `set local",
    test: D10,
  },
  {
    name: 'a backup copies the files before the database',
    find: 'const { database, ...listed } = await copyState(task, folder)',
    replace: `const early = await task.openFiles()
    const there = new Set<string>()
    for await (const { hash } of early.list()) there.add(hash)
    const { database, ...listed } = await copyState(task, folder)
    const read: FileStore['read'] = (company, hash, range) =>
      there.has(hash) ? early.read(company, hash, range) : Promise.reject(new MissingFile(company, hash))
    task = { ...task, openFiles: async () => ({ read, close: () => early.close() }) as FileStore }`,
    test: D10,
  },
  {
    name: 'an incomplete backup has a manifest',
    find: 'const { lacking, known } = await copyContents(',
    replace: `await writeDurably(join(task.target, MANIFEST), printManifest({
      format: FORMAT, program: task.program, begun, ended: begun, ...state, database, contents: { ...listed, lacking: [] },
    }))
    const { lacking, known } = await copyContents(`,
    test: ['test/reliability/durability/backup.test.ts', 'D10 is refused while it is incomplete'],
  },
]

// Mutations that a single client cannot notice: C1 to C7, and some of C8.
import type { Mutation } from './mutation.ts'

const RACES = 'test/reliability/concurrency/concurrency.test.ts'
const PATCHES = 'test/reliability/concurrency/patch-atomicity.test.ts'

const SNAPSHOTS = 'test/api/change-number.test.ts'

const BEGIN_PATCH = `  return writeRecord(service, company.id, request, async (tx) => {
    const found = await requireFound(type, tx, company, access, key)
    const refused = requireUnchanged(tx, found, tagRequired(found, request), type.journalRanges(key), access)
    if (refused) await refused
`

const TAKE_NUMBER = `    this.#setupVersion = (await this.pending.outcomeOf(applied)).rows[0]?.version ?? 0
`

export const concurrencyMutations: readonly Mutation[] = [
  {
    name: 'the change number of an answer of SQLite is of another snapshot',
    find: `    this.#begin.get()
    try {
      return read(this.numberOf(companyId))
`,
    replace: `    try {
      const number = this.numberOf(companyId)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
      return read(number)
`,
    test: [SNAPSHOTS, 'is that of the snapshot, in every form'],
  },
  {
    name: 'the change number of an answer of PostgreSQL is read after it',
    needsPostgres: true,
    find: '  return { content, changeNumber: Number(changeNumber ?? 0) }\n',
    replace: `  const later = await rowIn(session, 'select last_entry from journal_counter where company_id = $1', [companyId])
  return { content, changeNumber: Number(later[0] ?? changeNumber) }
`,
    test: [SNAPSHOTS, 'is that of the snapshot, in every form'],
  },
  {
    name: 'a transaction of SQLite takes its lock only when it first writes',
    find: "prepare('begin immediate')",
    replace: "prepare('begin')",
    test: [RACES, 'C1 creates one relation'],
  },
  {
    name: 'a new value is not looked for under its key',
    find: 'const stored = mayExist ? await findPeriods(',
    replace: 'const stored = mayExist && false ? await findPeriods(',
    test: [RACES, 'C1 creates one value'],
  },
  {
    name: 'a new relation is not compared with those of its period',
    find: '  await requireNoOverlap(tx, company, relation, draft, { except: draft.relationValue, isNew: true }, access)\n',
    replace: '',
    test: [RACES, 'C2 keeps periods apart'],
  },
  {
    name: 'a patch changes what was committed before its transaction',
    find: BEGIN_PATCH,
    replace: BEGIN_PATCH.replace('requireFound(type, tx,', 'requireFound(type, service.store.reading(company.id),'),
    test: [RACES, 'C3 loses no contact point'],
  },
  {
    name: 'If-Match is compared before the company is locked',
    find: BEGIN_PATCH,
    replace: `  const reading = service.store.reading(company.id)
  const seen = await requireFound(type, reading, company, access, key)
  await requireUnchanged(reading, seen, request.ifMatch, type.journalRanges(key), access)
${BEGIN_PATCH.replace(/ {4}const refused.*\n.*\n/, '')}`,
    test: [RACES, 'C4 lets one change each state'],
  },
  {
    name: 'the number of an entry is taken outside the lock of its company',
    needsPostgres: true,
    find: TAKE_NUMBER,
    replace: `${TAKE_NUMBER}    await this.session.query('commit')
    await this.session.query('begin')
`,
    test: ['test/store/change-numbers.test.ts', 'are there only when all lower ones are'],
  },
  {
    name: 'the number of a revision is found before the company is locked',
    find: `  const created = await storeContent(service, company.id, { ...request, content }, (requireNotSwept) =>
    writeRecord(service, company.id, request, async (tx) => {
      await requireNotSwept(tx)
      await requireFileRoom(company, tx, file.doc_size)
      const before = await findVisible(tx, access, documentId)
`,
    replace: `  const before = await findVisible(service.store.reading(company.id), access, documentId)
  const created = await storeContent(service, company.id, { ...request, content }, (requireNotSwept) =>
    writeRecord(service, company.id, request, async (tx) => {
      await requireNotSwept(tx)
      await requireFileRoom(company, tx, file.doc_size)
`,
    test: [RACES, 'C5 numbers'],
  },
  {
    name: 'a process continues from its last number, even when the write was rolled back',
    find: `  const row = await tx.first(takeNext, { companyId: tx.companyId, series, from, to })
`,
    replace: `  const last = Number(process.env[\`LAST_\${series}\`] ?? 0)
  const row = await tx.first(takeNext, { companyId: tx.companyId, series, from: Math.max(from, last + 1), to })
  process.env[\`LAST_\${series}\`] = String(row?.last_no)
`,
    test: [RACES, 'C6 gives'],
  },
  {
    name: 'a record that is deleted was looked for before the company was locked',
    find: `  await writeRecord(service, company.id, { ...request, isRemoval: true }, async (tx) => {
    const found = await requireFound(type, tx, company, access, key)
`,
    replace: `  const found = await requireFound(type, service.store.reading(company.id), company, access, key)
  await writeRecord(service, company.id, { ...request, isRemoval: true }, async (tx) => {
`,
    test: [RACES, 'C7 answers races'],
  },
  {
    name: 'a rejected write on SQLite is not rolled back',
    find: '      savepoint.undo.run()\n',
    replace: '',
    test: ['test/store/store-contract.test.ts', 'rolls back only the failed write'],
  },
  {
    name: 'what has run before a rejected write on SQLite does not run again',
    find: "      if (!('error' in outcome)) outcomes[at] = await this.#runInSavepoint(outcome.job)\n",
    replace: "      if (!('error' in outcome)) outcomes[at] = outcome\n",
    test: ['test/store/store-contract.test.ts', 'rolls back only the failed write'],
  },
  {
    name: 'a patch is applied up to its invalid operation',
    find: 'return failures.length > 0 ? { failures }',
    replace: 'return failures.length === operations.length ? { failures }',
    test: [PATCHES, 'C8 of a value'],
  },
  {
    name: 'the reported operation is the one after the invalid one',
    find: 'items.map((item, index) => operationOf(item!, index))',
    replace: 'items.map((item, index) => operationOf(item!, index + 1))',
    test: [PATCHES, 'C8 of a document'],
  },
]

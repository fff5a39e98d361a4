// Mutations of a mirror that lose records of its source, keep what was removed there, or say that they are newer.
import type { Mutation } from './mutation.ts'

const SIMULATION: Mutation['test'] = ['test/reliability/changes/mirror-simulation.test.ts', 'has what its source has']
const PAGES = 'test/api/mirror.pages.test.ts'

/** Each is broken within the mirror, and shows in what the mirror has and says of it. */
function ofMirror(name: string, find: string, replace: string): Mutation {
  return { name: `mirror: ${name}`, find, replace, test: SIMULATION }
}

export const mirrorMutations: readonly Mutation[] = [
  ofMirror(
    'changes are looked for without an overlap',
    'const overlap = isQuiet && this.#seen.rows > MANY ? 0 : OVERLAP_MS',
    'const overlap = 0',
  ),
  ofMirror(
    'the place is committed before its page',
    'const hasShifted = this.state.hasShifted || page.hasShifted\n',
    `const hasShifted = this.state.hasShifted || page.hasShifted
    await this.#save({ places: { ...this.state.places, [state]: page.next } })
`,
  ),
  ofMirror('the place is committed with the first part of its page', 'isEnd ? reached : {})))', 'reached)))'),
  ofMirror(
    'a record is removed because a sweep has not seen it',
    'await removed.confirm(this.#unseen(keys), { signal, witnesses: this.#witnesses })',
    'await writer.remove(this.#unseen(keys), await writer.lastEntry())',
  ),
  ofMirror(
    'a source that shows nothing is believed',
    'const isShown = witnesses.length === 0 || witnesses.some((key) => found.has(JSON.stringify(key)))',
    'const isShown = true',
  ),
  ofMirror(
    'a closed record is taken for removed',
    'const found = new Set(rows.map((row) =>',
    "const isOpen = ({ payment }: SourcePage['rows'][number]) => (payment as { status?: string })?.status !== 'C'\n" +
      '    const found = new Set(rows.filter(isOpen).map((row) =>',
  ),
  ofMirror('sweeps do not look back for what was committed late', 'await this.#lookBack(signal)', 'false'),
  ofMirror(
    'changes are looked for by the clock of the mirror',
    'await this.#save({ newest: next, aheadMs, asOf: began })',
    'await this.#save({ newest: began, aheadMs, asOf: began })',
  ),
  ofMirror(
    'an older answer is written over a record that a client has read again',
    'if (asked.has(recordKey(record.key.stored as (string | number)[]))) {',
    'if (asked.has(recordKey(record.key.stored as (string | number)[])) && at < 0) {',
  ),
  ofMirror(
    'a record that came back is removed by an older answer',
    'if (asked.has(recordKey(key.stored as (string | number)[]))) continue',
    '',
  ),
  ofMirror(
    'times are asked for with a zone where the source has none',
    'form.isZoneless ? withoutZone(moment) : moment',
    'form.isZoneless && moment === "" ? withoutZone(moment) : moment',
  ),
  ofMirror(
    'a page that is not full is the last one',
    'return !isToEnd && rows < limit && rows < this.abilities.bound',
    'return rows < limit',
  ),
  ofMirror(
    'a server that has no such path says that a record is gone',
    'return status === 404 && Number(body?.code) === NOT_FOUND',
    'return status === 404',
  ),
  ofMirror(
    'where a source finds no keys, what it has not listed is removed',
    'writer.remove(alone?.gone ?? twice, since)',
    'writer.remove(gone, since)',
  ),
  ofMirror(
    'records that were here before it was loaded again are not looked for',
    "const sweptAt = rows === 0 ? asOf : ''",
    'const sweptAt = asOf',
  ),
  ofMirror(
    'whoever has lost the lease goes on writing',
    `const next = { ...this.state, ...reached }
      if (lease) {
        await requireLease(tx, lease)
`,
    `const next = { ...this.state, ...reached }
      if (lease) {
`,
  ),
  {
    name: 'mirror: an empty page is the end, whatever the source shows',
    find: `if (after && page.rows.length === 0) {
      await this.requireShown`,
    replace: `if (after && page.rows.length < 0) {
      await this.requireShown`,
    test: [PAGES, 'is not loaded while the source shows nothing of it'],
  },
  {
    name: 'mirror: a look whose pages have shifted counts as a look for removed records',
    find: 'if (swept.hasShifted || hasMissedChanges || !isSure) {',
    replace: 'if (swept.size < 0) {',
    test: [PAGES, 'has not been looked through by a look during which records before a page have gone'],
  },
  {
    name: 'how far a document has come is not kept with its pages',
    find: 'putDocument(tx, name, next)',
    replace: 'putDocument(tx, name, { ...next, places: {} })',
    test: ['test/reliability/durability/kill-mirror.test.ts', 'asks for hardly anything twice'],
  },
  {
    name: 'what a killed process may have asked for is not counted',
    find: 'if (ahead.requests > 0) this.#add({ at: now, ...ahead })',
    replace: '',
    test: ['test/api/mirror.faults.test.ts', 'is asked for no more by processes that are killed one after the other'],
  },
]

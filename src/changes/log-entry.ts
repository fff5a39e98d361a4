// Entries of the log with their texts, read in the order of their numbers and bounded in bytes.

import { getOrInsert } from '../base/memo.ts'
import type { Columns } from '../records/kinds/kind.ts'
import { MIRROR_USER, type Stamp, splitSourceStamp } from '../records/shared/master-data/source-stamp.ts'
import { ERASED_KEY } from '../store/audit/erased-entry.ts'
import { DAMAGED, textOfInstant, unpackTexts } from '../store/chain/packed-entry.ts'
import type { ReadTx } from '../store/store.ts'
import { ChangesGone } from './changes-gone.ts'
import type { LogTx } from './log-source.ts'
import {
  type EntriesWanted,
  findDictionaries,
  findHeads,
  findTexts,
  type HeadRow,
  listEntries,
  measureEntries,
  type TextRow,
} from './log-store.ts'

/** An entry without its texts. */
export interface LogHead {
  readonly number: number
  readonly entity: string
  readonly operation: 'create' | 'update' | 'delete'
  /** The parts of the key below the company, as a JSON array. */
  readonly recordKey: string
  readonly at: string
  readonly userId: string
  readonly clientId: string
  readonly requestId: string
}

export interface LogEntry extends LogHead, Texts {}

export type Key = readonly (string | number)[]

export function keyOf({ recordKey }: Pick<LogHead, 'recordKey'>): Key {
  return JSON.parse(recordKey) as Key
}

/** Throws `ChangesGone` for an entry that was erased. */
export function headOf(row: HeadRow): LogHead {
  if (row.record_key === ERASED_KEY) throw new ChangesGone([])
  return {
    number: Number(row.entry_no),
    entity: row.entity,
    operation: row.operation as LogHead['operation'],
    recordKey: row.record_key,
    at: textOfInstant(Number(row.at)),
    userId: row.user_id,
    clientId: row.client_id,
    requestId: row.request_id,
  }
}

/** Entries that are read at once. */
const ENTRIES_AT_ONCE = 200
/** In bytes as they are stored. Where entries are longer, only some are read at once. */
const SHORT_ENTRY = 8 * 1024
/** Each has two texts of about a mebibyte at most. */
const LONG_ENTRIES = 16

/** The next entries with their texts, up to about `mostLength` characters of text and at least one. */
export async function readEntries(tx: LogTx, wanted: EntriesWanted, mostLength: number): Promise<LogEntry[]> {
  const { entries: count, bytes } = await measureEntries(tx, wanted)
  const atOnce = bytes <= count * SHORT_ENTRY ? ENTRIES_AT_ONCE : LONG_ENTRIES
  const read: LogEntry[] = []
  let length = 0
  for (let after = wanted.after; read.length < count && length < mostLength; ) {
    const rows = await readable(tx, () => listEntries(tx, { ...wanted, after, most: Math.min(atOnce, count) }))
    for (const { row, texts } of rows) {
      const entry = { ...headOf(row), ...texts() }
      read.push(entry)
      length += entry.before.length + entry.after.length
      if (length >= mostLength || read.length === count) break
      await tx.steps.pause()
    }
    if (rows.length === 0) break
    after = read.at(-1)?.number ?? after
  }
  return read
}

/** The entries of these heads with their texts, up to about `mostLength` characters of text and at least one. */
export async function readTexts(tx: LogTx, heads: readonly LogHead[], mostLength: number): Promise<LogEntry[]> {
  const read: LogEntry[] = []
  let length = 0
  for (let start = 0; start < heads.length && length < mostLength; start += LONG_ENTRIES) {
    const some = heads.slice(start, start + LONG_ENTRIES)
    const texts = await textsOf(
      tx,
      some.map(({ number }) => number),
    )
    for (const head of some) {
      const found = texts.get(head.number)
      if (found === undefined || found.recordKey !== head.recordKey) throw new ChangesGone([])
      const entry = { ...head, ...found.read() }
      read.push(entry)
      length += entry.before.length + entry.after.length
      if (length >= mostLength) break
      await tx.steps.pause()
    }
  }
  return read
}

interface Texts {
  readonly before: string
  readonly after: string
  /** When it was changed at the source of a mirror, and by whom, where the text after does not show it. */
  readonly stamp?: Columns | undefined
}

interface PackedTexts {
  readonly recordKey: string
  /** Throws `ChangesGone` when a text is damaged. */
  read(): Texts
}

/** The texts of entries by their numbers. */
export async function textsOf(tx: ReadTx, numbers: readonly number[]): Promise<ReadonlyMap<number, PackedTexts>> {
  if (numbers.length === 0) return new Map()
  const rows = await readable(tx, () => findTexts(tx, numbers))
  return new Map(
    rows.map(({ row, texts }) => [Number(row.entry_no), { recordKey: row.record_key, read: texts }] as const),
  )
}

/** An entry and its dictionary are read one after the other, and an erasure in between may replace both. */
const TRIES = 3
const NO_DICTIONARY = new Uint8Array()

/** Stored entries, each with what unpacks its texts. */
async function readable<Row extends TextRow>(tx: ReadTx, read: () => Promise<readonly Row[]>) {
  for (let tries = 0; ; tries++) {
    const rows = await read()
    const dictionaries = await findDictionaries(tx, new Set(rows.map((row) => Number(row.dictionary_no))))
    const dictionaryOf = (row: Row) => dictionaries.get(Number(row.dictionary_no)) ?? NO_DICTIONARY
    const isReadable = (row: Row) => row.before.length + row.after.length === 0 || dictionaryOf(row).length > 0
    if (tries < TRIES && !rows.every(isReadable)) continue
    return rows.map((row) => ({ row, texts: () => unpacked(row, dictionaryOf(row)) }))
  }
}

function unpacked(row: TextRow, dictionary: Uint8Array): Texts {
  const texts = unpackTexts(row, dictionary)
  if (texts.before === DAMAGED || texts.after === DAMAGED) throw new ChangesGone([])
  const { text: after, stamp } = splitSourceStamp(texts.after)
  return { before: texts.before, after, stamp: stamp && columnsOf(stamp) }
}

function columnsOf({ updatedAt, updatedBy }: Stamp): Columns {
  return { updated_at: updatedAt, updated_by: updatedBy }
}

/** When and by whom a record was changed with an entry, as the columns of its row. */
export function stampOf({ at, userId, stamp }: Pick<LogEntry, 'at' | 'userId' | 'stamp'>): Columns {
  return stamp ?? columnsOf({ updatedAt: at, updatedBy: userId })
}

/** The same of these entries, by the keys of the journal. */
export async function stampsOf(tx: ReadTx, numbers: readonly number[]): Promise<ReadonlyMap<string, Columns>> {
  const heads = (await findHeads(tx, numbers)).map(headOf)
  const mirrored = heads.filter(({ userId }) => userId === MIRROR_USER).map(({ number }) => number)
  const texts = await textsOf(tx, mirrored)
  return new Map(heads.map((head) => [head.recordKey, stampOf({ ...head, ...texts.get(head.number)?.read() })]))
}

/** How far the entries of one record and of its relations may be apart: a record has 200 relations at most. */
export const GROUP_REACH = 512

export function groupOf({ at, requestId, userId, clientId }: LogHead): string {
  return JSON.stringify([at, requestId, userId, clientId])
}

/**
 * The numbers of entries by what they change and who has written them. The entry of a value or customer comes before
 * those of the relations that were changed with it at the same time by the same request, and its text has them already:
 * nobody ever saw a state in between.
 */
export class GroupIndex {
  readonly #numbers = new Map<string, number[]>()

  /** To be called in the order of the numbers. */
  add(head: LogHead, subject: string): void {
    getOrInsert(this.#numbers, `${groupOf(head)}${subject}`, () => []).push(head.number)
  }

  get isEmpty(): boolean {
    return this.#numbers.size === 0
  }

  /** The last entry of the subject that the same group has after this one, within reach. */
  lastAfter(head: LogHead, subject: string): number | undefined {
    const numbers = this.#numbers.get(`${groupOf(head)}${subject}`) ?? []
    return numbers.findLast((number) => number > head.number && number - head.number <= GROUP_REACH)
  }
}

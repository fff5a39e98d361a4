// The rows of a file that are the items of a list of the records in another file, such as the lines of orders: found by
// the key of their record, whatever their order.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { JsonObject, JsonValue } from '../base/strict-json.ts'
import { foldName } from '../base/text.ts'
import { type TemporaryRow, TemporaryRows } from '../databases/temporary-rows.ts'
import { type DocumentDefinition, isLines, MAX_ITEMS, MAX_LINES, type Properties } from '../model/document.ts'
import { keyNamesOf } from '../setup/rules/declared-properties.ts'
import type { InspectedFile } from './inspect-rows.ts'
import { itemProperties } from './item-properties.ts'
import { RowReader } from './row-reader.ts'
import { asUtf8 } from './rows/as-utf8.ts'
import { headingsByFinding } from './rows/csv-columns.ts'
import { cellsOf } from './rows/csv-records.ts'
import { type FileRow, type RowFinding, readRows, rowOfText } from './rows/read-rows.ts'

/** A file beside that of the records. */
export interface ListFile extends InspectedFile {
  readonly list: string
  /** As messages call it. */
  readonly name: string
  readonly open: () => AsyncIterable<Buffer>
}

/** A row that was not imported. */
interface LeftOver {
  readonly row: FileRow
  readonly findings: readonly RowFinding[]
}

export class JoinedFile {
  readonly list: string
  readonly name: string
  readonly #file: ListFile
  readonly #properties: Properties
  readonly #key: readonly string[]
  /** What an item has of its record, in lower case. */
  readonly #ofRecord: ReadonlySet<string>
  readonly #reader: RowReader
  /** As many items as a record may have. */
  readonly #most: number
  readonly #rows = new TemporaryRows()

  private constructor(file: ListFile, definition: DocumentDefinition, companyId: string) {
    this.list = file.list
    this.name = file.name
    this.#file = file
    this.#properties = itemProperties(definition, file.list) ?? {}
    this.#key = keyNamesOf(definition)
    const list = definition.properties[file.list]
    this.#most = list && isLines(list) ? MAX_LINES : MAX_ITEMS
    this.#ofRecord = new Set([...this.#key, 'companyId'].map(foldName))
    this.#reader = new RowReader(definition, companyId)
  }

  /** Reads the rows; `companyId` is that of the import. */
  static async read(file: ListFile, definition: DocumentDefinition, companyId: string): Promise<JoinedFile> {
    const joined = new JoinedFile(file, definition, companyId)
    try {
      await joined.#readAll()
      return joined
    } catch (error) {
      joined.close()
      throw error
    }
  }

  async #readAll(): Promise<void> {
    const { open, text, table } = this.#file
    for await (const rows of readRows(asUtf8(open(), text), table)) {
      this.#rows.add(rows.map((row) => ({ line: row.line, key: this.#keyOf(row.record), text: row.text })))
      await nextTurn()
    }
  }

  /** Undefined where a part is missing. */
  #keyOf(record: JsonObject | undefined): string | undefined {
    if (!record) return undefined
    const texts = this.#key.map((name) => {
      const [, value] = Object.entries(record).find(([given]) => foldName(given) === foldName(name)) ?? []
      return value === undefined || value === null || typeof value === 'object' ? '' : String(value)
    })
    return texts.includes('') ? undefined : JSON.stringify(texts)
  }

  /** The row with its items, of which it has one more than a list may have where these are too many. */
  withItems(row: FileRow): FileRow {
    const key = this.#keyOf(row.record)
    if (!row.record || key === undefined) return row
    const found = this.#rows.take(key, this.#most + 1)
    if (found.length === 0) return row
    const items = found.map((item) => this.#itemOf(item))
    const problems = items.flatMap(({ line, problems = [] }) => problems.map((problem) => this.#inLine(line, problem)))
    const joined = { ...row, items: { ...row.items, [this.list]: items } }
    if (problems.length > 0) return { ...joined, problems: [...(row.problems ?? []), ...problems] }
    return { ...joined, record: { ...row.record, [this.list]: items.map(({ record }) => record as JsonValue) } }
  }

  /** Without the key of its record. */
  #itemOf({ line, text }: TemporaryRow): FileRow {
    const row = rowOfText(this.#file.table, line, text)
    if (!row.record) return row
    const problems = this.#reader.unknownIn(row.record, this.#properties)
    if (problems.length > 0) return { line, text, problems }
    const record: Record<string, JsonValue> = {}
    for (const name of Object.keys(row.record)) {
      if (!this.#ofRecord.has(foldName(name))) record[name] = row.record[name]!
    }
    return { ...row, record }
  }

  /** A finding at an item of a row as one of the line that the item stands in; others as they are. */
  named(row: FileRow, finding: RowFinding): RowFinding {
    const [, list, index, , path = ''] = /^(\w+)\[(\d+)\](\.(.*))?$/s.exec(finding.column) ?? []
    const item = list === this.list ? row.items?.[list]?.[Number(index)] : undefined
    if (!item) return finding
    const { table } = this.#file
    const headings = table && headingsByFinding(table.columns, cellsOf(item.text, table.separator).cells ?? [])
    return this.#inLine(item.line, { ...finding, column: headings?.get(path) ?? path })
  }

  #inLine(line: number, { message, ...finding }: RowFinding): RowFinding {
    return { ...finding, message: `line ${line} of ${this.name}: ${message}` }
  }

  /** The row was not imported, so its items are not either. */
  reject(row: FileRow, findings: readonly RowFinding[], ofRecords: string): void {
    const key = this.#keyOf(row.record)
    if (key === undefined) return
    this.#rows.noteAll(key, `line ${row.line} of ${ofRecords} was rejected`)
    for (const { line } of row.items?.[this.list] ?? []) {
      const start = `line ${line} of ${this.name}: `
      const own = findings.filter(({ message }) => message.startsWith(start))
      const texts = own.map(({ column, message }) => `${column}${column && ': '}${message.slice(start.length)}`)
      if (texts.length > 0) this.#rows.note(line, texts.join('; '))
    }
  }

  /** The rows that belong to no row of the records, in their order. */
  *unused(ofRecords: string): Generator<LeftOver> {
    for (const item of this.#rows.unasked()) yield this.#unusedItem(item, ofRecords)
  }

  /** All rows that were not imported, in their order, with why. */
  *leftOver(ofRecords: string): Generator<LeftOver> {
    for (const { note, ...item } of this.#rows.unaskedOrNoted()) {
      yield note === null ? this.#unusedItem(item, ofRecords) : { row: item, findings: [{ column: '', message: note }] }
    }
  }

  #unusedItem({ line, text }: TemporaryRow, ofRecords: string): LeftOver {
    const row = rowOfText(this.#file.table, line, text)
    if (row.problems) return { row, findings: row.problems }
    const key = this.#keyOf(row.record)
    const names = this.#key.join(', ')
    const message =
      key === undefined
        ? `the ${names} of its record is missing`
        : `no row of ${ofRecords} that can be read has the ${names} ${(JSON.parse(key) as string[]).join(', ')}`
    return { row, findings: [{ column: names, message }] }
  }

  get count(): number {
    return this.#rows.count
  }

  close(): void {
    this.#rows.close()
  }
}

// Imports all records into the service by its own `import`, so that they have their change log, and measures the speed.
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { runCommand } from '../command.ts'
import { customers } from '../records/customers.ts'
import { LEDGER_COLUMNS, ledgerLines } from '../records/ledger.ts'
import type { Scale } from '../records/scale.ts'
import { baseValues, costCentres, projects } from '../records/values.ts'

export interface Imported {
  readonly document: string
  readonly rows: number
  /** The time of the import itself, without the start of the command. */
  readonly rowsPerSecond: number
  readonly processorMicrosPerRow: number
  readonly bytesWritten: number
}

/** `store` are the arguments that name the store. Returns one measurement for each document, of its large file. */
export async function importRecords(store: readonly string[], folder: string, scale: Scale): Promise<Imported[]> {
  const bring = (document: string, lines: Iterable<string>, ending = 'ndjson') =>
    importFile(store, document, lines, join(folder, `${document}.${ending}`))
  await bring('attribute-values', json(baseValues()))
  await bring('attribute-values', json(costCentres()))
  return [
    await bring('attribute-values', json(projects(scale.values))),
    await bring('customers', json(customers(scale.customers))),
    await bring('general-ledger-transactions', csv(LEDGER_COLUMNS, ledgerLines(scale)), 'csv'),
  ]
}

/** Imports one file, which must have no row that is rejected. */
export async function importFile(
  store: readonly string[],
  document: string,
  lines: Iterable<string>,
  file: string,
): Promise<Imported> {
  await pipeline(Readable.from(pieces(lines)), createWriteStream(file))
  const { output, processorSeconds, bytesWritten } = await runCommand(['import', document, file, ...store])
  await rm(file)
  const [, rows = '', rejected = '', rate = ''] =
    /^([\d,]+) rows imported, ([\d,]+) rejected.*?, ([\d,]+) rows/m.exec(output) ?? []
  if (numberOf(rejected) !== 0 || rows === '') throw new Error(`the import of ${document} says: ${output}`)
  process.stderr.write(`${document}: ${output}`)
  const processorMicrosPerRow = (processorSeconds * 1e6) / numberOf(rows)
  return { document, rows: numberOf(rows), rowsPerSecond: numberOf(rate), processorMicrosPerRow, bytesWritten }
}

const numberOf = (text: string): number => Number(text.replaceAll(',', ''))

/** Records as lines of NDJSON. */
export function* json(records: Iterable<unknown>): Generator<string> {
  for (const record of records) yield JSON.stringify(record)
}

/** Writes a CSV file. No cell needs quotes. */
function* csv(names: readonly string[], rows: Iterable<readonly unknown[]>): Generator<string> {
  yield names.join(',')
  for (const row of rows) yield row.join(',')
}

const LINES_AT_ONCE = 1_000

function* pieces(lines: Iterable<string>): Generator<string> {
  let piece: string[] = []
  for (const line of lines) {
    piece.push(line)
    if (piece.length < LINES_AT_ONCE) continue
    yield `${piece.join('\n')}\n`
    piece = []
  }
  if (piece.length > 0) yield `${piece.join('\n')}\n`
}

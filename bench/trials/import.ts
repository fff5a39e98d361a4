// The speed of imports into a new store, as measured while the seed was made.
import { join } from 'node:path'
import { BENCH_SECRET } from '../cast.ts'
import { runCommand } from '../command.ts'
import type { Figure } from '../figure.ts'
import { source } from '../machine.ts'
import { SETUP } from '../place.ts'
import { type Imported, importRecords } from '../seed/import-records.ts'
import type { Seed } from '../seed/seed.ts'

/** The measurements of the seed are used if it was made by the same commit. */
export async function measureImport(folder: string, seed: Seed): Promise<Figure[]> {
  return (seed.source === source() ? seed.imported : await importAnew(folder, seed)).map(figureOf)
}

async function importAnew(folder: string, { scale }: Seed): Promise<Imported[]> {
  const data = join(folder, 'imported')
  await runCommand(['setup', SETUP, '--data', data], { BENCH_SECRET })
  return importRecords(['--data', data], folder, scale)
}

export function figureOf({ document, rows, rowsPerSecond, processorMicrosPerRow, bytesWritten }: Imported): Figure {
  const written = `${(bytesWritten / 1e6).toFixed(0)} MB written to disk`
  const beside = `${rows.toLocaleString('en')} rows; ${Math.round(processorMicrosPerRow)} us of processor time each; ${written}`
  return { work: `import of ${document}`, rounds: [rowsPerSecond], unit: 'rows/s', beside }
}

// What answers in Parquet need: see `parquet/parquet-files.ts`.
import { randomUUID } from 'node:crypto'
import type { Metrics } from '../observe/metrics.ts'
import { ParquetEncoder } from '../parquet/parquet-encoder.ts'
import type { ParquetFiles } from '../parquet/parquet-files.ts'
import { SpoolFolder, spoolIn } from '../parquet/spool-folder.ts'
import { type FindSpoolCompany, SpooledAnswers } from '../parquet/spooled-answers.ts'
import type { Companies } from '../setup/rules/companies.ts'
import { findLifeCycle } from '../store/service-state/life-cycle-store.ts'
import type { Store } from '../store/store.ts'

const GIBIBYTE = 1024 ** 3
/** Of all kept files: some fifty million lines of the ledger. */
const SPOOL_BYTES = 2 * GIBIBYTE
/** The service stops writing when half as much is free. */
const LEAVES_BYTES = GIBIBYTE
/** Readers fetch the parts of a file within minutes. */
const KEPT_MS = 10 * 60_000
const SWEEP_MS = 60_000

/** `data`: the data folder. Disposing of it ends the files that are being written. */
export async function openParquet(
  data: string,
  { store, companies, metrics }: { store: Store; companies: Companies; metrics: Metrics },
): Promise<ParquetFiles & AsyncDisposable> {
  const folder = await SpoolFolder.open({
    folder: spoolIn(data),
    maxBytes: SPOOL_BYTES,
    leavesBytes: LEAVES_BYTES,
    keptMs: KEPT_MS,
    now: Date.now,
    newId: randomUUID,
  })
  const sweeps = setInterval(() => void folder.sweep().catch(() => {}), SWEEP_MS).unref()
  const companyOf: FindSpoolCompany = async (company) => {
    const { id } = companies.require(company)
    return { id, erasures: Number((await findLifeCycle(store.reading(id)))?.erased_count ?? 0) }
  }
  const encoder = new ParquetEncoder()
  metrics.store.queues.add('parquet', encoder)
  return {
    encoder,
    spooled: new SpooledAnswers(folder, companyOf),
    [Symbol.asyncDispose]: async () => {
      clearInterval(sweeps)
      await encoder.close()
    },
  }
}

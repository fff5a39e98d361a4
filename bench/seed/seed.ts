// The initial data of a run: the data folder of the service, and the database of a floor with the same records.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { BENCH_SECRET, startService, tokenOf } from '../cast.ts'
import { runCommand } from '../command.ts'
import { copy } from '../copy.ts'
import { fillFloor } from '../floors/fill.ts'
import { source } from '../machine.ts'
import { SETUP } from '../place.ts'
import { INDEXES } from '../questions/all.ts'
import type { Scale } from '../records/scale.ts'
import { type Imported, importRecords } from './import-records.ts'
import { kept, keyOf } from './kept.ts'
import { uploadDocuments } from './upload-documents.ts'

export interface Seed {
  readonly scale: Scale
  /** A folder with the service's data folder in `data`. */
  readonly service: string
  readonly floorFile: string
  readonly imported: readonly Imported[]
  /** The source by which the records were imported. */
  readonly source: string
}

export const RECORDS = ['company.yaml', 'records/*.ts']

/** `scratch` is a folder for temporary files. */
export async function seedOf(scale: Scale, scratch: string): Promise<Seed> {
  const serviceKey = keyOf(await emptySchema(join(scratch, 'empty')), [...RECORDS, 'seed/*.ts'])
  const service = await kept(`service-${scale.name}`, serviceKey, (path) => makeService(path, scale))
  const floorKey = keyOf(INDEXES.join(), [...RECORDS, 'floors/{fill,rows,schema}.ts'])
  const floorFile = await kept(`floor-${scale.name}`, floorKey, (path) => fillFloor(path, scale))
  return { scale, service, floorFile, ...JSON.parse(readFileSync(join(service, 'imported.json'), 'utf8')) }
}

/** The schema of an empty store of the service, which is part of the cache key. */
export async function emptySchema(data: string): Promise<string> {
  await runCommand(['setup', SETUP, '--data', data], { BENCH_SECRET })
  const db = new DatabaseSync(join(data, 'tabularium.db'), { readOnly: true })
  const schema = db.prepare('select sql from sqlite_schema order by sql').all()
  db.close()
  rmSync(data, { recursive: true })
  return JSON.stringify(schema)
}

async function makeService(folder: string, scale: Scale): Promise<void> {
  const data = join(folder, 'data')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  await runCommand(['setup', SETUP, '--data', data], { BENCH_SECRET })
  const imported = await importRecords(['--data', data], folder, scale)
  const service = await startService(data)
  await uploadDocuments(service, await tokenOf(service), scale)
  await service.stop()
  writeFileSync(join(folder, 'imported.json'), JSON.stringify({ imported, source: source() }))
}

export function copyService({ service }: Seed, to: string): string {
  return copy(join(service, 'data'), to)
}

export function copyFloor({ floorFile }: Seed, to: string): string {
  return copy(floorFile, to)
}

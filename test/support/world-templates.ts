// Places where a setup is in force already: made once a run for each setup, and copied for each world.
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { inject } from 'vitest'
import type { TestProject } from 'vitest/node'
import { counted } from './costs.ts'
import { copyOfDatabase, newDatabase } from './test-database.ts'
import type { StoreKind } from './world.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of this run's templates. */
    worldTemplates: string
  }
}

/** Vitest's global setup. */
export default function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'tabularium-templates-'))
  project.provide('worldTemplates', folder)
  return () => rmSync(folder, { recursive: true, force: true })
}

/** Where a service stores its records: the data folder, and on PostgreSQL the address of the database. */
export interface StoredPlace {
  readonly data: string
  readonly database: string | undefined
}

const POLL_MS = 20

/** An empty place. The folder exists. */
export async function newPlace(kind: StoreKind, admin?: string): Promise<StoredPlace> {
  return { data: newFolder(), database: kind === 'postgres' ? await newDatabase({ admin }) : undefined }
}

/** A copy of the place that `apply` has once filled for this setup file. */
export async function copiedPlace(
  kind: StoreKind,
  setup: string,
  apply: (place: StoredPlace) => Promise<void>,
): Promise<StoredPlace> {
  const template = await templateOf(kind, setup, apply)
  counted.copied += 1
  const data = newFolder()
  cpSync(template.data, data, { recursive: true })
  return { data, database: template.database && (await copyOfDatabase(template.database)) }
}

async function templateOf(kind: StoreKind, setup: string, apply: (place: StoredPlace) => Promise<void>) {
  const key = createHash('sha256').update(setup).update(readFileSync(setup)).digest('hex').slice(0, 16)
  const name = join(inject('worldTemplates'), `${kind}-${key}`)
  const made = `${name}.json`
  // All processes of a run share the templates: who makes the folder makes the template.
  while (!existsSync(made)) {
    if (!isFirst(name)) {
      await pause(POLL_MS)
      continue
    }
    try {
      const place = await newPlace(kind)
      await apply(place)
      writeFileSync(`${made}.new`, JSON.stringify(place))
      renameSync(`${made}.new`, made)
    } catch (error) {
      rmdirSync(name)
      throw error
    }
  }
  return JSON.parse(readFileSync(made, 'utf8')) as StoredPlace
}

function isFirst(folder: string): boolean {
  try {
    mkdirSync(folder)
    return true
  } catch {
    return false
  }
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tabularium-test-'))
  // SQLite keeps a file that may be deleted when the disk is full: no test waits until 64 MiB are written.
  writeFileSync(join(folder, 'ballast'), '')
  return folder
}

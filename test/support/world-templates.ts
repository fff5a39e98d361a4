// Places where a setup is in force already: made once a run for each setup, from one that was migrated once, and copied
// for each world.
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
import { buildApplication } from '../../src/app/app.ts'
import { openStore } from '../../src/databases/open/open-store.ts'
import { counted } from './costs.ts'
import { asSuperuser, copyOfDatabase, newDatabase, queryOn } from './test-database.ts'
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

/**
 * When the templates are set up: before the clock of any test, so that a world with a clock of its own finds the setup in
 * its past.
 */
const SET_UP_AT = '2020-01-01T00:00:00.000Z'
const ignore = () => {}

/** An empty place. The folder exists. */
export async function newPlace(kind: StoreKind, admin?: string): Promise<StoredPlace> {
  counted.made += 1
  return { data: newFolder(), database: kind === 'postgres' ? await newDatabase({ admin }) : undefined }
}

/** A copy of a place that was migrated once in this run. */
export async function migratedPlace(kind: StoreKind): Promise<StoredPlace> {
  const migrate = async () => {
    const place = await newPlace(kind)
    const store = await openStore({ ...place, clock: () => new Date(), observe: ignore, onFatal: ignore })
    await store.close()
    return place
  }
  return placeOf(`${kind}-migrated`, migrate)
}

/** What a place holds before a service starts. */
interface Filling {
  readonly setup: string
  /** Statements that PostgreSQL's superuser runs in the database before the setup is applied. */
  readonly prepare?: string | undefined
  /** Further database files to attach beside SQLite's own, each as `name=file`. */
  readonly attached?: readonly string[] | undefined
}

/** A copy of a place to which the application has applied the setup once in this run. */
export function filledPlace(kind: StoreKind, filling: Filling): Promise<StoredPlace> {
  return placeOf(`${kind}-${keyOf(filling)}`, () => fill(kind, filling))
}

/** A copy of a place that is made once in this run. */
export async function placeOf(name: string, make: () => Promise<StoredPlace>): Promise<StoredPlace> {
  return copyOf(await templateOf(name, make))
}

async function fill(kind: StoreKind, { setup, prepare, attached }: Filling): Promise<StoredPlace> {
  const place = await migratedPlace(kind)
  const { data, database } = place
  if (database && prepare) await queryOn(asSuperuser(database), prepare)
  counted.setUp += 1
  const [clock, watched] = [() => new Date(SET_UP_AT), { observe: ignore, onFatal: ignore }]
  const application = await buildApplication({
    data,
    database,
    attached,
    setup,
    basePath: '',
    clock,
    webhookNetworks: ['loopback'],
    ...watched,
  })
  await application.stop(0)
  // Each world makes keys of its own, by its own clock.
  rmSync(join(data, 'keys.json'))
  return place
}

async function copyOf(template: StoredPlace): Promise<StoredPlace> {
  counted.copied += 1
  const data = newFolder()
  cpSync(template.data, data, { recursive: true })
  return { data, database: template.database && (await copyOfDatabase(template.database)) }
}

/** The same for the same contents, wherever the files are. */
function keyOf({ setup, prepare = '', attached = [] }: Filling): string {
  const hash = createHash('sha256').update(readFileSync(setup)).update(prepare)
  for (const one of attached) {
    const [name = '', file = ''] = one.split('=')
    hash.update(name).update(readFileSync(file))
  }
  return hash.digest('hex').slice(0, 16)
}

async function templateOf(named: string, make: () => Promise<StoredPlace>): Promise<StoredPlace> {
  const name = join(inject('worldTemplates'), named)
  const made = `${name}.json`
  // All processes of a run share the templates: who makes the folder makes the template.
  while (!existsSync(made)) {
    if (!isFirst(name)) {
      await pause(POLL_MS)
      continue
    }
    try {
      writeFileSync(`${made}.new`, JSON.stringify(await make()))
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

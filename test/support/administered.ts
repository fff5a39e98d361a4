// A running service and the commands that administer it, on each kind of database and with one process or two.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import {
  type Ended,
  type Folder,
  kill,
  run,
  SETUP,
  type Serving,
  type StartOptions,
  serve,
  temporaryFolder,
} from './process.ts'
import { firstOf } from './reliability-test.ts'
import { newDatabase } from './test-database.ts'
import { STORE_KINDS } from './world.ts'

export class AdministeredService {
  /** The options that name its folder and database. */
  readonly place: readonly string[]
  readonly #serving: readonly string[]
  readonly folder: Folder
  serving: Serving

  private constructor(folder: Folder, place: readonly string[], settings: readonly string[], serving: Serving) {
    this.folder = folder
    this.place = place
    this.#serving = settings
    this.serving = serving
  }

  /** `settings` are those of `serve`. */
  static async start(database: string | undefined, settings: readonly string[]): Promise<AdministeredService> {
    const folder = temporaryFolder()
    const place = ['--data', join(folder.path, 'data'), ...(database === undefined ? [] : ['--database', database])]
    const serving = await serve([...place, '--setup', SETUP, '--log-level', 'info', ...settings])
    return new AdministeredService(folder, place, settings, serving)
  }

  get data(): string {
    return join(this.folder.path, 'data')
  }

  get address(): string {
    return this.serving.address
  }

  /** Runs a command on the service's folder and database. */
  command(args: readonly string[], options?: StartOptions): Promise<Ended> {
    return run([...args, ...this.place], options)
  }

  async restart(): Promise<void> {
    this.serving = await serve([...this.place, '--log-level', 'info', ...this.#serving])
  }

  /** Writes a file outside of the data folder; returns its path. */
  write(name: string, text: string): string {
    const path = join(this.folder.path, name)
    writeFileSync(path, text)
    return path
  }

  async end(): Promise<void> {
    await kill(this.serving)
    this.folder.remove()
  }
}

/** Declares the tests once per database and number of processes, each with a service of its own. */
export function onEachService(
  title: string,
  declare: (service: () => AdministeredService) => void,
  settings: readonly string[] = [],
): void {
  const all = STORE_KINDS.flatMap((store) => [1, 2].map((workers) => ({ store, workers })))
  // What holds for two processes holds for one, beside which the guides run every command.
  const kinds = firstOf(all.toSorted((left, right) => right.workers - left.workers))
  describe.each(kinds)(`${title} on $store with $workers processes`, ({ store, workers }) => {
    let service: AdministeredService | undefined
    beforeAll(async () => {
      const database = store === 'postgres' ? await newDatabase() : undefined
      service = await AdministeredService.start(database, ['--workers', String(workers), ...settings])
    })
    afterAll(() => service?.end())
    declare(() => {
      if (!service) throw new Error('the service has not started')
      return service
    })
  })
}

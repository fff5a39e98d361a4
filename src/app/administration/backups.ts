// Backups that administrators start and see: in the folder that the service was started with, one at a time.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readManifest } from '../../backup/manifest.ts'
import { unfinishedBackup } from '../../backup/take-backup.ts'
import { startProgram } from '../../base/process/start-program.ts'
import { conflict } from '../../errors/catalogue.ts'
import type { Say } from '../../errors/sentences.ts'

export interface BackupPlace {
  /** The folder of backups. */
  readonly target: string
  readonly data: string
  readonly database: string | undefined
  /** Where the file contents are; absent: in the data folder. */
  readonly files: string | undefined
}

export interface BackupProgress {
  readonly stage: string
  readonly done: number
  readonly total: number
}

type Message = BackupProgress | { readonly problem: string }

export class Backups {
  readonly #place: BackupPlace | undefined
  #process: ChildProcess | undefined
  #progress: BackupProgress | undefined
  /** Why the last one failed that this process has begun. */
  #problem: string | undefined

  /** Without a place there are none. */
  constructor(place: BackupPlace | undefined) {
    this.#place = place
  }

  /** `say` puts a problem into the words of a reader. */
  async describe(say?: Say): Promise<object> {
    if (!this.#place) return {}
    const { target } = this.#place
    const [last, unfinished] = await Promise.all([
      readManifest(target).catch(() => undefined),
      unfinishedBackup(target),
    ])
    return {
      folder: target,
      last: last && {
        begun: last.begun,
        ended: last.ended,
        program: last.program,
        files: last.contents.files,
        sizeBytes: last.contents.sizeBytes + last.database.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
        missing: last.contents.lacking.length,
      },
      unfinished,
      running: this.#progress,
      problem: say && this.#problem !== undefined ? say(this.#problem) : this.#problem,
    }
  }

  /** Throws 409 while one is taken, and without a folder for them. */
  start(): void {
    if (!this.#place) throw conflict('The service was started without a folder for backups: serve --backups FOLDER.')
    if (this.#process) throw conflict('A backup is being taken.')
    const child = startProgram('backup-process', import.meta.url, [], ['ignore', 'ignore', 'inherit', 'ipc'])
    this.#process = child
    this.#progress = { stage: '', done: 0, total: 0 }
    this.#problem = undefined
    child.on('message', (message: Message) => {
      if ('problem' in message) this.#problem = message.problem
      else this.#progress = message
    })
    child.on('error', (error) => this.#end(error.message))
    child.on('exit', (code) => this.#end(code === 0 ? undefined : 'The process that takes the backup has ended.'))
    child.send(this.#place)
  }

  #end(problem: string | undefined): void {
    this.#problem ??= problem
    this.#process = undefined
    this.#progress = undefined
  }

  /** What is not whole is no backup: the next one goes on with its files. */
  async stop(): Promise<void> {
    const child = this.#process
    if (!child) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
}

// The folders that commands run in, each for one command: its input files, and what it writes.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isProcessAlive } from '../base/process/is-alive.ts'

const FOLDER_NAME = 'commands'
const NAME = /^(?<pid>\d+)-/

/** Removes what services that have ended have left behind. */
export function removeLeftovers(data: string): void {
  const folder = join(data, FOLDER_NAME)
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const pid = Number(NAME.exec(name)?.groups?.pid ?? 0)
    if (pid === process.pid || !isProcessAlive(pid)) rmSync(join(folder, name), { recursive: true, force: true })
  }
}

export function makeScratchFolder(data: string): string {
  const folder = join(data, FOLDER_NAME)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return mkdtempSync(join(folder, `${process.pid}-`))
}

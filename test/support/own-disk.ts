// A disk of its own for one process, gone with it; as root, or as root of a user namespace.
import { spawnSync } from 'node:child_process'
import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const NAMESPACES = [
  { enter: 'unshare -m', join: ['--mount'] },
  { enter: 'unshare -rm', join: ['--user', '--preserve-credentials', '--mount'] },
]
const namespace = NAMESPACES.find(({ enter }) => {
  const [name = '', ...args] = enter.split(' ')
  return spawnSync(name, [...args, 'mount', '-t', 'tmpfs', 'tmpfs', tmpdir()]).status === 0
})

const MOST_TRIES = 50

/** False where nobody lets us mount a disk. */
export const hasOwnDisk = namespace !== undefined
if (!hasOwnDisk) console.warn('skipped, because neither `unshare -m` nor `unshare -rm` may mount a disk')

/** What is run before a program so that it has an empty disk at a folder that is there. */
export function onOwnDisk(folder: string, bytes: number): string {
  const mount = `mount -t tmpfs -o size=${bytes} tmpfs "$0" && shift && exec "$@"`
  return `exec ${namespace?.enter} sh -c '${mount}' '${folder}' sh "$@"`
}

/** What is run before a program so that it has a disk with the files of a folder, and no byte more. */
export function onFullDisk(folder: string, files: string): string {
  const fill = `cp -r ${files} ${folder}/data && { dd if=/dev/zero of=${folder}/fill bs=4k 2>/dev/null || true; }`
  return `${onOwnDisk(folder, 300 * 1024 * 1024).replace('&& shift', `&& shift && ${fill}`)}`
}

/** The folder as the process sees it. */
export function seenBy(pid: number, folder: string): string {
  return join('/proc', String(pid), 'root', folder)
}

/** As if others took the space of the disk, or gave it back, until so much is free. */
export function leaveFree(pid: number, folder: string, bytes: number): void {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const { blocks, bfree, bsize } = statfsSync(seenBy(pid, folder))
    // Somebody may write meanwhile, and a disk cannot be smaller than what is on it.
    const size = (blocks - bfree) * bsize + bytes + tries * 64 * 1024
    const remount = ['mount', '-o', `remount,size=${size}`, folder]
    if (spawnSync('nsenter', ['--target', String(pid), ...(namespace?.join ?? []), ...remount]).status === 0) return
  }
  throw new Error('the disk keeps its size')
}

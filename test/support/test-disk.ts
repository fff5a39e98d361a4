// A temporary disk for one process, removed with it; mounted as root, or as root of a user namespace.
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

/** False where the test may not mount a disk. */
export const canMountDisk = namespace !== undefined
if (!canMountDisk) console.warn('skipped, because neither `unshare -m` nor `unshare -rm` may mount a disk')

/** The command prefix that starts a program with an empty disk mounted at an existing folder. */
export function onTestDisk(folder: string, bytes: number): string {
  const mount = `mount -t tmpfs -o size=${bytes} tmpfs "$0" && shift && exec "$@"`
  return `exec ${namespace?.enter} sh -c '${mount}' '${folder}' sh "$@"`
}

/** The command prefix that starts a program with a disk that holds the files of a folder and has no free space. */
export function onFullDisk(folder: string, files: string): string {
  return onDiskWith(folder, files, `{ dd if=/dev/zero of=${folder}/fill bs=4k 2>/dev/null || true; }`)
}

/** The same with a disk that nothing can be written on. */
export function onReadOnlyDisk(folder: string, files: string): string {
  return onDiskWith(folder, files, `mount -o remount,ro ${folder}`)
}

function onDiskWith(folder: string, files: string, then: string): string {
  const fill = `cp -r ${files} ${folder}/data && ${then}`
  return `${onTestDisk(folder, 300 * 1024 * 1024).replace('&& shift', `&& shift && ${fill}`)}`
}

/** The path of the folder as the process accesses it. */
export function pathSeenBy(pid: number, folder: string): string {
  return join('/proc', String(pid), 'root', folder)
}

/** Resizes the disk until it has this much free space, as if other programs used the rest. */
export function leaveFree(pid: number, folder: string, bytes: number): void {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const { blocks, bfree, bsize } = statfsSync(pathSeenBy(pid, folder))
    // The service may write meanwhile, and a disk cannot be smaller than its content.
    const size = (blocks - bfree) * bsize + bytes + tries * 64 * 1024
    const remount = ['mount', '-o', `remount,size=${size}`, folder]
    if (spawnSync('nsenter', ['--target', String(pid), ...(namespace?.join ?? []), ...remount]).status === 0) return
  }
  throw new Error('the disk keeps its size')
}

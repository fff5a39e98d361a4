import type { Mutation } from './mutation.ts'

const ORDER = [
  'test/reliability/durability/syscall-kill.test.ts',
  'D3 are in an order that survives a power cut',
] as const
const KILLED = ['test/reliability/durability/syscall-kill.test.ts', 'D3 may each be the last one'] as const
const EIO = ['test/reliability/durability/io-errors.test.ts', 'D4 may each fail with EIO'] as const
const ENOSPC = ['test/reliability/durability/io-errors.test.ts', 'D4 may each fail with ENOSPC'] as const
const FULL = ['test/reliability/durability/disk-full.test.ts', 'D7 rejects only writes'] as const

export const diskMutations: readonly Mutation[] = [
  {
    name: 'the folder of a content is not synced',
    find: '      await onDisk(syncFolder(dirname(path)))\n',
    replace: '',
    test: ORDER,
  },
  {
    name: 'new folders above a content are not synced',
    find: '    await syncUpwards(dirname(folder), this.#root)\n',
    replace: '',
    test: ORDER,
  },
  {
    name: 'a content is not synced before it gets its name',
    find: '    await onDisk(syncFile(this.#file))\n',
    replace: '',
    test: ORDER,
  },
  {
    name: 'commits are not synced: synchronous=NORMAL',
    find: `['synchronous', 'FULL', 2]`,
    replace: `['synchronous', 'NORMAL', 1]`,
    test: ORDER,
  },
  {
    name: 'what a killed process was receiving is not swept',
    find: '      if (await isAbandoned(folder, name)) await rm(join(folder, name), { force: true })\n',
    replace: '',
    test: KILLED,
  },
  {
    name: 'the service goes on after a failed fsync',
    find: 'const isFatal = fault instanceof FatalStoreFault',
    replace: 'const isFatal = false',
    test: EIO,
  },
  {
    name: 'a write that may exist after the restart is reported as not stored',
    find: 'job.failed(isFatal ? outcomeUnknown(fault) : fault)',
    replace: 'job.failed(isFatal ? storeStopped(fault) : fault)',
    test: EIO,
  },
  {
    name: 'a part of a content is left over on a full disk',
    find: '      await removeQuietly(path)\n      throw error',
    replace: '      throw error',
    test: ENOSPC,
  },
  {
    name: 'a full disk is answered 500 instead of 503',
    find: `  if (code === SQLITE_FULL) return storeUnavailable('the disk is full', error)\n`,
    replace: '',
    test: ENOSPC,
  },
  {
    name: 'free space on the disk is noticed only after a restart',
    find: '    space.isEnough = isEnough\n',
    replace: '    space.isEnough &&= isEnough\n',
    test: FULL,
  },
]

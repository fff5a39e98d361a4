// A job process whose jobs do everything that a job must not do. As a picture, the job is named in the content.
import { appendFileSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { networkInterfaces } from 'node:os'
import { type JobWork, runJobs } from '../../../src/files/processes/serve-jobs.ts'

const MIB = 1024 * 1024
const kept: unknown[] = []

const jobs: Readonly<Record<string, JobWork>> = {
  echo: async (content) => content,
  about: async () => Buffer.from(JSON.stringify({ pid: process.pid, env: process.env })),
  read: async (_content, { path }) => readFileSync(String(path)),
  list: async (_content, { path }) => Buffer.from(readdirSync(String(path)).join(' ')),
  'parent-environment': async () => readFileSync(`/proc/${process.ppid}/environ`),
  load: async (_content, { name }) => Buffer.from(Object.keys(await import(String(name))).join(' ')),
  require: async (_content, { name }) => Buffer.from(String(createRequire(import.meta.url)(String(name)))),
  builtin: async (_content, { name }) => Buffer.from(typeof process.getBuiltinModule(String(name))),
  binding: async (_content, { name }) => {
    const { binding } = process as unknown as { binding(name: string): unknown }
    return Buffer.from(typeof binding.call(process, String(name)))
  },
  fetch: async (_content, { url }) => Buffer.from(await (await fetch(String(url))).arrayBuffer()),
  sockets: async () => Buffer.from(Object.keys(networkInterfaces()).join(' ')),
  spawn: async () => Buffer.from(String((await import('node:child_process')).spawnSync('true').status)),
  thread: async () => {
    const { Worker } = await import('node:worker_threads')
    new Worker('1', { eval: true })
    return Buffer.from('begun')
  },
  refuse: async (_content, { message }) => {
    throw new Error(String(message))
  },
  answer: async (_content, { bytes }) => new Uint8Array(Number(bytes)),
  circle: async () => {
    for (;;) kept.length = 0
  },
  sleep: async (_content, { ms }) => {
    await new Promise((resolve) => setTimeout(resolve, Number(ms)))
    return new Uint8Array()
  },
  // No pending handle keeps the event loop alive: the process exits by itself.
  forget: () => new Promise(() => {}),
  exit: async () => process.exit(3),
  abort: async () => process.abort(),
  segfault: async () => {
    process.kill(process.pid, 'SIGSEGV')
    return new Uint8Array()
  },
  fillBuffers: async () => {
    for (;;) kept.push(Buffer.alloc(MIB, 1))
  },
  fillHeap: async () => {
    for (;;) kept.push(new Array(1000).fill(kept.length))
  },
  write: async (_content, { path }) => {
    appendFileSync(String(path), 'written')
    return new Uint8Array()
  },
  evaluate: async () => Buffer.from(String(new Function('return 1')())),
}

/** One black pixel. */
const PICTURE = Buffer.from(
  '89504e470d0a1a0a0000000d4948445200000001000000010100000000376ef9240000000a49444154789c636000000002000148afa4710000000049454e44ae426082',
  'hex',
)
/** The signature in front of the job's name, so that the content is taken for a picture. */
const BEGINNING_BYTES = 12

const all: Readonly<Record<string, JobWork>> = {
  ...jobs,
  picture: async (content, options) => {
    const name = content.subarray(BEGINNING_BYTES).toString()
    return name === 'draw' ? PICTURE : (jobs[name]?.(Buffer.alloc(0), options) ?? Buffer.from('no picture'))
  },
}

await runJobs(Object.fromEntries(Object.entries(all).map(([kind, work]) => [kind, () => work])))

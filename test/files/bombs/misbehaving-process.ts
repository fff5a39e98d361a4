// A job process whose jobs do everything that a job must not do. As a picture, the job is named in the content.
import { appendFileSync, readFileSync } from 'node:fs'
import { answerJobs, type Work } from '../../../src/files/jobs/answer-jobs.ts'

const MIB = 1024 * 1024
const kept: unknown[] = []

const jobs: Readonly<Record<string, Work>> = {
  echo: async (content) => content,
  about: async () =>
    Buffer.from(
      JSON.stringify({ pid: process.pid, env: process.env, limits: readFileSync('/proc/self/limits', 'utf8') }),
    ),
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
  // Nothing is left that could end the waiting: the process ends by itself.
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
/** What stands before the name of a job, so that the content is taken for a picture. */
const BEGINNING_BYTES = 12

await answerJobs({
  ...jobs,
  picture: async (content, options) => {
    const name = content.subarray(BEGINNING_BYTES).toString()
    return name === 'draw' ? PICTURE : (jobs[name]?.(Buffer.alloc(0), options) ?? Buffer.from('no picture'))
  },
})

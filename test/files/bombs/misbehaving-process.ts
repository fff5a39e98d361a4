// A job process whose jobs do everything that a job must not do.
import { appendFileSync, readFileSync } from 'node:fs'
import { answerJobs } from '../../../src/files/jobs/answer-jobs.ts'

const MIB = 1024 * 1024
const kept: unknown[] = []

await answerJobs({
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
})

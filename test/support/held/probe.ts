// Loaded into a service before it starts: writes down how long its thread was at work at a stretch, between two turns
// of the event loop, in milliseconds of processor time.
import { appendFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const EVERY_MS = 1
const file = process.env.TABULARIUM_HELD_FILE

if (isMainThread && file && process.argv.includes('serve')) {
  let before = process.threadCpuUsage()
  let worst = 0
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(before)
    before = process.threadCpuUsage()
    const ms = (user + system) / 1_000
    if (ms <= worst) return
    worst = ms
    appendFileSync(file, `${ms}\n`)
  }, EVERY_MS).unref()
  // The test begins anew with each request.
  process.on('SIGUSR2', () => (worst = 0))
}

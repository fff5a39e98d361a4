// A thread that ends its process when the one that has started it is gone: what writes must not outlive who holds the
// data folder.
import { workerData } from 'node:worker_threads'

const LOOK_MS = 200

setInterval(() => {
  if (process.ppid !== workerData) process.kill(process.pid, 'SIGKILL')
}, LOOK_MS)

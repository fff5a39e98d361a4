// A thread that kills its process when the parent has ended: a writing process must not outlive the process that holds
// the data folder.
import { workerData } from 'node:worker_threads'

const LOOK_MS = 200

setInterval(() => {
  if (process.ppid !== workerData) process.kill(process.pid, 'SIGKILL')
}, LOOK_MS)

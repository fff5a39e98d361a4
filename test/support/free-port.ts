import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below those that systems give to who asks for any: nobody else takes one between its choice and its use. */
const [FIRST, COUNT] = [12_000, 20_000]
/** Processes that choose at the same time begin at different places. */
let next = (process.pid * 101) % COUNT

/** A free port of 127.0.0.1, which this process has not given yet. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + next
    next = (next + 1) % COUNT
    if (await isFree(port)) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer()
  try {
    await once(probe.listen(port, '127.0.0.1'), 'listening')
    return true
  } catch {
    return false
  } finally {
    probe.close()
  }
}

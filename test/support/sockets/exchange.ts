// One connection: sends bytes as they are and collects everything that comes back until it is closed.
import { connect } from 'node:net'

export interface Script {
  /** Each chunk is written by itself. */
  readonly pieces: readonly Buffer[]
  /** After the last chunk: wait for the answers, or end or reset the connection at once. */
  readonly afterwards: 'wait' | 'end' | 'reset'
}

export interface Exchanged {
  readonly received: string
  /** Reset by either side: answers may have been lost. */
  readonly isBroken: boolean
  /** Still open long after the client has ended it. */
  readonly isHung: boolean
}

/** The wait for further answers after some have arrived. */
const QUIET_MS = 300
/** Some requests have no answer: this long is waited for that of each. A busy machine takes some seconds. */
const PATIENCE_MS = 15_000
const HUNG_MS = 60_000

/** `isComplete` decides from the received text whether to wait for more. */
export function exchange(
  port: number,
  localAddress: string,
  { pieces, afterwards }: Script,
  isComplete: (received: string) => 'yes' | 'maybe' | 'no',
): Promise<Exchanged> {
  return new Promise((resolve) => {
    const state = { received: '', isBroken: afterwards === 'reset', isHung: false }
    let isSent = false
    const socket = connect({ host: '127.0.0.1', port, localAddress })
    const timers = new Set<NodeJS.Timeout>()
    const after = (ms: number, act: () => void) => timers.add(setTimeout(act, ms))
    const hang = () => {
      state.isHung = true
      socket.destroy()
    }
    const end = () => {
      for (const timer of timers) clearTimeout(timer)
      socket.end()
      after(HUNG_MS, hang)
    }
    const consider = () => {
      if (!isSent || socket.writableEnded) return
      const verdict = isComplete(state.received)
      if (verdict === 'yes') return end()
      for (const timer of timers) clearTimeout(timer)
      after(verdict === 'maybe' ? QUIET_MS : PATIENCE_MS, end)
    }
    socket.setNoDelay(true)
    socket.on('connect', async () => {
      for (const piece of pieces) {
        if (socket.writable) await new Promise((resume) => socket.write(piece, resume))
      }
      isSent = true
      if (afterwards === 'reset') socket.resetAndDestroy()
      else if (afterwards === 'end') end()
      else consider()
    })
    socket.on('data', (chunk: Buffer) => {
      state.received += chunk.toString('latin1')
      consider()
    })
    socket.on('error', () => (state.isBroken = true))
    socket.on('close', () => {
      for (const timer of timers) clearTimeout(timer)
      resolve(state)
    })
  })
}

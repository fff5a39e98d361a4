// Opens the listening socket and explains why that failed in terms of the command line's options.

import { once } from 'node:events'
import { createServer } from 'node:net'
import { codeOf } from '../base/thrown.ts'
import type { Server } from '../http/server.ts'

export interface ListenAddress {
  readonly host: string
  readonly port: number
  /** Shares the port with other processes (SO_REUSEPORT): the kernel distributes new connections among them. */
  readonly reusePort?: boolean | undefined
}

/** Resolves with `http://HOST:PORT` when the server listens. */
export async function listen(server: Server, { host, port, reusePort = false }: ListenAddress): Promise<string> {
  try {
    return await server.listen({ host, port, reusePort })
  } catch (error) {
    throw withAdvice(error, host, port)
  }
}

/** Throws if the address cannot be listened on, before the caller starts work that would be in vain. */
export async function requireFreeAddress({ host, port, reusePort = false }: ListenAddress): Promise<void> {
  // A probe on a shared port would be given some of the other process's connections.
  if (reusePort) return
  const probe = createServer()
  try {
    probe.listen({ host, port, exclusive: true })
    await once(probe, 'listening')
  } catch (error) {
    throw withAdvice(error, host, port)
  }
  probe.close()
  await once(probe, 'close')
}

function withAdvice(cause: unknown, host: string, port: number): unknown {
  switch (codeOf(cause)) {
    case 'EADDRINUSE':
      return new Error(`--port ${port} is taken by another program; --port 0 picks a free one`, { cause })
    case 'EACCES':
    case 'EPERM':
      return new Error(`--port ${port}: this user may not listen there; ports from 1024 on are open to all`, { cause })
    case 'EADDRNOTAVAIL':
    case 'EAFNOSUPPORT':
    case 'EINVAL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new Error(`--host ${host} is no address of this machine`, { cause })
  }
  return cause
}

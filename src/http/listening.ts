// Where the server listens, and what is told when it cannot.
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { FastifyInstance, FastifyListenOptions } from 'fastify'

export interface Place {
  readonly host: string
  readonly port: number
  /** Others may listen there at the same time: who comes is given to any of them. */
  readonly reusePort?: boolean | undefined
}

/** Resolves with `http://HOST:PORT` when the server listens. */
export async function listen(server: FastifyInstance, { host, port, reusePort = false }: Place): Promise<string> {
  try {
    // Fastify hands it on to Node's server; its types do not know it.
    return await server.listen({ host, port, reusePort } as FastifyListenOptions)
  } catch (error) {
    throw explained(error, host, port)
  }
}

/** Throws when nobody could listen there now: better told before work begins than after it. */
export async function requireFreePlace({ host, port, reusePort = false }: Place): Promise<void> {
  // Who listens beside another would be given some of its callers.
  if (reusePort) return
  const probe = createServer()
  try {
    probe.listen({ host, port, exclusive: true })
    await once(probe, 'listening')
  } catch (error) {
    throw explained(error, host, port)
  }
  probe.close()
  await once(probe, 'close')
}

function explained(cause: unknown, host: string, port: number): unknown {
  switch ((cause as NodeJS.ErrnoException).code) {
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

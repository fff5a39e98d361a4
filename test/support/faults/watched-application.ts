// Watches everything that a request passes through: callers, stores, files, clocks, observers.
import { Caller } from '../../../src/access/caller.ts'
import { ClientSecrets } from '../../../src/access/client-secrets.ts'
import { Directory } from '../../../src/access/directory.ts'
import type { Application } from '../../../src/app/application.ts'
import { InFlightRequests } from '../../../src/http/pipeline/in-flight.ts'
import type { Actor, ByteStream, Store, Tx } from '../../../src/store/store.ts'
import { FaultSites } from './fault-sites.ts'

export function watchApplication({ service, tokens, keys, intake }: Application): FaultSites {
  const sites = new FaultSites()
  watchStore(sites, service.store)
  sites.watch('service', service)
  sites.watch('files', service.files)
  sites.watch('intake', intake)
  sites.watch('thumbnails', service.thumbnails)
  sites.watch('companies', service.companies)
  sites.watch('tokens', tokens)
  sites.watch('keys', keys)
  sites.watch('budget', service.budget)
  sites.watch('caller', Caller.prototype)
  sites.watch('secrets', ClientSecrets.prototype)
  sites.watch('directory', Directory.prototype)
  sites.watch('inFlight', { start: InFlightRequests.prototype.start })
  return sites
}

/** The handles that a store returns are watched like the store. */
function watchStore(sites: FaultSites, store: Store): void {
  const { write } = store
  store.write = <T>(companyId: string, actor: Actor, work: (tx: Tx) => Promise<T>) =>
    write.call(store, companyId, actor, (tx) => work(watchTx(sites, tx))) as Promise<T>
  sites.watch('store', store, {
    follow: (_method, result) => {
      if (!(result instanceof Promise)) return
      result.then((given: unknown) => isByteStream(given) && watchStream(sites, given)).catch(() => {})
    },
  })
  const { reading } = store
  store.reading = (companyId) => sites.watch('reading', reading.call(store, companyId))
}

function watchTx(sites: FaultSites, tx: Tx): Tx {
  return sites.watch('tx', tx, {
    follow: (method, result) => {
      if (method === 'nextEntry') watchTx(sites, result as Tx)
    },
  })
}

/** Streams fail from within, so that they release what they hold. */
function watchStream(sites: FaultSites, pieces: ByteStream): void {
  const fail = async (call: () => unknown, thrown: unknown) => {
    await call()
    return pieces.throw(thrown)
  }
  sites.watch('pieces', pieces, { fail })
}

function isByteStream(given: unknown): given is ByteStream {
  return typeof given === 'object' && given !== null && Symbol.asyncIterator in given
}

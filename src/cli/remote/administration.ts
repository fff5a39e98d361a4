import { AdministrationServer } from '../../administration/administration-server.ts'
import type { Observe } from '../../observe/observation.ts'
import type { ServeSettings } from '../settings/settings.ts'
import { storeVariables } from './store-variables.ts'

/** Lets a service take commands in its data folder, which this process holds. */
export function startAdministration(settings: ServeSettings, observe: Observe): Promise<AdministrationServer> {
  const { data, database } = settings
  return AdministrationServer.start({
    data,
    database,
    settings: storeVariables(settings),
    onCommand: (record) => observe({ kind: 'command-run', ...record }),
  })
}

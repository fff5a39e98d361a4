import { resolve } from 'node:path'
import type { StoreFlags, WebhookFlags } from '../settings/settings.ts'

/** The variables by which a command of a service gets the settings of its store, whatever folder it runs in. */
export function storeVariables({
  data,
  database,
  files,
  attach = [],
  keys,
  queryTimeout,
  checkpoint,
  webhookNetworks,
}: StoreFlags & WebhookFlags & { readonly files?: string }): Record<string, string> {
  const variables = {
    TABULARIUM_DATA: resolve(data),
    TABULARIUM_DATABASE: database,
    TABULARIUM_FILES: files === undefined || /^s3:/i.test(files) ? files : resolve(files),
    TABULARIUM_ATTACH: attach.length === 0 ? undefined : attach.map(withWholePath).join(','),
    TABULARIUM_KEYS: keys && resolve(keys),
    TABULARIUM_QUERY_TIMEOUT: String(queryTimeout / 1000),
    TABULARIUM_CHECKPOINT: checkpoint,
    TABULARIUM_WEBHOOK_NETWORKS: webhookNetworks?.join(','),
  }
  return Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined)) as Record<
    string,
    string
  >
}

/** Of `name=file`. */
function withWholePath(attached: string): string {
  const equals = attached.indexOf('=')
  return `${attached.slice(0, equals)}=${resolve(attached.slice(equals + 1))}`
}

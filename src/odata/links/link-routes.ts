// Files that open the entity sets of a company in Excel and Power BI. They hold addresses, and no credentials.
import { noResource } from '../../errors/catalogue.ts'
import { savedAs } from '../../http/reply/replies.ts'
import type { Reply } from '../../http/reply/send.ts'
import type { ApiRequest } from '../../http/route.ts'
import type { ODataModel } from '../model.ts'
import { rootUrlOf } from '../protocol/urls.ts'
import { officeConnection } from './office-connection.ts'

/** The segment of their paths; no entity set can have a name with a hyphen. */
export const LINK_FILES = 'link-files'

const POWER_BI_FILE = 'tabularium.pbids'

/** `tabularium.pbids` with all entity sets, or `{entitySet}.odc`. Throws 404 for any other, and for hidden sets. */
export function linkFile(request: ApiRequest, { entitySets }: ODataModel): Reply {
  const { file = '' } = request.params
  const { companyId } = request
  const root = rootUrlOf(request)
  if (file === POWER_BI_FILE) {
    return saved(powerBiConnection(root), 'application/json;charset=utf-8', `tabularium-${companyId}.pbids`)
  }
  const [, set] = /^(.+)\.odc$/.exec(file) ?? []
  if (set === undefined || !entitySets.has(set)) throw noResource(request.path)
  return saved(officeConnection(root, set), 'text/x-ms-odc;charset=utf-8', `${set}-${companyId}.odc`)
}

function saved(body: string, contentType: string, fileName: string): Reply {
  return { status: 200, body, headers: { 'content-type': contentType, ...savedAs(fileName) } }
}

/** Power BI's own format: the report imports what the reader chooses. */
function powerBiConnection(url: string): string {
  const details = { protocol: 'odata', address: { url } }
  return JSON.stringify({ version: '0.1', connections: [{ details, options: {}, mode: 'Import' }] }, null, 2)
}

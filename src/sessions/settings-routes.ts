// `/console/api/settings`: what a person has chosen in the console, such as views, stars and the language. The service
// keeps it as it is sent: it is of the console alone. Nobody else sees it, and nobody who acts as another.
import { etagOf, isNoneMatch, permitsTag } from '../base/etag.ts'
import { isObject, type JsonValue } from '../base/strict-json.ts'
import { malformed, notAuthorised, tooLarge } from '../errors/catalogue.ts'
import type { PlainRequest } from '../http/route/plain-request.ts'
import type { Router } from '../http/router.ts'
import type { Companies } from '../setup/rules/companies.ts'
import { requireSession } from './cookie.ts'
import type { PersonSessions } from './sessions.ts'
import type { SettingsStore } from './settings-store.ts'

interface SettingsParts {
  readonly sessions: PersonSessions
  readonly companies: Companies
  readonly settings: SettingsStore
}

const PATH = '/console/api/settings'
/** Some hundred views. */
const MAX_BYTES = 64 * 1024

export function settingsRoutes(router: Router, parts: SettingsParts): void {
  const { settings } = parts
  router.open('GET', PATH, async (request) => {
    const { text, version } = await settings.find(await placeOf(parts, request))
    const headers = { etag: etagOf(version) }
    return isNoneMatch(request.headers['if-none-match'], version)
      ? { status: 304, headers }
      : { status: 200, headers, body: text }
  })
  router.open('PUT', PATH, async (request) => {
    const place = await placeOf(parts, request)
    const text = textIn(request)
    const { version } = await settings.find(place)
    const isWanted = permitsTag(request.headers['if-match'], etagOf(version))
    const next = isWanted ? await settings.replace(place, text, version) : undefined
    // Replaced by another browser of the person since they were read.
    return next === undefined ? { status: 412 } : { status: 204, headers: { etag: etagOf(next) } }
  })
}

/** Whose settings, in which company or in none. Throws 403 for a company that is not the person's. */
async function placeOf({ sessions, companies }: SettingsParts, { headers, query }: PlainRequest) {
  const { user, caller } = await requireSession(sessions, headers)
  if (headers['act-as'] !== undefined) throw notAuthorised('who acts as a client has no settings of its person')
  const given = new URLSearchParams(query).getAll('companyId')
  if (given.length > 1) throw malformed('Give companyId once.')
  const [name = ''] = given
  if (name === '') return { companyId: '', userId: user.id }
  const company = caller.knows(name) ? companies.known(name) : undefined
  if (!company) throw notAuthorised('the company is not one of the person')
  return { companyId: company.id, userId: user.id }
}

function textIn({ body }: PlainRequest): string {
  if (!isObject(body as JsonValue | undefined)) throw malformed('Give the settings as a JSON object.')
  const text = JSON.stringify(body)
  if (Buffer.byteLength(text) > MAX_BYTES) throw tooLarge(MAX_BYTES)
  return text
}

// What is served beside the records: tokens, probes, metrics, descriptions, guides and the console.
import type { KeyRing } from '../access/keys.ts'
import { declaredUploadEndpoints } from '../batch-operations/routes.ts'
import { descriptionRoutes } from '../http/openapi/routes.ts'
import type { Lifecycle } from '../http/parts.ts'
import type { Identity } from '../http/pipeline/authenticate.ts'
import type { Router } from '../http/router.ts'
import { consoleRoutes } from '../http/system/console.ts'
import { guideRoutes } from '../http/system/guides.ts'
import { landingRoutes } from '../http/system/landing.ts'
import { oauthMetadataRoutes } from '../http/system/oauth-metadata.ts'
import { healthRoutes, metricsRoute } from '../http/system/probes.ts'
import { tokenRoutes } from '../http/system/token.ts'
import { DOCUMENT_TITLES } from '../model/built-in-titles.ts'
import type { DocumentDefinition } from '../model/document.ts'
import type { DeclaredDocuments } from '../objects/declared-documents.ts'
import { declaredDocumentEndpoints } from '../objects/routes.ts'
import { aggregatedText, type Metrics } from '../observe/metrics.ts'
import { odataEndpoints } from '../odata/described-routes.ts'
import { schemaTitle } from '../query/schema-of.ts'
import { valueHistoryRoute } from '../records/attribute-values/routes.ts'
import { declaredEndpoints } from '../records/kinds/described-routes.ts'
import { issuerSignInRoutes } from '../sessions/oidc-routes.ts'
import { type SessionRoutes, sessionRoutes } from '../sessions/routes.ts'
import { settingsRoutes } from '../sessions/settings-routes.ts'
import { SettingsStore } from '../sessions/settings-store.ts'
import { type AdministrationParts, administrationRoutes } from './administration/routes.ts'
import type { ApplicationSettings } from './application.ts'
import type { RecordService } from './record-routes.ts'

interface SystemParts
  extends Omit<SessionRoutes, 'offered'>,
    Omit<AdministrationParts, 'isShared'>,
    Pick<RecordService, 'past'> {
  readonly settings: ApplicationSettings
  /** Whom the tools of agents serve. */
  readonly agents: Identity
  readonly keys: KeyRing
  readonly lifecycle: Lifecycle
  readonly metrics: Metrics
  readonly documents: DeclaredDocuments
}

export function systemRoutes(router: Router, parts: SystemParts): void {
  const { settings, identity, agents, lifecycle, store, metrics } = parts
  const { basePath } = settings
  tokenRoutes(router, basePath, { identity, agents }, parts.keys)
  oauthMetadataRoutes(router, basePath, identity)
  healthRoutes(router, lifecycle, store)
  const gather = settings.gatherMetrics?.(() => metrics.rows())
  metricsRoute(router, identity, async () => (gather ? aggregatedText(await gather()) : metrics.text()))
  describe(router, parts)
  guideRoutes(router, basePath, identity.proxies)
  consoleRoutes(router, basePath)
  sessionRoutes(router, { ...parts, offered: settings.offeredPerson })
  settingsRoutes(router, { ...parts, settings: new SettingsStore(store) })
  issuerSignInRoutes(router, { ...parts, basePath })
  const { database, environment, webhookNetworks } = settings
  administrationRoutes(router, { ...parts, environment, webhookNetworks, isShared: database !== undefined })
  landingRoutes(router, basePath)
}

function describe(router: Router, { settings, documents, companies, past }: SystemParts): void {
  descriptionRoutes(router, settings.basePath, () => ({
    version: documents.version,
    routes: [
      valueHistoryRoute,
      ...odataEndpoints,
      ...declaredEndpoints(documents.records.values(), companies.first),
      ...declaredUploadEndpoints(documents.records.values()),
      ...declaredDocumentEndpoints(documents, past),
    ],
    titled: titledSchemas(documents),
  }))
}

// Which schemas of the API description are those of documents and of their records, so that their members have titles.

type TitledDocument = Pick<DocumentDefinition, 'name' | 'properties'> & Partial<Pick<DocumentDefinition, 'description'>>

/** By the names of the schemas. */
function titledSchemas({ all, records }: DeclaredDocuments): ReadonlyMap<string, TitledDocument> {
  return new Map<string, TitledDocument>([
    ...BUILT_IN,
    ...[...all].map(({ common }) => [schemaTitle(common.name), common] as const),
    ...[...records.values()].map(({ record }) => {
      const { title = '' } = record.schema as { title?: string }
      return [title, record.document] as const
    }),
  ])
}

/** Their titles are found by their names: `CustomersDocument`, and `Customer` as the records are called. */
const BUILT_IN: readonly (readonly [string, TitledDocument])[] = [
  ...Object.keys(DOCUMENT_TITLES).flatMap((name) => {
    const schema = schemaTitle(name)
    return [schema, schema.replace(/s?Document$/, '')].map((one) => [one, { name, properties: {} }] as const)
  }),
  ['AttributeValueBase', { name: 'attribute-values', properties: {} }],
  ['Document', { name: 'document-archive', properties: {} }],
]

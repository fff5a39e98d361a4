// The endpoints of the kinds that every company has.
import { Type } from 'typebox'
import { companyParameter } from '../../http/openapi/parameters.ts'
import type { ApiRequest, RouteTable } from '../../http/route/route.ts'
import { createHandler } from '../engine/create-routes.ts'
import { KindRecords } from '../engine/kind-records.ts'
import type { PastService } from '../shared/past-routes.ts'
import { recordTexts, singleRoutes } from '../shared/record-routes.ts'
import { BUILT_IN_KINDS, type BuiltInKind } from './built-in.ts'

export function builtInRoutes(router: RouteTable, service: PastService): void {
  for (const kind of BUILT_IN_KINDS) routesOf(router, service, kind)
}

function routesOf(router: RouteTable, service: PastService, { common, kindIn, words }: BuiltInKind): void {
  const {
    name,
    version,
    keyNames,
    state,
    words: { record: noun },
  } = common
  const texts = recordTexts({
    name,
    noun,
    schema: common.record.schema,
    key: [
      ...keyNames.map((part) => ({
        name: part,
        in: 'path' as const,
        description: `The ${noun}.`,
        schema: Type.String({ examples: ['100000'] }),
      })),
      companyParameter,
    ],
    summaries: {
      create: `Create a ${noun}`,
      read: `Read one ${noun}`,
      history: `a ${noun}`,
      update: `Change a ${noun}`,
      delete: state
        ? `Close a ${noun}: it stays readable with ${state.path.at(-1)} ${state.closed}`
        : `Remove a ${noun}`,
    },
    ...words,
  })
  const collection = `/v${version}/${name}`
  const kindOf = ({ companyId }: ApiRequest) => kindIn(service.companies.require(companyId))
  router.post(collection, { ...texts.create, handle: (request) => createHandler(service, kindOf(request), request) })
  singleRoutes(router, service, {
    path: [collection, ...keyNames.map((part) => `:${part}`)].join('/'),
    texts,
    typeOf: (request) => new KindRecords(kindOf(request), request.caller, service.own),
    keyOf: ({ params }): readonly string[] => keyNames.map((part) => params[part] ?? ''),
  })
}

// The endpoints of the records of documents of the setup. Which there are, and how many values their keys have, a setup
// decides while the service runs: so one route stands for all addresses with as many parts.
import { noResource } from '../../errors/catalogue.ts'
import type { ApiRequest, Method, PathParams, RouteTable, RouteText } from '../../http/route/route.ts'
import type { RecordRules } from '../../setup/rules/record-rules.ts'
import { createHandler } from '../engine/create-routes.ts'
import { KindRecords } from '../engine/kind-records.ts'
import type { PastService } from '../shared/past-routes.ts'
import { singleRoutes } from '../shared/record-routes.ts'
import type { RecordOperation } from '../shared/record-type.ts'
import { declaredKind } from './declared.ts'

const COLLECTION = '/:version/:name'
/** As many as a key may have. */
const KEY_PARTS = ['first', 'second', 'third', 'fourth', 'fifth'] as const
const HISTORY = 'history'
/** Those of a key, and `history`. */
const PARTS = [...KEY_PARTS, 'last'] as const

export function declaredRoutes(router: RouteTable, service: PastService): void {
  const find = ({ version = '', name = '' }: PathParams) => service.own.findRecord(version, name)
  const kindOf = ({ params, path }: ApiRequest) => declaredKind(requireRules(find, params, path))
  const textOf = (operation: RecordOperation): RouteText => ({
    permit: ({ name = '' }) => `${name}:${operation}`,
    summary: `${operation} a record of the setup's own`,
    parameters: [],
    answers: {},
    requireResource: (params, path) => requireRules(find, params, path),
    methodsAt: (params) => methodsAt(find(params), params),
  })
  const texts = { read: textOf('read'), update: textOf('update'), delete: textOf('delete') }

  router.post(COLLECTION, {
    ...textOf('create'),
    handle: (request) => createHandler(service, kindOf(request), request),
  })
  for (const [at] of PARTS.entries()) {
    singleRoutes(router, service, {
      path: [COLLECTION, ...PARTS.slice(0, at + 1).map((part) => `:${part}`)].join('/'),
      texts,
      typeOf: (request) => new KindRecords(kindOf(request), request.caller, service.own),
      keyOf: (request) => partsOf(kindOf(request), request.params).key,
      historyOf: (request) => {
        const { key, isHistory } = partsOf(kindOf(request), request.params)
        return isHistory ? key : undefined
      },
    })
  }
}

type Find = (params: PathParams) => RecordRules | undefined

function requireRules(find: Find, params: PathParams, path: string): RecordRules {
  const rules = find(params)
  if (!rules || methodsAt(rules, params).length === 0) throw noResource(path)
  return rules
}

interface AddressParts {
  readonly key: readonly string[]
  /** Whether `history` follows the key. */
  readonly isHistory: boolean
}

function partsOf({ keyNames }: RecordRules, params: PathParams): AddressParts {
  const parts = PARTS.flatMap((part) => params[part] ?? [])
  return { key: parts.slice(0, keyNames.length), isHistory: parts.length > keyNames.length }
}

/** The methods that an address takes. */
function methodsAt(rules: RecordRules | undefined, params: PathParams): readonly Method[] {
  if (!rules) return []
  const parts = PARTS.flatMap((part) => params[part] ?? [])
  const more = parts.length - rules.keyNames.length
  if (parts.length === 0) return ['POST']
  if (more === 0) return ['GET', 'HEAD', 'PATCH', 'DELETE']
  return more === 1 && parts.at(-1) === HISTORY ? ['GET', 'HEAD'] : []
}

// The endpoints of customers.
import { Type } from 'typebox'
import { companyParameter } from '../../http/openapi/parameters.ts'
import type { ApiRequest, RouteTable } from '../../http/route/route.ts'
import { Customer } from '../../model/records/customer.ts'
import { createHandler } from '../engine/create-routes.ts'
import { KindRecords } from '../engine/kind-records.ts'
import type { PastService } from '../shared/past-routes.ts'
import { recordTexts, singleRoutes } from '../shared/record-routes.ts'
import { customersOf } from './customers.ts'

const COLLECTION = '/v1/customers'

const texts = recordTexts({
  name: 'customers',
  noun: 'customer',
  schema: Customer.schema,
  key: [
    {
      name: 'customerId',
      in: 'path',
      description: 'The customer.',
      schema: Type.String({ examples: ['100000'] }),
    },
    companyParameter,
  ],
  summaries: {
    create: 'Create a customer',
    read: 'Read one customer',
    history: 'a customer',
    update: 'Change a customer',
    delete: 'Close a customer: it stays readable with status Closed',
  },
  // Spelt differently from the other resources (specification, authentication 4).
  deniedMessage: 'User is not authorized',
})

export function customerRoutes(router: RouteTable, service: PastService): void {
  const kindOf = ({ companyId }: ApiRequest) => customersOf(service.companies.require(companyId))
  router.post(COLLECTION, { ...texts.create, handle: (request) => createHandler(service, kindOf(request), request) })
  singleRoutes(router, service, {
    path: `${COLLECTION}/:customerId`,
    texts,
    typeOf: (request) => new KindRecords(kindOf(request), request.caller, service.own),
    keyOf: ({ params }): readonly string[] => [params.customerId ?? ''],
  })
}

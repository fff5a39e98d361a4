// Questions by the client that odata2ts has made of the metadata. Its types are checked by the compiler.
import type { ODataHttpClient } from '@odata2ts/http-client-api'
import { TabulariumService } from '../made-odata/client/TabulariumService'

export interface Options {
  /** The root of the company's entity sets. */
  readonly root: string
  readonly headers: Readonly<Record<string, string>>
}

export async function session({ root, headers }: Options) {
  const service = new TabulariumService(reader(headers), root)
  const customers = await service.customers().query((builder, customer) =>
    builder
      .select('customerId', 'customerName', 'countryCode_text')
      .filter(customer.countryCode.eq('NO').and(customer.customerName.contains('berg')))
      .orderBy(customer.customerName.desc())
      .expand('contactPoints')
      .top(3)
      .count(),
  )
  const [first] = customers.data.value
  if (!first) throw new Error('no customer was found')
  const one = await service.customers(first.customerId).query((builder) => builder.select('customerId', 'customerName'))
  const items = await service.customers(first.customerId).contactPoints().query()
  const item = await service.customers_contactPoints({ customerId: first.customerId, position: 1 }).query()
  return { customers: customers.data, one: one.data, items: items.data, item: item.data }
}

function reader(headers: Options['headers']): ODataHttpClient {
  const refuse = () => Promise.reject(new Error('the service is read-only'))
  return {
    async get(url) {
      const answer = await fetch(url, { headers })
      const text = await answer.text()
      if (!answer.ok) throw new Error(`${answer.status} ${url}: ${text}`)
      return { status: answer.status, statusText: '', headers: {}, data: JSON.parse(text) }
    },
    post: refuse,
    put: refuse,
    patch: refuse,
    delete: refuse,
  }
}

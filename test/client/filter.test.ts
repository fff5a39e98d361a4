// Filters as templates: what is written into them is read back as it was, whatever it is.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Field, filter } from '#client'
import { fieldAt } from '../../packages/client/src/types/fields.ts'
import { bodyOf, CUSTOMERS, onEachStoreWithCustomers } from '../support/customers.ts'
import { SEED, triesOf } from '../support/reliability-test.ts'

interface Fields {
  readonly customerName: Field<string>
  readonly customerId: Field<string>
  readonly invoice: { readonly creditLimit: Field<number> }
}
const customers = fieldAt('') as unknown as Fields

it('write fields by their paths, and values as literals', () => {
  const inner = filter`${customers.customerName} eq ${"O'Hara"} or ${customers.invoice.creditLimit} gt ${5}`
  expect(String(filter`${inner} and ${customers.customerId} in ${['A', "B'"]}`)).toBe(
    "(customerName eq 'O''Hara' or invoice/creditLimit gt 5) and customerId in ('A','B''')",
  )
  expect(() => filter`${customers.invoice.creditLimit} gt ${Number.NaN}`).toThrow('no number')
})

onEachStoreWithCustomers('A filter of the client', (world) => {
  it('finds a record by any name that it can have, and no other', async () => {
    await world().send({ as: 'integration', method: 'POST', url: CUSTOMERS, body: bodyOf('OTHER') })
    let number = 0
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }), async (name) => {
        number += 1
        const id = `F${number}`
        const body = bodyOf(id, { customerName: `${name}'` })
        const created = await world().send({ as: 'integration', method: 'POST', url: CUSTOMERS, body })
        // Some texts are none that a record may have.
        if (created.status !== 201) return
        const text = String(
          filter`${customers.customerName} eq ${created.json.customerName} and ${customers.customerId} eq ${id}`,
        )
        const query = new URLSearchParams({ $filter: text, $select: 'customerId' })
        const found = await world().send({ as: 'integration', url: `/v1/objects/customers?${query}` })
        expect([found.status, found.text]).toEqual([200, JSON.stringify([{ customerId: id }])])
      }),
      { seed: SEED, numRuns: triesOf({ long: 40, full: 2_000 }) },
    )
  })
})

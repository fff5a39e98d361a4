// POST /v1/customers: specification, customers 2; decision 5.
import { expect, it } from 'vitest'
import { testCreation } from '../support/resources/create.ts'
import { placesOf } from '../support/resources/create-lengths.ts'
import { CUSTOMERS } from '../support/resources/resource.ts'
import { CUSTOMER_LENGTHS } from '../support/text-limits.ts'

testCreation(CUSTOMERS)

it('decision 5: has a place for every maximum length', () => {
  expect([...new Set(placesOf(CUSTOMERS).values()), 'companyId'].sort()).toEqual(Object.keys(CUSTOMER_LENGTHS).sort())
})

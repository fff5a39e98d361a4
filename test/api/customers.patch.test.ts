// PATCH /v1/customers/{customerId}: specification, customers 3; decisions 1, 2 (whole call) and 5.
import { testPatches } from '../support/resources/patch.ts'
import { CUSTOMERS } from '../support/resources/resource.ts'

testPatches(CUSTOMERS)

// GET /v1/customers/{customerId}: specification, customers 1; a customer is a value of the customer attribute: decision
// 5.
import { testReads } from '../support/resources/read.ts'
import { CUSTOMERS } from '../support/resources/resource.ts'

testReads(CUSTOMERS)

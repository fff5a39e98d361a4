// DELETE /v1/customers/{customerId}: specification, customers 4 and "States and transitions"; decision 5.
import { testClosing } from '../support/resources/close.ts'
import { CUSTOMERS } from '../support/resources/resource.ts'

testClosing(CUSTOMERS)

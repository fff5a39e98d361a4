// What holds of customers whatever is done to them (specification, customers 2 and 3; decision 5).
import { testProperties } from '../support/resources/properties.ts'
import { CUSTOMERS } from '../support/resources/resource.ts'

testProperties(CUSTOMERS)

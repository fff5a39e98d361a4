// What holds of suppliers whatever is done to them, as of customers.
import { testProperties } from '../support/resources/properties.ts'
import { SUPPLIERS } from '../support/resources/resource.ts'

testProperties(SUPPLIERS)

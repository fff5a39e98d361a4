// POST of suppliers, declared with the fields of customers: the tests of customers hold of them.
import { testCreation } from '../support/resources/create.ts'
import { SUPPLIERS } from '../support/resources/resource.ts'

testCreation(SUPPLIERS)

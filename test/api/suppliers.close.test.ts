// DELETE of suppliers, declared with the fields of customers: the tests of customers hold of them.
import { testClosing } from '../support/resources/close.ts'
import { SUPPLIERS } from '../support/resources/resource.ts'

testClosing(SUPPLIERS)

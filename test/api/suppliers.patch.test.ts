// PATCH of suppliers, declared with the fields of customers: the tests of customers hold of them.
import { testPatches } from '../support/resources/patch.ts'
import { SUPPLIERS } from '../support/resources/resource.ts'

testPatches(SUPPLIERS)

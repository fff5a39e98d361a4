// GET of suppliers, declared with the fields of customers: the tests of customers hold of them.
import { testReads } from '../support/resources/read.ts'
import { SUPPLIERS } from '../support/resources/resource.ts'

testReads(SUPPLIERS)

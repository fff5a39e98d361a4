// The resources of the service that clients write record by record under `/v1/name`, each in a table of its own. What a
// setup may name, what is backed up, the endpoints, the feed, imports, holds and purges follow from this list.
import type { BuiltInRecord } from '../record-definition.ts'
import { customers } from './customer.ts'

export const BUILT_IN_RECORDS: readonly BuiltInRecord[] = [customers]

export const BUILT_IN_NAMES: readonly string[] = BUILT_IN_RECORDS.map(({ record }) => record.document.name)

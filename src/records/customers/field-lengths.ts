// Maximum text lengths of the fields of a customer (decision 5). The API description and docs/generated/customers.md
// are generated from this table.
import { TEXT_LENGTHS } from '../../model/text-lengths.ts'

const { comment: _comment, description: _description, owner: _owner, title: _title, ...ofCustomers } = TEXT_LENGTHS

export const FIELD_LENGTHS = ofCustomers

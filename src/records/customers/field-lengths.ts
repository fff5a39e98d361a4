// The longest texts that the fields of a customer take (decision 5): the API description and docs/customers.md follow from
// this table.
import { TEXT_LENGTHS } from '../../model/text-lengths.ts'

const { comment: _comment, description: _description, owner: _owner, title: _title, ...ofCustomers } = TEXT_LENGTHS

export const FIELD_LENGTHS = ofCustomers

import type { OwnRecordRules } from '../../setup/rules/own/own-record.ts'
import { type UpsertRequest, upsertRecord } from '../shared/pipeline/upsert-record.ts'
import type { Service } from '../shared/service.ts'
import { createOwnRecord } from './create-own-record.ts'
import { OwnRecordType } from './own-record-type.ts'

/** Creates a record, or updates the members that are given if it exists. */
export function upsertOwnRecord(
  service: Service,
  rules: OwnRecordRules,
  request: UpsertRequest,
): Promise<'written' | 'unchanged'> {
  const kind = {
    type: new OwnRecordType(rules, request.caller, service.own),
    keyNames: rules.keyNames,
    requested: (texts: readonly string[]) => texts,
    create: (created: UpsertRequest) => createOwnRecord(service, rules, created),
  }
  return upsertRecord(service, kind, request)
}

// Mutations of the records of a setup's own documents: what customers keep, suppliers keep.
import type { Mutation } from './mutation.ts'

const CREATE = 'test/api/suppliers.create.test.ts'
const CLOSE = 'test/api/suppliers.close.test.ts'
const RECORDS = 'test/api/own-records.test.ts'
const LINES = 'test/api/lines-patched.test.ts'

export const ownMutations: readonly Mutation[] = [
  {
    name: 'own records: legal values are not checked',
    find: 'else if (field.legalValues) {',
    replace: 'else if (field.legalValues && !findings) {',
    test: [CREATE, 'refuses illegal custom fields, by value list and by attribute'],
  },
  {
    name: 'own records: a range is not checked',
    find: 'else if (isOutOfRange(field, value)) findings.add',
    replace: 'else if (!findings && isOutOfRange(field, value)) findings.add',
    test: [CREATE, 'refuses a custom field below its range'],
  },
  {
    name: 'own records: a value that another record has is not looked for',
    find: 'if (isEmptyValue(type, value) || findings.has(path)) continue',
    replace: 'if (!isEmptyValue(type, value) || findings.has(path)) continue',
    test: [RECORDS, 'refuses a value that another record has'],
  },
  {
    name: 'own records: DELETE removes what the setup closes',
    find: '    if (kind.state) {\n',
    replace: '    if (!kind.state) {\n',
    test: [CLOSE, 'closes with 200 and no content'],
  },
  {
    name: 'own records: a closed record is closed again',
    find: '    if (kind.state && valueAt(stored, kind.state.path) === kind.state.closed) return\n',
    replace: '',
    test: [CLOSE, 'closes a closed customer again with 200, and changes nothing'],
  },
  {
    name: 'lines: a new one is none of its record',
    find: '    await changeOwner(tx, company, kind, created.key)\n',
    replace: '',
    test: [LINES, 'is told once for each request that writes one of its lines by itself'],
  },
  {
    name: 'lines: their change is not named',
    find: 'withLinesChanged(found.body, names)',
    replace: 'found.body',
    test: [LINES, 'is told once, with its lines, when these alone change, and has another tag'],
  },
  {
    name: 'own records: findings in a group that was not sent stand outside of it',
    find: 'throw access.refusal(withGroupsOf(findings, given), findings)',
    replace: 'throw access.refusal(given, findings)',
    test: [CREATE, 'refuses a body without its required fields, naming every one'],
  },
]

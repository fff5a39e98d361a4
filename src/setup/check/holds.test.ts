import { expect, it } from 'vitest'
import { builtInDocuments } from '../../app/setup/built-in-documents.ts'
import { findersIn } from '../../app/setup/setup-task.ts'
import { systemClock } from '../../base/clock.ts'
import { formatProblem, readSetup } from './read-setup.ts'

const { findBuiltIn } = findersIn(builtInDocuments(systemClock))

/** The problems of a company with these holds. */
function problemsOf(holds: string): string[] {
  const text = `version: 1
documents:
  - { name: employees, key: [employeeId], properties: { employeeId: { type: string }, name: { type: string } } }
  - name: notes
    key: [id]
    table: app.notes
    properties: { companyId: { type: string }, id: { type: string } }
companies:
  - id: EN
    name: Example
    holds:
${holds.replace(/^/gm, '      ')}`
  return (readSetup(text, {}, findBuiltIn).problems ?? []).map((problem) => formatProblem('x.yaml', problem))
}

it('takes a hold of everything, of a document, and of what a filter finds', () => {
  const holds = [
    '- { id: A, reason: Audit }',
    '- { id: B, reason: Audit, document: customers }',
    `- { id: C, reason: Audit, document: document-archive, filter: "docType eq 'NOTE'" }`,
    '- { id: D, reason: Audit, document: employees }',
    `- { id: E, reason: Audit, document: employees, filter: "startswith(name, 'H')" }`,
  ]
  expect(problemsOf(holds.join('\n'))).toEqual([])
})

it.each([
  [
    `- { id: A, reason: x, document: customers, filter: contryCode eq 'NO' }`,
    /companies\[0\]\.holds\[0\]\.filter: Unknown property 'contryCode' .*did you mean 'countryCode'/,
  ],
  [`- { id: A, reason: x, filter: id eq '1' }`, /holds\[0\]\.filter: a filter is of a document: the key 'document' is/],
  ['- { id: A, reason: x }\n- { id: A, reason: y }', /holds\[1\]\.id: 'A' is there twice/],
  ['- { id: A }', /holds\[0\]: the key 'reason' is missing/],
  ['- { id: A, reason: x, document: companies }', /holds\[0\]\.document: expected one of .*, employees$/],
  ['- { id: A, reason: x, document: notes }', /holds\[0\]\.document: expected one of/],
  [
    `- { id: A, reason: x, document: employees, filter: nam eq 'x' }`,
    /holds\[0\]\.filter: Unknown property 'nam' .*did you mean 'name'/,
  ],
])('tells where a hold is wrong: %s', (holds, says) => {
  expect(problemsOf(holds)).toEqual([expect.stringMatching(says)])
})

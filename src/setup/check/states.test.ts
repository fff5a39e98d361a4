import { describe, expect, it } from 'vitest'
import { formatProblem, readSetup } from './read-setup.ts'

/** The transitions are in line 10 from column 7 on, the states in line 11. */
const orders = (
  transitions: string,
  states = '{}',
  status = 'type: string, default: draft, legalValues: { valueList: S }',
) =>
  (
    readSetup(
      `version: 1
companies: [{ id: EN, name: Example, valueLists: { S: { draft: D, sent: S, closed: C } } }]
roles: [{ id: clerk, apis: { objects: [read] }, objects: ["*"] }]
documents:
  - name: orders
    key: [orderNo]
    state:
      property: status
      closed: closed
      ${transitions === '' ? '#' : `transitions: ${transitions}`}
      states: ${states}
    properties:
      orderNo: { type: string, maxLength: 10 }
      status: { ${status} }
      group: { group: { a: { type: string } } }
      tags: { list: { tag: { type: string } } }
      amount: { type: decimal }
      double: { computed: amount * 2 }
      other: { reference: orders, key: [group/a] }
      lines: { items: lines, by: [orderNo], with: cascade }
  - name: lines
    key: [orderNo, lineNo]
    properties:
      orderNo: { type: string, maxLength: 10 }
      lineNo: { type: integer }
      order: { reference: orders, key: [orderNo] }
`,
      {},
    ).problems ?? []
  ).map((one) => formatProblem('x', one))

const SEND = '[{ from: draft, to: sent }]'
const S = 'documents[0].state'

describe('the states of a document', () => {
  it('may change along transitions, by roles, with what is filled and locked', () => {
    const all = '[{ from: draft, to: sent, roles: [clerk], title: { EN: Send } }, { from: sent, to: draft }]'
    const states =
      '{ sent: { requires: [amount, group/a, tags, lines], locks: [amount, group, group/a, tags, lines] } }'
    expect(orders(all, states)).toEqual([])
  })

  it.each([
    ['[]', `x:10:20 ${S}.transitions: must not have fewer than`],
    [
      '[{ from: draft, to: gone }]',
      `x:10:40 ${S}.transitions[0].to: 'gone' is no code of the value list S of company EN`,
    ],
    ['[{ from: draft, to: draft }]', `x:10:40 ${S}.transitions[0].to: 'draft' is the state that it leads from`],
    [
      '[{ from: draft, to: sent }, { from: draft, to: sent }]',
      `x:10:48 ${S}.transitions[1]: the transition from 'draft' to 'sent' is there twice`,
    ],
    [
      '[{ from: draft, to: sent, roles: [clark] }]',
      `x:10:54 ${S}.transitions[0].roles[0]: there is no role 'clark'; did you mean 'clerk'?`,
    ],
    ['[{ from: draft, to: sent, by: [clerk] }]', `x:10:46 ${S}.transitions[0].by: unknown key 'by'`],
  ])('have no transitions %s', (transitions, problem) => {
    expect(orders(transitions)[0]?.slice(0, problem.length)).toBe(problem)
  })

  it.each([
    ['{ drift: { locks: [amount] } }', `x:11:17 ${S}.states.drift: no transition leads to or from 'drift'`],
    [
      '{ sent: { requires: [amont] } }',
      `x:11:36 ${S}.states.sent.requires[0]: there is no property 'amont' with a value, and no such list`,
    ],
    ['{ sent: { requires: [status] } }', `x:11:36 ${S}.states.sent.requires[0]: 'status' is the state itself`],
    [
      '{ sent: { requires: [group] } }',
      `x:11:36 ${S}.states.sent.requires[0]: there is no property 'group' with a value, and no such list`,
    ],
    [
      '{ sent: { requires: [double] } }',
      `x:11:36 ${S}.states.sent.requires[0]: there is no property 'double' with a value, and no such list`,
    ],
    ['{ sent: { locks: [status] } }', `x:11:33 ${S}.states.sent.locks[0]: 'status' is the state itself`],
    [
      '{ sent: { locks: [orderNo] } }',
      `x:11:33 ${S}.states.sent.locks[0]: 'orderNo' is of the key, which never changes`,
    ],
    [
      '{ sent: { locks: [double] } }',
      `x:11:33 ${S}.states.sent.locks[0]: 'double' is written by nobody: lock the properties that it is made of`,
    ],
    [
      '{ sent: { locks: [other] } }',
      `x:11:33 ${S}.states.sent.locks[0]: 'other' is written by nobody: lock the properties that it is made of`,
    ],
    ['{ sent: { locks: [nothing] } }', `x:11:33 ${S}.states.sent.locks[0]: there is no property 'nothing'`],
  ])('have no rules %s', (states, problem) => {
    expect(orders(SEND, states)).toEqual([problem])
  })

  it('mean something to people, also without transitions', () => {
    expect(orders('', '{ draft: { means: waiting }, sent: { means: success } }')).toEqual([])
    expect(orders('', '{ lost: { means: failure } }')).toEqual([
      `x:11:17 ${S}.states.lost: 'lost' is no code of the value list S of company EN`,
    ])
    expect(orders('', '{ sent: { locks: [amount] } }')).toEqual([
      `x:11:17 ${S}.states.sent: states have rules where transitions lead to them: name those`,
    ])
    expect(orders(SEND, '{ draft: { means: waiting }, sent: { means: success } }')).toEqual([])
    const [problem] = orders(SEND, '{ sent: { means: good } }')
    expect(problem).toMatch(/^x:11:\d+ documents\[0\]\.state\.states\.sent\.means: /)
  })

  it('begin with a default', () => {
    expect(orders(SEND, '{}', 'type: string')).toEqual([
      `x:8:17 ${S}.property: 'status' has no default, which is the state of a new record`,
    ])
  })
})

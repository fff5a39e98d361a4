import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { isPair, isScalar, type Pair, parseDocument, type Scalar, visit } from 'yaml'
import { firstOf, IS_LONG } from '../../../test/support/reliability-test.ts'
import { type DocumentDefinition, group, list, value } from '../../model/document.ts'
import { compareSetup } from '../apply/compare-setup.ts'
import { printChanges } from '../apply/print-changes.ts'
import type { SetupItem } from '../items/setup-item.ts'
import { itemsOf, rulesFrom } from '../items/setup-items.ts'
import { formatProblem, readSetup } from './read-setup.ts'

const environment = { SECRET: 'a long secret', SHORT: 'short' }
const problemsOf = (text: string) =>
  (readSetup(text, environment).problems ?? []).map((problem) => formatProblem('x.yaml', problem))

/** A company around a part of one. */
const company = (part: string) =>
  `version: 1\ncompanies:\n  - id: EN\n    name: Example\n${part.replace(/^/gm, '    ')}`

describe('a setup that is right', () => {
  it.each(['examples/demo/company.yaml', 'test/fixtures/company.yaml'])('%s is read', (file) => {
    const env = { TEST_CLIENT_SECRET: 'a secret of the tests' }
    expect(readSetup(readFileSync(file, 'utf8'), env).problems ?? []).toEqual([])
  })

  it('keeps codes as they are written before a colon, whatever YAML would make of them', () => {
    const codes = ['0100', '1.10', '0x1F', '1e3', 'yes', 'null', '1_000', '.5', '+7']
    const text = company(
      `attributes: [{ id: C1, name: ONE }]\nattributeValues:\n  C1: { ${codes.map((code) => `${code}: x`).join(', ')} }`,
    )
    const { setup, problems } = readSetup(text, {})
    expect(problems ?? []).toEqual([])
    expect(Object.keys(setup?.companies?.[0]?.attributeValues?.C1 ?? {}).sort()).toEqual(codes.sort())
  })

  it('has each key once, told once, also where YAML tells two spellings apart', () => {
    expect(problemsOf('version: 1\nversion: 1')).toEqual([
      "x.yaml:2:1: the key 'version' is there twice, first in line 1",
    ])
    const codes = company('attributes: [{ id: C1, name: ONE }]\nattributeValues:\n  C1: { 1: x, "1": y }')
    expect(problemsOf(codes)).toEqual([
      expect.stringMatching(/^x\.yaml:7:\d+: the key '1' is there twice, first in line 7$/),
    ])
  })

  it('may leave out everything but the version', () => {
    expect(readSetup('version: 1', {}).setup).toEqual({ version: 1 })
  })

  it('gives the rules of its company, defaults filled in', async () => {
    const { setup } = readSetup(
      company(
        'attributes:\n  - { id: A, name: ALPHA }\n  - { id: B, name: BETA, maintenance: system, values: { type: number, minimum: 1, maximum: 9 } }\nrelations:\n  - { id: R, name: To beta, attributeId: A, relatedAttributeId: B }\nperiods: [{ from: 202001, to: 202013, perYear: 13 }]',
      ),
      {},
    )
    const rules = rulesFrom(await itemsOf(setup ?? { version: 1 }, [], tools)).get('EN')
    expect(rules?.attributes.get('A')).toMatchObject({
      description: '',
      manual: true,
      contactPoints: false,
      numbering: undefined,
    })
    expect(rules?.attributes.get('B')?.manual).toBe(false)
    expect(rules?.linkBetween('A', 'B')).toMatchObject({ id: 'R', group: '', multiple: false })
    expect(rules?.linkBetween('B', 'A')).toBeUndefined()
    expect([0, 209912, 202001, 202013, 202014, 202100, 201912].map((period) => rules?.isLegalPeriod(period))).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
      false,
    ])
    const values: [string, boolean][] = [
      ['1', true],
      ['9', true],
      ['10', false],
      ['0', false],
      ['x', false],
      ['01', false],
      [' 1', false],
      ['1\u0000', false],
      ['.', false],
      ['..', false],
    ]
    for (const [value, isLegal] of values)
      expect([value, rules?.attributes.get('B')?.checkValue(value) === undefined]).toEqual([value, isLegal])
  })
})

const tools = {
  hashSecret: async (secret: string) => `hash of ${secret}`,
  verifySecret: async (secret: string, hash: string) => hash === `hash of ${secret}`,
  environment,
}

describe('a mistake is told with line, column and path', () => {
  it.each([
    ['', 'x.yaml:1:1: the file is empty'],
    [
      'version: 1\ncompanies:\n  - id: 12345678901234567890',
      'x.yaml:3:9: the number 12345678901234567890 would become 12345678901234567000: write a code in quotes',
    ],
    [
      'version: 1\ncompanies:\n  - id: 12345678901234.567',
      'x.yaml:3:9: the number 12345678901234.567 would become 12345678901234.566: write a code in quotes',
    ],
    ['version: 2', 'x.yaml:1:10 version: expected 1'],
    [
      'version: 1\ncompanies:\n  - { id: "..", name: A }',
      "x.yaml:3:11 companies[0].id: The value '..' cannot stand in an address",
    ],
    [
      'version: 1\ncompanies:\n  - { id: A, name: A, attributes: [{ id: ".", name: B }] }',
      "x.yaml:3:42 companies[0].attributes[0].id: The value '.' cannot stand in an address",
    ],
    [
      'version: 1\ncompanies:\n  - { id: A, name: A, attributes: [{ id: B, name: B }], attributeValues: { B: { "..": up } } }',
      "x.yaml:3:81 companies[0].attributeValues.B...: The value '..' cannot stand in an address",
    ],
    [
      'version: 1\nfoo: 1',
      "x.yaml:2:1 foo: unknown key 'foo', expected one of: version, companies, documents, indexes, textIndexes, roles, users, clients, authentication",
    ],
    ['version: 1\ncompanys: []', "x.yaml:2:1 companys: unknown key 'companys'; did you mean 'companies'?"],
    [
      'version: 1\nclients:\n  - { id: a, user: b, administrator: true }',
      "x.yaml:3:23 clients[0].administrator: unknown key 'administrator', expected one of: id, user, secretEnv",
    ],
    ['version: 1\nversion: 1', "x.yaml:2:1: the key 'version' is there twice"],
    ['version: 1\n---\nversion: 1', 'x.yaml:2:1: the file is one YAML document: nothing may follow it'],
    ['version: 1\ncompanies:\n  - id: EN', "x.yaml:3:5 companies[0]: the key 'name' is missing"],
    [
      'version: 1\ncompanies:\n  - { id: 100, name: N }',
      'x.yaml:3:11 companies[0].id: expected a string, found 100: write it in quotes',
    ],
    [
      'version: 1\ncompanies:\n  - { id: EN, name: A }\n  - { id: en, name: B }',
      "x.yaml:4:11 companies[1].id: 'en' is there twice",
    ],
    [
      company('attributes:\n  - { id: A, name: X }\n  - { id: A, name: Y }'),
      "x.yaml:7:15 companies[0].attributes[1].id: 'A' is there twice",
    ],
    [
      company('attributes:\n  - { id: A, name: X, maintenance: auto }'),
      'x.yaml:6:40 companies[0].attributes[0].maintenance: expected one of: manual, system',
    ],
    [
      company('attributes:\n  - { id: A, name: X, owner: { attributeId: B } }'),
      "x.yaml:6:49 companies[0].attributes[0].owner.attributeId: there is no attribute 'B'",
    ],
    [company('attributes:\n  - { id: A, name: X, values: { pattern: "[" } }'), 'the pattern is no regular expression'],
    [company('attributes:\n  - { id: A, name: X, values: { pattern: "(?=a)" } }'), 'the pattern could take very long'],
    [company("attributes:\n  - { id: A, name: X, values: { pattern: '(a)\\1' } }"), 'the pattern could take very long'],
    [
      company('attributes:\n  - { id: A, name: X, values: { pattern: "a{1001}" } }'),
      'the pattern could take very long',
    ],
    [
      company('attributes:\n  - { id: A, name: X, values: { minimum: 9, maximum: 1 } }'),
      'the minimum 9 is greater than the maximum 1',
    ],
    [
      company('attributes:\n  - { id: A, name: X, numbering: { series: S, from: 9, to: 1 } }'),
      'the series begins at 9, after its end 1',
    ],
    [
      company(
        'attributes:\n  - { id: A, name: X, values: { maxLength: 2 }, numbering: { series: S, from: 1, to: 999 } }',
      ),
      'the series gives an illegal value',
    ],
    [
      company('relations:\n  - { id: R, name: X, attributeId: A, relatedAttributeId: B }'),
      "companies[0].relations[0].attributeId: there is no attribute 'A'",
    ],
    [
      company('periods:\n  - { from: 202101, to: 202001 }'),
      'x.yaml:6:17 companies[0].periods[0].from: the period 202101 is after 202001',
    ],
    [
      company('periods:\n  - { from: 202101, to: 202113 }'),
      '202113 is no period: expected yyyypp with pp from 01 to 12',
    ],
    [
      company('attributes: [{ id: A, name: X, values: { pattern: "[A-Z]" } }]\nattributeValues:\n  A: { ab: Two }'),
      'x.yaml:7:12 companies[0].attributeValues.A.ab:',
    ],
    [company('attributeValues:\n  Z: { a: b }'), "there is no attribute 'Z'"],
    [company('customers: { attributeId: Q }'), "companies[0].customers.attributeId: there is no attribute 'Q'"],
    [
      company('attributes: [{ id: A, name: X }]\ncustomers: { attributeId: A, mandatoryRelations: [R] }'),
      "there is no relation 'R'",
    ],
    [
      company('attributes: [{ id: A, name: X }]\ncustomers: { attributeId: A, legalValues: { countryCode: {} } }'),
      'expected either valueList or attributeId',
    ],
    [
      company(
        'attributes: [{ id: A, name: X }]\ncustomers: { attributeId: A, legalValues: { countryCode: { valueList: L } } }',
      ),
      "there is no value list 'L'",
    ],
    [
      company('documentTypes:\n  - { id: D, indexes: [{ sequenceNo: 1, name: I, attributeId: Q }] }'),
      "there is no attribute 'Q'",
    ],
    [
      'version: 1\nroles: [{ id: r, apis: { attribute-values: [write] } }]',
      'roles[0].apis.attribute-values[0]: expected one of: create, read, update, delete',
    ],
    ['version: 1\nroles: [{ id: r, objects: [nothing] }]', "there is no Enterprise Document 'nothing'"],
    ['version: 1\nusers: [{ id: u, defaultCompany: EN }]', "users[0].defaultCompany: there is no company 'EN'"],
    ['version: 1\nclients: [{ id: c, user: u, secretEnv: SECRET }]', "clients[0].user: there is no user 'u'"],
    ['version: 1\nclients: [{ id: c, user: u }]', 'clients[0]: expected either secretEnv or secretHash'],
    ['version: 1\nclients: [{ id: c, user: u, secretEnv: UNSET }]', 'the environment variable UNSET is not set'],
    ['version: 1\nclients: [{ id: c, user: u, secretEnv: SHORT }]', 'the secret in SHORT is shorter than 8 characters'],
    ['version: 1\nclients: [{ id: c, user: u, secretHash: plain }]', 'expected scrypt$N$r$p$salt$hash'],
    [
      'version: 1\nclients: [{ id: c, user: u, secretEnv: SECRET, secrets: [{ env: SECRET }] }]',
      'or a list of secrets',
    ],
    ['version: 1\nclients: [{ id: c, user: u, secrets: [] }]', 'clients[0].secrets: must not have fewer than 1 items'],
    [
      `version: 1\nclients: [{ id: c, user: u, secrets: [${Array(100).fill('{ env: SECRET }').join()}] }]`,
      'clients[0].secrets: must not have more than 2 items',
    ],
    ['version: 1\nclients: [{ id: c, user: u, secrets: [{ until: 2026-12-31 }] }]', 'expected either env or hash'],
    [
      'version: 1\nclients: [{ id: c, user: u, secrets: [{ env: SECRET, until: 2026-02-30 }] }]',
      'clients[0].secrets[0].until: expected a date and time such as',
    ],
    [
      'version: 1\nclients: [{ id: c, user: u, secrets: [{ env: SECRET, until: 2026 }] }]',
      'found 2026: write it in quotes',
    ],
    [
      'version: 1\nclients: [{ id: c, user: u, secrets: [{ env: SECRET }, { env: SECRET }] }]',
      'clients[0].secrets: the same secret is there twice',
    ],
    [
      'version: 1\nclients: [{ id: c, user: u, secretEnv: SECRET, disabled: "no" }]',
      'clients[0].disabled: expected boolean',
    ],
    [
      'version: 1\nclients: [{ id: c, user: u, secretHash: "scrypt$16383$8$1$c2FsdA==$AAAA" }]',
      'it must be a power of two',
    ],
    [
      'version: 1\ndocuments: [{ name: customers, key: [a], properties: { a: { type: string } } }]',
      "'customers' is built in",
    ],
    [
      'version: 1\ndocuments: [{ name: own, key: [b], properties: { a: { type: string } } }]',
      "there is no property 'b'",
    ],
    [
      'version: 1\nauthentication: { issuers: [{ issuer: i, audience: a, keySet: "https://x", algorithms: [HS256] }] }',
      'authentication.issuers[0].algorithms[0]: expected one of: RS256',
    ],
    [
      'version: 1\nauthentication: { issuers: [{ issuer: i, audience: a, keySet: "https://x", algorithms: [ES256], companies: [EN] }] }',
      "authentication.issuers[0].companies[0]: there is no company 'EN'",
    ],
    [
      'version: 1\nauthentication: { issuers: [{ issuer: i, audience: a, mcpAudience: a, keySet: "https://x", algorithms: [ES256] }] }',
      'authentication.issuers[0].mcpAudience: a token must not open both the records and the tools of agents: another audience is expected',
    ],
    [
      company('valueLists: { L: { A: [1] } }'),
      'x.yaml:5:27 companies[0].valueLists.L.A: expected one of: string, object',
    ],
    [
      company('valueLists: { L: { A: { EN: 5 } } }'),
      'valueLists.L.A.EN: expected a string, found 5: write it in quotes',
    ],
    [
      company('valueLists: { L: { title: T, descripton: D, codes: { A: a } } }'),
      "valueLists.L.descripton: unknown key 'descripton'; did you mean 'description'?",
    ],
    [
      company('valueLists: { L: { title: T, codes: { A: 7 } } }'),
      'companies[0].valueLists.L.codes.A: expected one of: string, object',
    ],
    [company('valueLists: { L: none }'), 'valueLists.L: expected one of: {title, description, codes}, object'],
    ['version: 1\nusers: [{ id: u, defaultCompany: EN, issuer: i }]', "users[0].issuer: there is no issuer 'i'"],
    ['version: 1\ncompanies: [{ id: "EN ", name: x }]', 'companies[0].id: an id must not begin or end with a blank'],
    ['companies: [', 'x.yaml:'],
    ['version: 1\n\tx: 1', 'x.yaml:'],
  ])('%j', (text, expected) => {
    expect(problemsOf(text).join('\n')).toContain(expected)
  })

  it('and all of them at once, in the order of the text', () => {
    const problems = problemsOf(
      company('attributes:\n  - { id: A, name: X, colour: red }\n  - { id: 7, name: Y }\nperiods: no'),
    )
    expect(problems).toHaveLength(3)
    expect(problems.map((problem) => Number(problem.split(':')[1]))).toEqual([6, 7, 8])
  })
})

describe('many mistakes', () => {
  it('are all told', () => {
    const attributes = Array.from({ length: 50 }, (_, index) => `  - { id: A${index}, name: N${index}, colour: red }`)
    expect(problemsOf(company(`attributes:\n${attributes.join('\n')}`))).toHaveLength(50)
  })
})

describe('a hostile file gets a problem, soon', () => {
  const laughs = `version: 1\na: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghij'.replace(/./g, (letter, index: number) => `${letter}: &${letter} [${Array(9).fill(`*${'abcdefghi'[index]}`).join()}]\n`)}`
  it.each([
    ['aliases that mean billions', laughs],
    ['brackets 10,000 deep', `version: 1\ncompanies: ${'['.repeat(10_000)}${']'.repeat(10_000)}`],
    ['lists 10,000 deep by indentation', `${'- '.repeat(10_000)}x`],
    [
      'maps 10,000 deep by indentation',
      Array.from({ length: 10_000 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n'),
    ],
    ['no text at all', '\u0000\u0001\u0002'],
  ])('%s', (_name, text) => {
    expect(problemsOf(text).length).toBeGreaterThan(0)
  })
})

describe('comparing', () => {
  const item = (id: string, definition: object, companyId = 'EN'): SetupItem => ({
    companyId,
    kind: 'attribute',
    id,
    definition,
  })

  it('tells what is new, changed, the same and kept', () => {
    const stored = [
      item('A', { id: 'A', name: 'Old', x: { a: 1, b: 2 } }),
      item('B', { id: 'B' }),
      item('C', { id: 'C' }),
      item('Z', {}, 'SV'),
    ]
    const wanted = [
      item('A', { id: 'A', name: 'New', x: { b: 2, a: 1 } }),
      item('B', { id: 'B' }),
      item('D', { id: 'D' }),
    ]
    const changes = compareSetup(stored, wanted)
    expect(changes.map((change) => [change.kind, change.item.id, change.members])).toEqual([
      ['changed', 'A', ['name']],
      ['unchanged', 'B', []],
      ['created', 'D', []],
      ['kept', 'C', []],
    ])
    const text = printChanges(changes, [{ companyId: 'EN', attributeId: 'A', created: 2, changed: 1 }])
    expect(text.split('\n')).toEqual([
      '~ attribute EN/A: name "Old" -> "New"',
      '+ attribute EN/D',
      '= attribute EN/C (not in the file: kept)',
      '+ 2 attribute values of EN/A',
      '~ 1 description of EN/A',
      '1 created, 1 changed, 1 unchanged, 1 kept though not in the file; attribute values: 2 created, 1 changed',
    ])
  })

  it('keeps the hash of a secret that is still right, and never prints one', async () => {
    const { setup } = readSetup(
      'version: 1\ncompanies: [{ id: EN, name: N }]\nusers: [{ id: u, defaultCompany: EN }]\nclients: [{ id: c, user: u, secretEnv: SECRET }]',
      environment,
    )
    const first = await itemsOf(setup ?? { version: 1 }, [], tools)
    expect(
      compareSetup(first, await itemsOf(setup ?? { version: 1 }, first, tools)).every(
        (change) => change.kind === 'unchanged',
      ),
    ).toBe(true)
    const other = await itemsOf(setup ?? { version: 1 }, first, { ...tools, environment: { SECRET: 'another secret' } })
    const text = printChanges(compareSetup(first, other), [])
    expect(text).toContain('~ client c: secret\n')
    expect(text).not.toContain('another')
  })
})

describe('the rules of roles', () => {
  const builtIn: DocumentDefinition = {
    name: 'customers',
    version: 1,
    description: '',
    table: 't',
    companyColumn: 'c',
    joins: {},
    key: ['customerId'],
    properties: {
      customerId: value('string', 'customer_id'),
      countryCode: value('string', 'country_code'),
      payment: group({ bankAccount: value('string', 'bank_account') }),
      contactPoints: list({ place: value('string', { path: ['place'] }) }, { json: 'contact_points' }),
    },
  }
  /** Only one company has the property. */
  const own = { ...builtIn, properties: { ...builtIn.properties, tier: value('string', 'tier') } }
  const setupWith = (rules: string, users = '') =>
    `version: 1\ncompanies: [{ id: EN, name: One }, { id: SV, name: Other }]\nroles:\n  - id: sales\n    rules:\n${rules.replace(/^/gm, '      ')}\n${users}`
  const problemsWith = (rules: string, users?: string) =>
    (
      readSetup(setupWith(rules, users), environment, (name, { id }) =>
        name === 'customers' ? (id === 'EN' ? own : builtIn) : undefined,
      ).problems ?? []
    ).map((problem) => formatProblem('x.yaml', problem))

  it.each([
    ['customers: { filter: "countryCode eq \'NO\'", hidden: [countryCode] }'],
    ['customers: { hidden: [Payment, payment/bankAccount, contactPoints] }'],
    ['customers: { filter: "contactPoints/any(c: c/place ne \'\')" }'],
    ['customers: {}'],
    ['attributes: { filter: "x eq 1" }'],
  ])('may say %s', (rules) => {
    expect(problemsWith(rules)).toEqual([])
  })

  it.each([
    [
      'custmers: { hidden: [a] }',
      "x.yaml:6:17 roles[0].rules.custmers: there is no Enterprise Document 'custmers'; did you mean 'customers'?",
    ],
    [
      'customers:\n  filter: "contryCode eq \'NO\'"',
      "x.yaml:7:17 roles[0].rules.customers.filter: Unknown property 'contryCode' at position 0 of $filter; did you mean 'countryCode'?",
    ],
    [
      'customers: { filter: "countryCode eq" }',
      'x.yaml:6:28 roles[0].rules.customers.filter: Syntax error at position 14',
    ],
    ['customers: { filter: "" }', 'x.yaml:6:28 roles[0].rules.customers.filter: must not have fewer than 1 characters'],
    [
      'customers: { hidden: [paymnt] }',
      "x.yaml:6:29 roles[0].rules.customers.hidden[0]: customers has no property 'paymnt'; did you mean 'payment'?",
    ],
    [
      'customers: { hidden: [countryCode, payment/bankAcount] }',
      "x.yaml:6:42 roles[0].rules.customers.hidden[1]: payment has no property 'bankAcount'; did you mean 'bankAccount'?",
    ],
    [
      'customers: { hidden: [CustomerId] }',
      "x.yaml:6:29 roles[0].rules.customers.hidden[0]: 'CustomerId' is a part of the key of customers, which cannot be hidden",
    ],
    [
      'customers: { hidden: [contactPoints/place] }',
      "x.yaml:6:29 roles[0].rules.customers.hidden[0]: nothing inside 'contactPoints' can be hidden by itself: hide it whole",
    ],
    [
      'customers: { hidden: [tier] }',
      "x.yaml:6:29 roles[0].rules.customers.hidden[0]: customers has no property 'tier'",
    ],
    [
      'customers: { filtr: "countryCode eq \'NO\'" }',
      "x.yaml:6:20 roles[0].rules.customers.filtr: unknown key 'filtr'; did you mean 'filter'?",
    ],
  ])('%s is refused with its place', (rules, message) => {
    expect(problemsWith(rules)).toEqual([expect.stringContaining(message)])
  })

  it('are held against the companies where the role is given', () => {
    const givenIn = (company: string) =>
      `users: [{ id: u, defaultCompany: ${company}, roles: { ${company}: [sales] } }]`
    expect(problemsWith('customers: { hidden: [tier] }', givenIn('EN'))).toEqual([])
    expect(problemsWith('customers: { hidden: [tier] }', givenIn('SV'))).toHaveLength(1)
  })

  it("are held against the setup's own documents", () => {
    const documents =
      'documents: [{ name: jobs, key: [companyId, jobId], properties: { companyId: { type: string }, jobId: { type: integer }, note: { type: string } } }]'
    expect(problemsWith("jobs: { filter: 'jobId gt 5', hidden: [note, lastUpdated] }", documents)).toEqual([])
    expect(problemsWith('jobs: { filter: "jobId gt \'x\'" }', documents)).toHaveLength(1)
  })
})

describe('indexes', () => {
  const builtIn: DocumentDefinition = {
    name: 'customers',
    version: 1,
    description: '',
    table: 'customer',
    companyColumn: 'company_id',
    joins: {},
    key: ['companyId', 'customerId'],
    properties: {
      companyId: value('string', 'company_id'),
      customerId: value('string', 'customer_id'),
      groupName: value('string', { table: 'g', column: 'name' }),
      tier: value('string', { json: 'custom_fields', path: ['tier'] }),
      payment: group({ bankAccount: value('string', 'bank_account') }),
      contactPoints: list({ place: value('string', { path: ['place'] }) }, { json: 'contact_points' }),
    },
  }
  const DOCUMENT = `version: 1
documents:
  - name: jobs
    key: [companyId, jobId, lineNo]
    properties:
      companyId: { type: string }
      jobId: { type: string }
      lineNo: { type: integer }
      status: { type: string }
      plan: { group: { startDate: { type: date-time } } }
`
  const problemsIn = (text: string) =>
    (
      readSetup(
        text,
        environment,
        () => undefined,
        (name) => (name === 'customers' ? builtIn : undefined),
      ).problems ?? []
    ).map((problem) => formatProblem('x.yaml', problem))

  it.each([
    [`${DOCUMENT}    indexes: [[status], [status, plan/startDate], [lineNo], [status, lineNo]]`],
    [`${DOCUMENT}indexes: { customers: [[payment/bankAccount]] }`],
    ['version: 1\nindexes: { customers: [] }'],
    [`${DOCUMENT}    textIndexes: [status, jobId]\ntextIndexes: { customers: [payment/bankAccount] }`],
  ])('may be %#', (text) => {
    expect(problemsIn(text)).toEqual([])
  })

  it.each([
    [
      `${DOCUMENT}    indexes: [[status], [plan/startDat]]`,
      "x.yaml:11:26 documents[0].indexes[1][0]: plan has no property 'startDat'; did you mean 'startDate'?",
    ],
    [
      `${DOCUMENT}    indexes: [[plan]]`,
      "x.yaml:11:16 documents[0].indexes[0][0]: 'plan' is a group: name one of startDate",
    ],
    [`${DOCUMENT}    indexes: [[status/x]]`, "'status' is no group: nothing is inside it"],
    [
      `${DOCUMENT}    indexes: [[companyId, status]]`,
      "x.yaml:11:16 documents[0].indexes[0][0]: 'companyId' stands first in every index: leave it out",
    ],
    [`${DOCUMENT}    indexes: [[status, status]]`, "x.yaml:11:24 documents[0].indexes[0][1]: 'status' is there twice"],
    [
      `${DOCUMENT}    indexes: [[status], [lineNo], [status]]`,
      'x.yaml:11:35 documents[0].indexes[2]: [status] is there twice',
    ],
    [
      `${DOCUMENT}    indexes: [[status], [status, jobId, lineNo]]`,
      'x.yaml:11:25 documents[0].indexes[1]: [status, jobId, lineNo] is there twice',
    ],
    [
      `${DOCUMENT}    indexes: [[jobId]]`,
      'x.yaml:11:15 documents[0].indexes[0]: [jobId] is the beginning of the key, which is an index already',
    ],
    [
      `${DOCUMENT}    table: erp.job\n    indexes: [[status]]`,
      "x.yaml:12:5 documents[0].indexes: erp.job is not the service's own table: its owner alone can give it an index",
    ],
    [
      `${DOCUMENT}indexes: { jobs: [[status]] }`,
      "x.yaml:11:12 indexes.jobs: 'jobs' is a document of this setup: its indexes stand with it, under documents",
    ],
    [
      'version: 1\nindexes: { custmers: [[a]] }',
      "indexes.custmers: there is no built-in Enterprise Document 'custmers'; did you mean 'customers'?",
    ],
    [
      'version: 1\nindexes:\n  customers: [[groupName], [tier], [contactPoints]]',
      "x.yaml:3:16 indexes.customers[0][0]: 'groupName' is kept in another table: no index can be on it",
    ],
    [
      'version: 1\nindexes:\n  customers: [[tier]]',
      "indexes.customers[0][0]: 'tier' is kept inside a text of JSON: no index can be on it",
    ],
    [
      `${DOCUMENT}    textIndexes: [status, lineNo]`,
      "x.yaml:11:27 documents[0].textIndexes[1]: 'lineNo' is no text, but integer",
    ],
    [
      `${DOCUMENT}    textIndexes: [status, status]`,
      "x.yaml:11:27 documents[0].textIndexes[1]: 'status' is there twice",
    ],
    [
      'version: 1\ntextIndexes:\n  customers: [tier]',
      "x.yaml:3:15 textIndexes.customers[0]: 'tier' is kept inside a text of JSON: no index can be on it",
    ],
    [
      'version: 1\ntextIndexes: { custmers: [a] }',
      "textIndexes.custmers: there is no built-in Enterprise Document 'custmers'; did you mean 'customers'?",
    ],
    ['version: 1\nindexes: { customers: [[]] }', 'indexes.customers[0]: must not have fewer than 1 items'],
    [
      `version: 1\nindexes: { customers: [${'[a], '.repeat(11)}] }`,
      'indexes.customers: must not have more than 10 items',
    ],
    [
      'version: 1\nindexes: { customers: [[a, b, c, d, e, f]] }',
      'indexes.customers[0]: must not have more than 5 items',
    ],
  ])('%#: what is wrong is told with its place', (text, message) => {
    expect(problemsIn(text)[0]).toContain(message)
  })
})

describe('mistakes of every kind', () => {
  const FAULTY = `version: 1
companies:
  - id: EN
    name: One
    attribtues:
      - { id: C1, name: CENTRE, maintenence: manual }
      - { id: C2, name: PROJECT, maintenance: sometimes }
      - { id: C3, name: THIRD, owner: { attributeId: C9 } }
    relations:
      - { id: R1, name: To project, attributeId: C1, relatedAttributeId: C2 }
      - { id: R2, name: To nobody, attributeId: C1, relatedAttributeId: C8 }
    periods:
      - { from: 202013, to: soon }
    attributeValues:
      C1: { "1": x, "1": y }
      C7: { a: b }
    customers:
      attributeId: C1
      customFieldGroups: [{ name: G, fields: [{ name: f, type: text }] }]
  - { id: EN, name: 7 }
documents:
  - { name: orders, key: [number], properties: { order: { type: string } }, indexes: [[nothing]] }
  - { name: lines, key: [line], properties: { line: { type: string } }, indexes: [[nothing]] }
  - { name: parts, key: [part], properties: { part: { type: string } } }
indexes: { customers: [[nowhere]] }
roles:
  - { id: sales, objects: [oders], rules: { customers: { filter: "x eq" }, parts: { hidden: [nothing] } } }
users:
  - { defaultCompany: EN, roles: { XX: [sales] } }
clients:
  - { id: c, user: whoever, secretEnv: UNSET }
`

  it('are told in one round, in the order of the text, and nothing that only follows from them', () => {
    expect(problemsOf(FAULTY)).toEqual([
      "x.yaml:5:5 companies[0].attribtues: unknown key 'attribtues'; did you mean 'attributes'?",
      "x.yaml:6:33 companies[0].attributes[0].maintenence: unknown key 'maintenence'; did you mean 'maintenance'?",
      'x.yaml:7:47 companies[0].attributes[1].maintenance: expected one of: manual, system',
      "x.yaml:8:54 companies[0].attributes[2].owner.attributeId: there is no attribute 'C9'; did you mean 'C1'?",
      "x.yaml:11:73 companies[0].relations[1].relatedAttributeId: there is no attribute 'C8'; did you mean 'C1'?",
      'x.yaml:13:17 companies[0].periods[0].from: 202013 is no period: expected yyyypp with pp from 01 to 12',
      'x.yaml:13:29 companies[0].periods[0].to: expected integer, found string',
      "x.yaml:15:21: the key '1' is there twice, first in line 15",
      "x.yaml:16:11 companies[0].attributeValues.C7: there is no attribute 'C7'; did you mean 'C1'?",
      'x.yaml:19:64 companies[0].customers.customFieldGroups[0].fields[0].type: expected one of: string, integer, number, boolean, date-time',
      "x.yaml:20:11 companies[1].id: 'EN' is there twice",
      'x.yaml:20:21 companies[1].name: expected a string, found 7: write it in quotes',
      "x.yaml:22:27 documents[0].key[0]: there is no property 'number'",
      "x.yaml:23:84 documents[1].indexes[0][0]: lines has no property 'nothing'",
      "x.yaml:27:28 roles[0].objects[0]: there is no Enterprise Document 'oders'; did you mean 'orders'?",
      'x.yaml:27:66 roles[0].rules.customers.filter: Syntax error at position 4: expected a value, found the end ($filter)',
      "x.yaml:27:94 roles[0].rules.parts.hidden[0]: parts has no property 'nothing'",
      "x.yaml:29:5 users[0]: the key 'id' is missing",
      "x.yaml:29:40 users[0].roles.XX: there is no company 'XX'",
      'x.yaml:31:40 clients[0].secretEnv: the environment variable UNSET is not set',
    ])
  })

  it.each(firstOf(BROKEN))('are told one by one of %s, and no other', (file) => {
    const text = readFileSync(file, 'utf8')
    const told: string[] = []
    for (const [what, broken] of mutantsOf(text)) {
      const { problems = [] } = readSetup(broken, { TEST_CLIENT_SECRET: 'a secret of the tests' })
      // Any text is a valid code.
      const isCode = what.startsWith('misspelled') && !problems.some(({ message }) => message.startsWith('unknown key'))
      // With two mistakes at once the type is a second problem, unless it is that of a secret.
      const most = what.startsWith('misspelled and') ? 2 : 1
      if (!isCode && (problems.length === 0 || problems.length > most))
        told.push(`${what}: ${problems.map((one) => formatProblem('x', one)).join(' | ')}`)
    }
    expect(told).toEqual([])
  })
})

const BROKEN = ['company', 'objects', 'customers', 'own-documents'].map((name) => `test/fixtures/${name}.yaml`)
/** Members at the same place of different lists are alike, such as the ids of all attributes: so many are tried. */
const ALIKE = IS_LONG ? 2 : 1

/** The text with one member misspelled, of another type, or both. */
function* mutantsOf(text: string): Generator<readonly [what: string, text: string]> {
  const pairs: { pair: Pair; path: string }[] = []
  const alike = new Map<string, number>()
  const document = parseDocument(text)
  visit(document, {
    Pair: (_key, pair, above) => {
      const place = [...above.filter(isPair), pair].map(({ key }) => String(key)).join('.')
      const count = (alike.get(place) ?? 0) + 1
      alike.set(place, count)
      if (count <= ALIKE) pairs.push({ pair, path: String(pair.key) })
    },
  })
  for (const { pair, path } of pairs) {
    const { key, value } = pair
    pair.value = isScalar(value) ? document.createNode([1]) : document.createNode(7)
    yield [`another type of ${path}`, String(document)]
    pair.value = value
    ;(key as Scalar).value = `${path}x`
    yield [`misspelled ${path}`, String(document)]
    pair.value = isScalar(value) ? document.createNode({ x: 1 }) : document.createNode(7)
    yield [`misspelled and of another type: ${path}`, String(document)]
    pair.value = value
    ;(key as Scalar).value = path
  }
}

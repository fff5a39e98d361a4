import { expect, it } from 'vitest'
import { builtInDocuments } from '../../app/setup/built-in-documents.ts'
import { findersIn } from '../../app/setup/setup-task.ts'
import { systemClock } from '../../base/clock.ts'
import { setupWebhooks } from '../../subscriptions/setup-webhooks.ts'
import { formatProblem, readSetup } from './read-setup.ts'

const { findBuiltIn, findCommon } = findersIn(builtInDocuments(systemClock))
const webhooks = setupWebhooks(['attribute-values', 'customers', 'document-revisions'], ['loopback'])
const SECRET = 'a'.repeat(32)
const environment = { KEY: `whsec_${SECRET}`, SEED: `whsk_${'A'.repeat(43)}=`, PLAIN: SECRET, SHORT: 'whsec_c2hvcnQ=' }

const REST = `documents:
  - { name: orders, key: [id], properties: { id: { type: string } } }
  - { name: foreign, table: erp.x, key: [id], properties: { id: { type: string }, companyId: { type: string } } }
users: [{ id: u, defaultCompany: EN }]
clients: [{ id: shop, user: u, secretHash: "scrypt$1024$8$1$c2FsdA==$aGFzaA==" }]
`

/** The problems of a company with these subscriptions, the first of which is in line 6. */
function problemsOf(subscriptions: string): string[] {
  const list = subscriptions.replace(/^/gm, '      ')
  const company = `version: 1\ncompanies:\n  - id: EN\n    name: Example\n    subscriptions:\n${list}\n`
  const { problems = [] } = readSetup(company + REST, environment, findBuiltIn, findCommon, webhooks)
  return problems.map((problem) => formatProblem('x.yaml', problem))
}

const subscription = (rest = '', secret = 'KEY') =>
  `- { id: a, client: shop, url: "https://hooks.example.com/", secretEnv: ${secret}${rest} }`

it('takes subscriptions of all kinds', () => {
  const list = [
    subscription(),
    subscription(', signature: ed25519', 'SEED').replace('id: a', 'id: B.2'),
    subscription(', entities: [orders, document-revisions], payload: full, batch: true').replace('id: a', 'id: c'),
    subscription(`, entities: [customers], filter: "countryCode eq 'NO'", select: customerId`).replace('a,', 'd_1,'),
    subscription(', name: At home').replace('https://hooks.example.com/', 'http://localhost:80/').replace('a,', 'e,'),
  ]
  expect(problemsOf(list.join('\n'))).toEqual([])
})

const AT = String.raw`^x\.yaml:6:\d+ companies\[0\]\.subscriptions\[0\]`

it.each([
  [subscription().replace('shop', 'shp'), `\\.client: there is no client 'shp'; did you mean 'shop'`],
  [subscription().replace('hooks.example.com', '10.0.0.1'), '\\.url: it cannot be used: the address is not public'],
  [subscription().replace('https', 'http'), '\\.url: it cannot be used: a URL with https is expected'],
  [
    subscription(', entities: [custumers]'),
    `\\.entities\\[0\\]: there is no entity 'custumers'; did you mean 'customers'`,
  ],
  [subscription(', entities: [foreign]'), `\\.entities\\[0\\]: there is no entity 'foreign'`],
  [subscription(', selct: id'), `\\.selct: unknown key 'selct'; did you mean 'select'`, 2],
  [subscription(', retry: 3'), `\\.retry: unknown key 'retry', expected one of: id, name, client, url`],
  [subscription(', filter: id eq 1'), `\\.filter: a filter is of entities: the key 'entities' is missing`],
  [subscription(', entities: [customers], filter: contryCode eq 1'), `\\.filter: Unknown property 'contryCode'`],
  [subscription(', payload: thick'), '\\.payload: expected one of: thin, full'],
  [subscription().replace('id: a', 'id: "a/b"'), '\\.id: must match pattern'],
  [subscription('', 'NOWHERE'), '\\.secretEnv: the environment variable NOWHERE is not set'],
  [subscription('', 'PLAIN'), '\\.secretEnv: the secret in PLAIN is none of hmac: expected whsec_ and 24 to 64 bytes'],
  [subscription('', 'SHORT'), '\\.secretEnv: the secret in SHORT is none of hmac'],
  [subscription('', 'SEED'), '\\.secretEnv: the secret in SEED is none of hmac'],
  [subscription(', signature: ed25519'), '\\.secretEnv: the secret in KEY is none of ed25519: expected whsk_'],
  [subscription('', `whsec_${SECRET}`), '\\.secretEnv: expected the name of an environment variable'],
  [subscription('', `"whsec_${SECRET}="`), '\\.secretEnv: must match pattern'],
  [subscription().replace(', secretEnv: KEY', ''), `: the key 'secretEnv' is missing`],
])('tells where a subscription is wrong: %s', (text, says, count = 1) => {
  const problems = problemsOf(text)
  expect(problems).toHaveLength(count)
  expect(problems[0]).toMatch(new RegExp(AT + says))
  expect(problems.join()).not.toContain(SECRET)
})

it('takes each id once, and at most 100', () => {
  expect(problemsOf(`${subscription()}\n${subscription()}`)).toEqual([
    expect.stringMatching(/^x\.yaml:7:\d+ companies\[0\]\.subscriptions\[1\]\.id: 'a' is there twice/),
  ])
  const many = Array.from({ length: 101 }, (_, at) => subscription().replace('id: a', `id: a${at}`))
  expect(problemsOf(many.join('\n'))).toEqual([
    expect.stringMatching(/^x\.yaml:6:\d+ companies\[0\]\.subscriptions: must not have more than 100 items/),
  ])
})

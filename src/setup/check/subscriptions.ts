// Checks the webhooks that companies declare. No message repeats a secret.

import type { CompanySetup, Setup, SubscriptionSetup } from '../file/setup-schema.ts'
import type { SetupPath, YamlSource } from '../file/yaml-source.ts'
import { rulesOfCompany } from '../items/setup-items.ts'
import type { WebhookRules } from '../rules/webhooks.ts'
import { checkReference, checkUnique } from './check.ts'
import { type FindDocument, problemOfFilter, SCHEMA_PARTS } from './role-restrictions.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** What the subscriptions of one company may refer to. */
interface Known {
  readonly clients: ReadonlySet<string>
  readonly entities: ReadonlySet<string>
  find(document: string): ReturnType<FindDocument>
}

/** Without rules of webhooks, the URL, the entities and the form of the secret are not checked. */
export function checkSubscriptions(
  setup: Setup,
  source: YamlSource,
  environment: Environment,
  findBuiltIn: FindDocument,
  rules?: WebhookRules,
): void {
  const clients = new Set((setup.clients ?? []).map(({ id }) => id))
  // The service tells nothing of tables that others write.
  const own = (setup.documents ?? []).filter(({ table }) => table === undefined).map(({ name }) => name)
  const entities = new Set([...(rules?.entities ?? []), ...own])
  for (const [index, company] of (setup.companies ?? []).entries()) {
    const path = ['companies', index, 'subscriptions']
    checkUnique(source, path, company.subscriptions, ({ id }) => id, 'id')
    const isSound = SCHEMA_PARTS.every((part) => source.isValid(['companies', index, ...part]))
    const known = {
      clients,
      entities,
      find: (name: string) => (isSound ? findIn(company, findBuiltIn, name) : undefined),
    }
    for (const [at, subscription] of (company.subscriptions ?? []).entries()) {
      checkSubscription(subscription, [...path, at], source, known, rules)
      checkSecret(subscription, [...path, at, 'secretEnv'], source, environment, rules)
    }
  }
}

function findIn(company: CompanySetup, findBuiltIn: FindDocument, name: string): ReturnType<FindDocument> {
  return findBuiltIn(name, rulesOfCompany(company))
}

function checkSubscription(
  { client, url, entities = [], filter, select }: SubscriptionSetup,
  path: SetupPath,
  source: YamlSource,
  known: Known,
  rules: WebhookRules | undefined,
): void {
  checkReference(source, [...path, 'client'], 'client', client, known.clients)
  const refusal = source.isValid([...path, 'url']) ? rules?.refusalOf(url) : undefined
  if (refusal !== undefined) source.add([...path, 'url'], `it cannot be used: ${refusal}`)
  if (rules) {
    for (const [at, name] of entities.entries())
      checkReference(source, [...path, 'entities', at], 'entity', name, known.entities)
  }
  for (const [member, text] of Object.entries({ filter, select })) {
    if (text !== undefined && entities.length === 0)
      source.add([...path, member], `a ${member} is of entities: the key 'entities' is missing`)
  }
  if (filter === undefined || !source.isValid([...path, 'filter'])) return
  const problems = entities.map((name) => problemOfFilter(filter, known.find(name)))
  const problem = problems.find((one) => one !== undefined)
  if (problem !== undefined) source.add([...path, 'filter'], problem)
}

const KEY_FORMS = { hmac: 'whsec_ and 24 to 64 bytes in base64', ed25519: 'whsk_ and 32 or 64 bytes in base64' }

function checkSecret(
  { secretEnv, signature = 'hmac' }: SubscriptionSetup,
  path: SetupPath,
  source: YamlSource,
  environment: Environment,
  rules: WebhookRules | undefined,
): void {
  if (!source.isValid(path)) return
  if (/^wh(sec|sk)_/.test(secretEnv)) {
    source.add(path, 'expected the name of an environment variable that holds the secret, not the secret')
    return
  }
  const secret = environment[secretEnv]
  if (!secret) source.add(path, `the environment variable ${secretEnv} is not set`)
  else if (rules && !rules.isSigningKey(signature, secret))
    source.add(path, `the secret in ${secretEnv} is none of ${signature}: expected ${KEY_FORMS[signature]}`)
}

// Checks the webhooks that companies declare. No message repeats a secret.

import type { Setup, SubscriptionSetup } from '../file/setup-schema.ts'
import type { SetupPart, YamlSource } from '../file/yaml-source.ts'
import type { WebhookRules } from '../rules/webhooks.ts'
import { checkReference, checkUnique } from './check.ts'
import { type FindDocument, findOf, problemOfFilter } from './role-restrictions.ts'

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
    const place = source.at('companies', index, 'subscriptions')
    checkUnique(place, company.subscriptions, 'id')
    const known = { clients, entities, find: findOf(company, source.at('companies', index), findBuiltIn) }
    for (const [at, subscription] of (company.subscriptions ?? []).entries()) {
      checkSubscription(subscription, place.at(at), known, rules)
      checkSecret(subscription, place.at(at, 'secretEnv'), environment, rules)
    }
  }
}

function checkSubscription(
  { client, url, entities = [], filter, select }: SubscriptionSetup,
  place: SetupPart,
  known: Known,
  rules: WebhookRules | undefined,
): void {
  checkReference(place.at('client'), 'client', client, known.clients)
  const refusal = place.at('url').isValid ? rules?.refusalOf(url) : undefined
  if (refusal !== undefined) place.at('url').add(`it cannot be used: ${refusal}`)
  if (rules) {
    for (const [at, name] of entities.entries())
      checkReference(place.at('entities', at), 'entity', name, known.entities)
  }
  for (const [member, text] of Object.entries({ filter, select })) {
    if (text !== undefined && entities.length === 0)
      place.at(member).add(`a ${member} is of entities: the key 'entities' is missing`)
  }
  if (filter === undefined || !place.at('filter').isValid) return
  const problems = entities.map((name) => problemOfFilter(filter, known.find(name)))
  const problem = problems.find((one) => one !== undefined)
  if (problem !== undefined) place.at('filter').add(problem)
}

const KEY_FORMS = { hmac: 'whsec_ and 24 to 64 bytes in base64', ed25519: 'whsk_ and 32 or 64 bytes in base64' }

function checkSecret(
  { secretEnv, signature = 'hmac' }: SubscriptionSetup,
  place: SetupPart,
  environment: Environment,
  rules: WebhookRules | undefined,
): void {
  if (!place.isValid) return
  if (/^wh(sec|sk)_/.test(secretEnv)) {
    place.add('expected the name of an environment variable that holds the secret, not the secret')
    return
  }
  const secret = environment[secretEnv]
  if (!secret) place.add(`the environment variable ${secretEnv} is not set`)
  else if (rules && !rules.isSigningKey(signature, secret))
    place.add(`the secret in ${secretEnv} is none of ${signature}: expected ${KEY_FORMS[signature]}`)
}

// Builds the AsyncAPI 3.0 description: the feed of changes and the webhooks, with the shape of every message.

import { CHANGES_OPTIONS } from '../../changes/serving/describe.ts'
import { NamedSchemas } from '../../http/openapi/named-schemas.ts'
import { type Message, messagesOf } from './messages.ts'
import type { DescribedKind } from './records.ts'

export interface AsyncApiSettings {
  readonly version: string
  readonly basePath: string
}

const HTTP_BINDING = '0.3.0'

export function asyncApiOf(kinds: readonly DescribedKind[], { version, basePath }: AsyncApiSettings): object {
  const schemas = new NamedSchemas()
  const { feed, webhooks } = messagesOf(kinds, schemas)
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Tabularium',
      version,
      description:
        'What the service tells of changes: a feed that is read by HTTP, and webhooks. Everything else that it answers is in `/openapi.json`.',
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    defaultContentType: 'application/json',
    servers: serversOf(basePath),
    channels: {
      changes: { ...FEED, messages: references(feed) },
      webhooks: { ...WEBHOOKS, messages: references(webhooks) },
    },
    operations: { readChanges: READ_CHANGES, deliverWebhook: DELIVER_WEBHOOK },
    components: {
      messages: Object.fromEntries([...feed, ...webhooks].map((message) => [message.name, message])),
      schemas: schemas.sorted(),
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'A token of `POST /oauth/token`, or of an issuer that the setup trusts.',
        },
        basic: { type: 'http', scheme: 'basic', description: 'The id and secret of a client.' },
      },
    },
  }
}

function serversOf(basePath: string): object {
  return {
    service: {
      host: '{host}',
      pathname: basePath || '/',
      protocol: 'https',
      description: 'The service that this was read from.',
      variables: { host: { default: 'localhost:8080', description: 'Its name, and the port if it is not 443.' } },
      security: [{ $ref: '#/components/securitySchemes/bearer' }, { $ref: '#/components/securitySchemes/basic' }],
    },
    receiver: {
      host: '{receiver}',
      protocol: 'https',
      description: 'The address of a subscription.',
      variables: { receiver: { default: 'example.com', description: 'The host in the url of the subscription.' } },
    },
  }
}

const FEED = {
  address: '/v1/changes',
  title: 'The changes of a company, in the order of the commits',
  description:
    'By `Accept`: text/event-stream (Server-Sent Events), an event `change` with the cursor as its id and a message as its data; or application/x-ndjson, a message a line between the first line, which names what is covered, and the last, which names the cursor.',
  servers: [{ $ref: '#/servers/service' }],
}

/** Without an address: each subscription names its own. */
const WEBHOOKS = {
  title: 'Deliveries to the address of a subscription',
  description:
    'POST of an event, or of a batch. 2xx accepts it; anything else is tried again, 410 pauses the subscription. Events of one record come in their order, each at least once.',
  servers: [{ $ref: '#/servers/receiver' }],
}

const READ_CHANGES = {
  action: 'send',
  channel: { $ref: '#/channels/changes' },
  summary: 'Read the changes of a company',
  bindings: { http: { method: 'GET', query: queryOfFeed(), bindingVersion: HTTP_BINDING } },
}

const DELIVER_WEBHOOK = {
  action: 'send',
  channel: { $ref: '#/channels/webhooks' },
  summary: 'Deliver what a subscription asks for',
  bindings: { http: { method: 'POST', bindingVersion: HTTP_BINDING } },
}

function queryOfFeed(): object {
  const options = CHANGES_OPTIONS.filter((option) => option.in === 'query')
  const properties = options.map(({ name, description, schema }) => [name, { description, ...schema }])
  return { type: 'object', required: ['since'], properties: Object.fromEntries(properties) }
}

function references(messages: readonly Message[]): Record<string, object> {
  return Object.fromEntries(messages.map(({ name }) => [name, { $ref: `#/components/messages/${name}` }]))
}

// The service's own endpoints, for the description: they are of no resource and need no permission.

const json = (schema: object) => ({ content: { 'application/json': { schema } } })
const status = { type: 'object', properties: { status: { type: 'string' } }, required: ['status'] }

const oauthError = {
  type: 'object',
  properties: { error: { type: 'string' }, error_description: { type: 'string' }, message: { type: 'string' } },
  required: ['error', 'error_description', 'message'],
}

export const systemPaths: Readonly<Record<string, { [method: string]: unknown }>> = {
  '/oauth/token': {
    post: {
      operationId: 'postOauthToken',
      summary: 'Get an access token (client credentials)',
      tags: ['access'],
      security: [{ basic: [] }, {}],
      requestBody: {
        required: true,
        content: {
          'application/x-www-form-urlencoded': {
            schema: {
              type: 'object',
              properties: {
                grant_type: { const: 'client_credentials' },
                client_id: { type: 'string', description: 'Here or by HTTP Basic.' },
                client_secret: { type: 'string' },
              },
              required: ['grant_type'],
            },
          },
        },
      },
      responses: {
        200: {
          description: 'A token, for an hour.',
          ...json({
            type: 'object',
            properties: {
              access_token: { type: 'string' },
              token_type: { const: 'Bearer' },
              expires_in: { type: 'integer', description: 'Seconds.' },
              scope: { type: 'string' },
            },
            required: ['access_token', 'token_type', 'expires_in', 'scope'],
          }),
        },
        400: { description: 'The form is wrong.', ...json(oauthError) },
        401: { description: 'The client id or secret is wrong.', ...json(oauthError) },
      },
    },
  },
  '/.well-known/jwks.json': {
    get: {
      operationId: 'getKeySet',
      summary: 'The public keys that verify access tokens',
      tags: ['access'],
      security: [],
      responses: {
        200: {
          description: 'A JWK set.',
          ...json({
            type: 'object',
            properties: { keys: { type: 'array', items: { type: 'object' } } },
            required: ['keys'],
          }),
        },
      },
    },
  },
  '/health/live': {
    get: {
      operationId: 'getHealthLive',
      summary: 'Whether the process answers',
      tags: ['health'],
      security: [],
      responses: { 200: { description: 'It does.', ...json(status) } },
    },
  },
  '/health/ready': {
    get: {
      operationId: 'getHealthReady',
      summary: 'Whether the service should be sent requests',
      tags: ['health'],
      security: [],
      responses: {
        200: { description: 'It should.', ...json(status) },
        503: { description: 'It is stopping, or the store does not answer.', ...json(status) },
      },
    },
  },
  '/openapi.json': {
    get: {
      operationId: 'getOpenApi',
      summary: 'This description',
      tags: ['description'],
      security: [],
      responses: { 200: { description: 'OpenAPI 3.1.', ...json({ type: 'object' }) } },
    },
  },
}

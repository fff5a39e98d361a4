// The headers by which a receiver knows that a webhook is ours: Standard Webhooks 1.0.
import { createHmac, createPrivateKey, sign } from 'node:crypto'

/** A key of HMAC-SHA256, or of Ed25519 as PKCS #8; both in base64. */
export type SecretKey =
  | { readonly kind: 'hmac'; readonly secret: string }
  | { readonly kind: 'ed25519'; readonly privateKey: string }

/** What is signed. */
export interface SignedMessage {
  /** The same in each attempt, so that a receiver knows what it has already. */
  readonly id: string
  /** The time of the attempt. */
  readonly at: Date
  readonly body: string
}

/** The headers of a message, signed with each of the keys: while one replaces another, receivers may hold either. */
export function signedHeaders({ id, at, body }: SignedMessage, keys: readonly SecretKey[]): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const content = Buffer.from(`${id}.${timestamp}.${body}`)
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': keys.map((key) => signature(key, content)).join(' '),
  }
}

function signature(key: SecretKey, content: Buffer): string {
  if (key.kind === 'hmac') {
    return `v1,${createHmac('sha256', Buffer.from(key.secret, 'base64')).update(content).digest('base64')}`
  }
  const der = Buffer.from(key.privateKey, 'base64')
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  return `v1a,${sign(null, content, privateKey).toString('base64')}`
}

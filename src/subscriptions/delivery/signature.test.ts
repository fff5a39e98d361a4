import { createPublicKey, generateKeyPairSync, randomBytes, verify } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { signedHeaders } from './send-events.ts'

const message = { id: 'EN-12', at: new Date(), body: '{"a":"\u00fc"}' }
const hmac = () => ({ kind: 'hmac', secret: randomBytes(32).toString('base64') }) as const

function keyPair() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const der = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64')
  return { key: { kind: 'ed25519', privateKey: der } as const, publicKey }
}

describe('the signature of a webhook', () => {
  it('is verified by the package standardwebhooks', () => {
    const key = hmac()
    const headers = signedHeaders(message, [key])
    expect(headers['webhook-id']).toBe('EN-12')
    expect(new Webhook(`whsec_${key.secret}`).verify(message.body, headers)).toEqual({ a: '\u00fc' })
    expect(() => new Webhook(`whsec_${key.secret}`).verify('{"a":"u"}', headers)).toThrow('No matching signature')
    expect(() => new Webhook(`whsec_${hmac().secret}`).verify(message.body, headers)).toThrow('No matching signature')
  })

  it('has the time of the attempt, in seconds', () => {
    const headers = signedHeaders({ ...message, at: new Date(1_674_087_231_999) }, [hmac()])
    expect(headers['webhook-timestamp']).toBe('1674087231')
  })

  it('is that of the specification for a known secret', () => {
    const secret = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
    const at = new Date(1_614_265_330_000)
    const headers = signedHeaders({ id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', at, body: '{"test": 2432232314}' }, [
      { kind: 'hmac', secret },
    ])
    expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
  })

  it('is made with every key while one replaces another', () => {
    const [current, previous] = [hmac(), hmac()]
    const headers = signedHeaders(message, [current, previous])
    expect(headers['webhook-signature']?.split(' ')).toHaveLength(2)
    for (const { secret } of [current, previous]) {
      expect(new Webhook(`whsec_${secret}`).verify(message.body, headers)).toEqual({ a: '\u00fc' })
    }
  })

  it('is one of Ed25519 over the same content', () => {
    const { key, publicKey } = keyPair()
    const headers = signedHeaders(message, [key])
    const [version, signature = ''] = headers['webhook-signature']?.split(',') ?? []
    expect(version).toBe('v1a')
    const content = Buffer.from(`EN-12.${headers['webhook-timestamp']}.${message.body}`)
    // As a receiver does that knows the 32 bytes of whpk_ alone.
    const point = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64url')
    const known = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: point }, format: 'jwk' })
    expect(verify(null, content, known, Buffer.from(signature, 'base64'))).toBe(true)
    expect(verify(null, Buffer.concat([content, content]), known, Buffer.from(signature, 'base64'))).toBe(false)
  })
})

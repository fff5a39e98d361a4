// Forged token headers: the algorithm, the source of the key, and the type.
import { generateKeyPairSync } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import {
  encoded,
  type Forgery,
  type Json,
  type Signer,
  signatureOf,
  signedTexts,
  signedToken,
  tokenWith,
} from './signer.ts'

const NONES = ['none', 'None', 'NONE', 'nOnE', 'none ', '', 'null', null, 0, [], ['none'], undefined]
const OTHER_ALGORITHMS = [
  ...['ES384', 'ES512', 'ES256K', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'EdDSA', 'Ed25519', 'RS1'],
  ...['dir', 'RSA-OAEP', 'ECDH-ES', 'A256GCM', 'es256', 'rs256', 'ES256 ', '__proto__'],
]
const KEY_IDS: readonly unknown[] = [
  ...[
    '../../../etc/passwd',
    '/dev/null',
    'keys.json',
    'file:///dev/null',
    'http://127.0.0.1:1/keys',
    '\u0000',
    '\r\nx: y',
  ],
  ...["' OR '1'='1", "x'; drop table company; --", '$(id)', '__proto__', 'constructor', 'toString', '', ' ', '0', '*'],
  ...['k'.repeat(5_000), 'k'.repeat(10_000), null, 0, 1e9, true, [], {}, [''], { kid: 'x' }],
]
const EXTENSIONS: readonly Json[] = [
  ...[['b64'], ['exp'], ['nope'], [], 'b64', null, [1], ['b64', 'b64'], ['crit']].map((crit) => ({ crit, b64: true })),
  ...[{ b64: false }, { crit: ['b64'], b64: false }, { b64: 'false' }, { zip: 'DEF' }, { zip: 'GZIP' }, { zip: null }],
]
const TYPES = [
  ...['id+jwt', 'logout+jwt', 'dpop+jwt', 'secevent+jwt', 'vc+jwt', 'JWS', 'JOSE', '', ' ', 'at+jwt ', 'text/at+jwt'],
  ...['at-jwt', 'jwt,at+jwt', null, 0, true, {}, ['at+jwt'], 'application/', 'application/application/at+jwt'],
]
/** The types that access tokens of trusted issuers may have; the service's own tokens may not. */
const FOREIGN_TYPES_ONLY = ['JWT', 'jwt', 'application/jwt', undefined]

export function headerForgeries(signer: Signer, strangerAddress: string): Forgery[] {
  return [
    ...unsigned(signer),
    ...signedWithPublicKey(signer),
    ...underOtherAlgorithms(signer),
    ...withKeysOfTheirOwn(signer, strangerAddress),
    ...underOtherKeyIds(signer),
    ...EXTENSIONS.map((header) => forged(`extension ${JSON.stringify(header)}`, signedToken(signer, { header }))),
    forged('deflated claims', signedTexts(signer, headerText(signer, { zip: 'DEF' }), deflated(signer))),
    forged('claims that are not encoded', notEncoded(signer)),
    ...typesOf(signer).map((typ) => forged(`typ ${JSON.stringify(typ)}`, signedToken(signer, { header: { typ } }))),
  ]
}

const forged = (name: string, token: string): Forgery => ({ name, token })
const headerText = ({ header }: Signer, more: Json) => JSON.stringify({ ...header, ...more })
const deflated = ({ claims }: Signer) => deflateRawSync(JSON.stringify(claims))
const typesOf = ({ header }: Signer) => (header.typ === 'at+jwt' ? [...TYPES, ...FOREIGN_TYPES_ONLY] : TYPES)

function notEncoded(signer: Signer): string {
  const header = encoded(headerText(signer, { crit: ['b64'], b64: false }))
  const claims = JSON.stringify(signer.claims)
  return `${header}.${claims}.${encoded(signatureOf(signer.algorithm, signer.privateKey, `${header}.${claims}`))}`
}

/** `none` in every spelling, without a signature and with that of another token. */
function unsigned(signer: Signer): Forgery[] {
  return NONES.flatMap((alg) => {
    const header = { ...signer.header, alg }
    const [signed = ''] = signedToken(signer, { header }).split(/\.(?=[^.]*$)/)
    const [good = ''] = signedToken(signer).split('.').slice(-1)
    const name = `alg ${JSON.stringify(alg)}`
    return [
      forged(name, `${signed}.`),
      forged(`${name}, no third part`, signed),
      forged(`${name}, signed`, `${signed}.${good}`),
    ]
  })
}

/** The public key is known to all: used as an HMAC secret, anyone could sign with it. */
function signedWithPublicKey(signer: Signer): Forgery[] {
  const { publicKey } = signer
  const jwk = publicKey.export({ format: 'jwk' })
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const der = publicKey.export({ type: 'spki', format: 'der' })
  const secrets: Readonly<Record<string, Buffer>> = {
    PEM: Buffer.from(pem),
    'PEM without its end': Buffer.from(pem.trim()),
    'PEM with CR': Buffer.from(pem.replaceAll('\n', '\r\n')),
    'lines of PEM': Buffer.from(pem.split('\n').slice(1, -2).join('')),
    DER: der,
    JWK: Buffer.from(JSON.stringify(jwk)),
    'published JWK': Buffer.from(JSON.stringify({ ...jwk, kid: signer.header.kid, alg: signer.algorithm, use: 'sig' })),
    'key set': Buffer.from(JSON.stringify({ keys: [jwk] })),
    'first number': Buffer.from(String(jwk.x ?? jwk.n), 'base64url'),
    'first number, encoded': Buffer.from(String(jwk.x ?? jwk.n)),
    'key id': Buffer.from(String(signer.header.kid)),
    nothing: Buffer.alloc(0),
    zeros: Buffer.alloc(32),
    ...Object.fromEntries(
      [pem, der, JSON.stringify(jwk)].map((key, at) => [`prefix ${at}`, Buffer.from(key as string).subarray(0, 64)]),
    ),
  }
  return Object.entries(secrets).flatMap(([what, secret]) =>
    ['HS256', 'HS384', 'HS512'].map((alg) => {
      const header = { ...signer.header, alg }
      return forged(
        `${alg} with the public key: ${what}`,
        tokenWith(header, signer.claims, (part) => signatureOf(alg, secret, part)),
      )
    }),
  )
}

/** Signed with the right key under an algorithm that was not agreed on; with another kind of signature where it can. */
function underOtherAlgorithms(signer: Signer): Forgery[] {
  const others = [...OTHER_ALGORITHMS, signer.algorithm === 'ES256' ? 'RS256' : 'ES256']
  const renamed = others.map((alg) => forged(`called ${alg}`, signedToken(signer, { header: { alg } })))
  const possible = signer.algorithm === 'ES256' ? [] : ['RS384', 'RS512', 'PS256', 'PS384', 'PS512']
  const made = possible.map((alg) => {
    const header = { ...signer.header, alg }
    return forged(
      `made as ${alg}`,
      tokenWith(header, signer.claims, (part) => signatureOf(alg, signer.privateKey, part)),
    )
  })
  return [...renamed, ...made]
}

/** The forger's own key, in the header or at an address that the header names. */
function withKeysOfTheirOwn({ header, claims }: Signer, strangerAddress: string): Forgery[] {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'stranger', alg: 'ES256', use: 'sig' }
  const certificate = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
  const ways: readonly Json[] = [
    {},
    { jwk },
    { jwk: { ...jwk, kid: header.kid } },
    { jku: `${strangerAddress}/jku` },
    { x5u: `${strangerAddress}/x5u` },
    { x5c: [certificate] },
    { x5t: 'AAAA', 'x5t#S256': 'AAAA' },
    { jku: 'file:///etc/passwd' },
    { jwk, jku: `${strangerAddress}/jku`, x5u: `${strangerAddress}/x5u`, x5c: [certificate] },
  ]
  return ways.flatMap((way) =>
    [header.kid, 'stranger', `${strangerAddress}/kid`, undefined].map((kid) => {
      const own = { ...header, alg: 'ES256', kid, ...way }
      return forged(
        `a key of their own: ${Object.keys(way)}, kid ${String(kid).slice(0, 12)}`,
        tokenWith(own, claims, (part) => signatureOf('ES256', privateKey, part)),
      )
    }),
  )
}

/** A wrong key id; also signed with an empty file, to which a key id may lead as a path. */
function underOtherKeyIds(signer: Signer): Forgery[] {
  return KEY_IDS.flatMap((kid) => {
    const name = `kid ${JSON.stringify(kid).slice(0, 30)}`
    const header = { ...signer.header, alg: 'HS256', kid }
    const empty = tokenWith(header, signer.claims, (part) => signatureOf('HS256', Buffer.alloc(0), part))
    return [forged(name, signedToken(signer, { header: { kid } })), forged(`${name}, no key`, empty)]
  })
}

// Forged token texts: the signature, the encoding, the length.
import { generateKeyPairSync, sign } from 'node:crypto'
import { encoded, type Forgery, type Signer, signatureOf, signedToken } from './signer.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
/** The order of P-256. */
const ORDER = Buffer.from('ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551', 'hex')

export function textForgeries(signer: Signer): Forgery[] {
  return [...signatures(signer), ...spellings(signer), ...idleBits(signer), ...cut(signer), ...tooLong(signer)]
}

function signatures(signer: Signer): Forgery[] {
  const [header, claims, good = ''] = signedToken(signer).split('.')
  const signedPart = `${header}.${claims}`
  const right = Buffer.from(good, 'base64url')
  const signatureOfOther = signedToken(signer, { claims: { jti: 'other' } }).split('.')[2] ?? ''
  const made = [...numbersOf(right), ...ofOtherKeys(signer, signedPart), Buffer.from(signatureOfOther, 'base64url')]
  return made.map((bytes, at) => ({ name: `signature ${at}`, token: `${signedPart}.${encoded(bytes)}` }))
}

/** Numbers that verify anything where an implementation does not check that they are in range. */
function numbersOf(right: Buffer): Buffer[] {
  const half = right.length / 2
  const zero = Buffer.alloc(half)
  const one = Buffer.concat([Buffer.alloc(half - 1), Buffer.of(1)])
  const order = half === ORDER.length ? ORDER : Buffer.alloc(half, 0xff)
  const pairs = [zero, one, order].flatMap((r) => [zero, one, order].map((s) => Buffer.concat([r, s])))
  const [first, second] = [right.subarray(0, half), right.subarray(half)]
  return [
    ...pairs,
    ...[Buffer.concat([first, zero]), Buffer.concat([zero, second]), Buffer.concat([second, first])],
    ...[
      right.subarray(1),
      right.subarray(0, -1),
      Buffer.concat([right, Buffer.of(0)]),
      Buffer.concat([Buffer.of(0), right]),
    ],
    ...[
      Buffer.concat([right, right]),
      Buffer.from(right).reverse(),
      Buffer.alloc(right.length, 0xff),
      Buffer.of(0),
      Buffer.of(1),
    ],
  ]
}

/** Signatures with another curve, key size, hash or form. */
function ofOtherKeys(signer: Signer, signedPart: string): Buffer[] {
  const curves = ['P-256', 'P-384', 'P-521', 'secp256k1'].map((namedCurve) => generateKeyPairSync('ec', { namedCurve }))
  const small = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey
  const inDer = (key: Signer['privateKey'], hash: string) => sign(hash, Buffer.from(signedPart), key)
  return [
    ...curves.flatMap(({ privateKey }) => [signatureOf('ES256', privateKey, signedPart), inDer(privateKey, 'sha256')]),
    signatureOf('RS256', small, signedPart),
    signatureOf('EdDSA', generateKeyPairSync('ed25519').privateKey, signedPart),
    ...(signer.algorithm === 'ES256' ? [inDer(signer.privateKey, 'sha256')] : []),
    ...['sha1', 'sha384', 'sha512'].map((hash) => inDer(signer.privateKey, hash)),
    signatureOf(signer.algorithm, signer.privateKey, `${signedPart}.`),
    signatureOf(signer.algorithm, signer.privateKey, signedPart.split('.').reverse().join('.')),
  ]
}

/** The same bytes in other encodings, and more or fewer parts. */
function spellings(signer: Signer): Forgery[] {
  const good = signedToken(signer)
  const [header = '', claims = '', signature = ''] = good.split('.')
  const parts = [header, claims, signature]
  const eachPart = (change: (part: string) => string) => parts.map((part, at) => parts.with(at, change(part)).join('.'))
  const changed = [
    ...['=', '==', '===', ' ', '\t', '\n', '\u0000', '\u00a0', '%3D', 'A', '-', '+', '/'].flatMap((more) =>
      eachPart((part) => part + more),
    ),
    ...eachPart((part) => `${part.slice(0, 9)} ${part.slice(9)}`),
    ...eachPart((part) => `${part.slice(0, 9)}\r\n ${part.slice(9)}`),
    ...eachPart((part) => encoded(part)),
    ...eachPart((part) => part.toLowerCase()),
    ...eachPart((part) => `${part.slice(0, 9)}\u0441${part.slice(10)}`),
    ...eachPart(() => ''),
    ...eachPart((part) => `${part}.`),
    ...[
      `.${good}`,
      `..${good}`,
      `${good}.${good}`,
      `${good}..`,
      `${good} ${good}`,
      `${good},${good}`,
      `${good};${good}`,
    ],
    ...[`"${good}"`, `<${good}>`, `Bearer ${good}`, `token=${good}`, `${good}\u0000`, `\ufeff${good}`, encoded(good)],
    ...[`${header}.${claims}.${signature}.${claims}.${signature}`, '.', '..', '...', '....', '', ' ', 'nonsense'],
    ...[JSON.stringify({ protected: header, payload: claims, signature }), encodeURIComponent(`${good}.`)],
    JSON.stringify({ payload: claims, signatures: [{ protected: header, signature }] }),
    ...(/[-_]/.test(good) ? [good.replaceAll('-', '+').replaceAll('_', '/')] : []),
  ]
  return changed.map((token, at) => ({ name: `spelling ${at} ${token.slice(0, 20)}`, token }))
}

/** The last character of a part may have unused bits: all spellings but one are rejected. */
function idleBits(signer: Signer): Forgery[] {
  const parts = signedToken(signer).split('.')
  return parts.flatMap((part, at) => {
    const idle = { 2: 4, 3: 2 }[part.length % 4] ?? 0
    const last = ALPHABET.indexOf(part.at(-1) ?? '')
    return Array.from({ length: 2 ** idle - 1 }, (_, bits) => ({
      name: `idle bits ${bits + 1} of part ${at}`,
      token: parts.with(at, part.slice(0, -1) + ALPHABET[last + bits + 1]).join('.'),
    }))
  })
}

function cut(signer: Signer): Forgery[] {
  const good = signedToken(signer)
  const ends = Array.from({ length: 24 }, (_, at) => Math.floor((good.length * (at + 1)) / 25))
  return [...ends, good.length - 1, good.length - 2].flatMap((end) => [
    { name: `first ${end}`, token: good.slice(0, end) },
    { name: `last ${end}`, token: good.slice(-end) },
  ])
}

function tooLong(signer: Signer): Forgery[] {
  const sizes = [8 * 1024, 16 * 1024, 64 * 1024]
  return sizes.flatMap((size) => [
    { name: `${size} bytes of padding`, token: signedToken(signer, { claims: { padding: 'x'.repeat(size) } }) },
    { name: `${size} dots`, token: '.'.repeat(size) },
    { name: `${size} characters`, token: 'A'.repeat(size) },
  ])
}

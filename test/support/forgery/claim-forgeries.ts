// Forged claims in a token that is signed by the right key: subject, audience, times, and JSON that two parsers would
// interpret differently.
import { type Forgery, type Json, type Signer, signedTexts, signedToken, textWithTwo } from './signer.ts'

/** Number literals that are no valid date; the placeholder texts of the claims are replaced by them. */
const NO_NUMBERS = ['1e400', '-1e400', '1E999', '01', '+1', '1.', '.5', '0x10', 'NaN', 'Infinity']
const NO_DATES: readonly unknown[] = ['', '0', 'tomorrow', '2099-01-01T00:00:00Z', null, true, false, [], [1], {}]
const NO_OBJECTS = [
  ...['', ' ', 'null', '[]', '"x"', '1', 'true', '{', '{}}', '{},', '{"a":1,}', "{'a':1}", '{a:1}', '/**/{}', '{}{}'],
  ...[
    `${'['.repeat(4_000)}${']'.repeat(4_000)}`,
    `{"a":${'['.repeat(1_500)}1${']'.repeat(1_500)}}`,
    '{"__proto__":{}}',
  ],
]

export function claimForgeries(signer: Signer): Forgery[] {
  const withClaims = (name: string, claims: Json): Forgery => ({ name, token: signedToken(signer, { claims }) })
  return [
    ...namesFor(String(signer.claims.iss)).map((iss) => withClaims(`iss ${JSON.stringify(iss)}`, { iss })),
    ...namesFor(String(signer.claims.aud)).map((aud) => withClaims(`aud ${JSON.stringify(aud)}`, { aud })),
    ...times(signer).map(([name, claims]) => withClaims(name, claims)),
    ...numbers(signer),
    ...ids(String(signer.claims[signer.idClaim])).map((id) =>
      withClaims(`${signer.idClaim} ${JSON.stringify(id)}`, { [signer.idClaim]: id }),
    ),
    ...twice(signer),
    ...noObjects(signer),
  ]
}

/** Variations of a name, and values that are not one name. */
function namesFor(name: string): unknown[] {
  const nearly = [
    `${name}/`,
    `${name} `,
    ` ${name}`,
    name.toUpperCase(),
    name.slice(0, -1),
    `${name}\u0000`,
    `${name}#`,
  ]
  return [...nearly, 'someone', '', '*', null, 0, true, [], {}, ['someone'], [[name]], { [name]: name }, undefined]
}

function ids(id: string): unknown[] {
  const nearly = [id.toUpperCase(), `${id} `, ` ${id}`, `${id}\u0000`, id.slice(0, -1)]
  return [...nearly, '', '*', 'unknown', '__proto__', 'constructor', 'toString', null, 0, true, [id], { id }, undefined]
}

function times({ claims }: Signer): [string, Json][] {
  const now = Number(claims.iat)
  const wrong: readonly [name: string, values: readonly unknown[]][] = [
    ['exp', [...NO_DATES, String(now + 600), now - 31, now - 3_600, 0, -1, -now, -1e308, undefined]],
    ['iat', [...NO_DATES, String(now), now + 120, now + 86_400, now - 86_500, 0, -1, 1e308, undefined]],
    ['nbf', [...NO_DATES, String(now - 60), now + 120, now + 86_400, 1e308]],
  ]
  return wrong.flatMap(([name, values]) =>
    values.map((value): [string, Json] => [`${name} ${JSON.stringify(value)}`, { [name]: value }]),
  )
}

function numbers(signer: Signer): Forgery[] {
  return ['exp', 'nbf', 'iat'].flatMap((name) =>
    NO_NUMBERS.map((number) => {
      const text = JSON.stringify({ ...signer.claims, [name]: '@' }).replace('"@"', number)
      return { name: `${name} ${number}`, token: signedTexts(signer, JSON.stringify(signer.header), text) }
    }),
  )
}

/** Duplicate members: an unacceptable value before and after the right one. */
function twice(signer: Signer): Forgery[] {
  const now = Number(signer.claims.iat)
  const wrongClaims: Json = {
    exp: now - 600,
    iat: 0,
    iss: 'someone',
    aud: 'someone',
    [signer.idClaim]: 'someone',
    nbf: now + 600,
  }
  const wrongHeader: Json = { alg: 'none', kid: 'unknown', typ: 'logout+jwt' }
  const claims = { nbf: now, ...signer.claims }
  return [true, false].flatMap((first) => [
    ...Object.entries(wrongClaims).map(([name, value]) => {
      const text = textWithTwo(claims, name, value, first)
      return { name: `${name} twice, ${first}`, token: signedTexts(signer, JSON.stringify(signer.header), text) }
    }),
    ...Object.entries(wrongHeader).map(([name, value]) => {
      const text = textWithTwo(signer.header, name, value, first)
      return { name: `header ${name} twice, ${first}`, token: signedTexts(signer, text, JSON.stringify(signer.claims)) }
    }),
  ])
}

function noObjects(signer: Signer): Forgery[] {
  const [header, claims] = [JSON.stringify(signer.header), JSON.stringify(signer.claims)]
  const noUtf8 = (text: string) =>
    Buffer.concat([Buffer.from(text.slice(0, -1)), Buffer.from(',"x":"\xff\xfe"}', 'latin1')])
  const halfPair = (text: string) => `${text.slice(0, -1)},"x":"\\ud800"}`
  const broken = [...NO_OBJECTS, noUtf8('{"a":1}')].map((text, at) => [`text ${at}`, text, text] as const)
  const added = [noUtf8, halfPair].map((add) => [add.name, add(header), add(claims)] as const)
  return [...broken, ...added].flatMap(([name, wrongHeader, wrongClaims]) => [
    { name: `header of ${name}`, token: signedTexts(signer, wrongHeader, claims) },
    { name: `claims of ${name}`, token: signedTexts(signer, header, wrongClaims) },
  ])
}

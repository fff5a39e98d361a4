// The issuers whose tokens a service of the tests accepts: itself, and two trusted issuers with a server for their
// keys.
import { createPrivateKey, createPublicKey, generateKeyPairSync, type JsonWebKey } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AUDIENCE } from '../../../src/access/token-use.ts'
import { ISSUER } from '../../../src/access/tokens.ts'
import type { Signer } from './signer.ts'

const SETUP = 'test/fixtures/company.yaml'

/** The service's own key, as a program with access to its folder can read it. */
export function ownSigner(folder: string): Signer {
  const { keys } = JSON.parse(readFileSync(join(folder, 'keys.json'), 'utf8')) as {
    keys: [JsonWebKey & { kid: string }]
  }
  const privateKey = createPrivateKey({ key: keys[0], format: 'jwk' })
  return {
    name: 'the service itself',
    algorithm: 'ES256',
    privateKey,
    publicKey: createPublicKey(privateKey),
    header: { alg: 'ES256', kid: keys[0].kid, typ: 'at+jwt' },
    claims: { ...timesFromNow(), iss: ISSUER, aud: AUDIENCE, sub: 'integration', client_id: 'integration' },
    idClaim: 'client_id',
  }
}

/** A server of key sets that records requests, and a setup that trusts two issuers with their keys there. */
export async function startTrustedIssuers(setupAt: (address: string) => string = setupWith) {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const small = generateKeyPairSync('rsa', { modulusLength: 1024 })
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = (key: { publicKey: typeof rsa.publicKey }, kid: string) => ({
    ...key.publicKey.export({ format: 'jwk' }),
    kid,
  })
  const sets: Readonly<Record<string, readonly object[]>> = {
    '/rsa': [jwk(rsa, 'rsa-key')],
    '/ec': [jwk(ec, 'ec-key')],
    '/small': [jwk(small, 'small-key')],
  }
  const asked: string[] = []
  const server = createServer(({ url = '' }, response) => {
    asked.push(url)
    const keys = sets[url]
    response.writeHead(keys ? 200 : 404).end(JSON.stringify({ keys }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(server.address() as { port: number }).port}`
  const folder = mkdtempSync(join(tmpdir(), 'tabularium-issuers-'))
  const setup = join(folder, 'setup.yaml')
  writeFileSync(setup, setupAt(address))
  const signers = [signerOf('rsa', 'RS256', rsa), signerOf('ec', 'ES256', ec)] as const
  return {
    setup,
    address,
    /** The requested paths. */
    asked,
    signers,
    /** Its key is published in its key set, and too short. */
    small: signerOf('small', 'RS256', small),
    async stop() {
      rmSync(folder, { recursive: true })
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A setup that trusts issuers whose keys are at an address. */
export function setupWith(address: string): string {
  const issuers = [
    ['rsa', 'RS256'],
    ['ec', 'ES256'],
    ['small', 'RS256'],
    ['away', 'RS256'],
  ].map(
    ([name, algorithm]) =>
      `    - { issuer: "https://${name}.example.com", audience: records, keySet: "${address}/${name}", algorithms: [${algorithm}], userClaim: upn }`,
  )
  return `${readFileSync(SETUP, 'utf8')}\nauthentication:\n  issuers:\n${issuers.join('\n')}\n`
}

function signerOf(
  name: string,
  algorithm: Signer['algorithm'],
  keys: Pick<Signer, 'privateKey' | 'publicKey'>,
): Signer {
  return {
    name: `the issuer ${name}`,
    algorithm,
    ...keys,
    header: { alg: algorithm, kid: `${name}-key`, typ: 'JWT' },
    claims: { ...timesFromNow(), iss: `https://${name}.example.com`, aud: 'records', upn: 'svc-integration' },
    idClaim: 'upn',
  }
}

function timesFromNow() {
  const now = Math.floor(Date.now() / 1000)
  return { iat: now, exp: now + 3_600 }
}

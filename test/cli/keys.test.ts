// `keys rotate`: the keys that sign tokens, in all processes of a service.
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { emptyLocation } from '../support/data-location.ts'
import { kill, run, SETUP, serve, temporaryFolder } from '../support/process.ts'
import { CLIENT_SECRET, FEWER_KINDS } from '../support/world.ts'

describe.each(FEWER_KINDS)('keys rotate on %s', (kind) => {
  it('signs with a new key in all workers, and no token is refused', async () => {
    const folder = temporaryFolder()
    const { flags } = await emptyLocation(kind, join(folder.path, 'data'))
    const service = await serve([...flags, '--setup', SETUP, '--workers', '2'])
    try {
      const keyIds = async () => {
        const answer = await fetch(`${service.address}/.well-known/jwks.json`)
        const { keys } = (await answer.json()) as { keys: { kid: string }[] }
        return keys.map(({ kid }) => kid)
      }
      const token = async () => {
        const body = new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: 'reader',
          client_secret: CLIENT_SECRET,
        })
        const answer = await fetch(`${service.address}/oauth/token`, { method: 'POST', body })
        const { access_token: text } = (await answer.json()) as { access_token: string }
        return { text, kid: JSON.parse(Buffer.from(text.split('.')[0] ?? '', 'base64url').toString()).kid as string }
      }
      const statusOf = async ({ text }: { text: string }) => {
        const headers = { authorization: `Bearer ${text}`, connection: 'close' }
        return (await fetch(`${service.address}/v1/attribute-values/C1/CC100/0`, { headers })).status
      }
      const [before] = await keyIds()
      const tokens = [await token()]
      const { code, stdout } = await run(['keys', 'rotate', '--data', join(folder.path, 'data')])
      expect(code).toBe(0)
      const [, added = ''] = /with the key (\S+);/.exec(stdout) ?? []
      // A token of the new key is accepted by a worker that has not noticed it yet.
      tokens.push(await token(), {
        text: (await run(['token', '--client', 'reader', ...flags])).stdout.trim(),
        kid: added,
      })
      await vi.waitFor(
        async () => {
          const signed = await Promise.all(Array.from({ length: 8 }, token))
          tokens.push(...signed)
          expect(new Set(signed.map(({ kid }) => kid))).toEqual(new Set([added]))
        },
        { timeout: 120_000, interval: 100 },
      )
      expect(await keyIds()).toEqual([added, before])
      for (let round = 0; round < 4; round++) {
        expect(new Set(await Promise.all(tokens.map(statusOf)))).toEqual(new Set([200]))
      }
    } finally {
      await kill(service)
      folder.remove()
    }
  })
})

describe('keys rotate', () => {
  it("refuses the administrator's own file, and a folder that is not there", async () => {
    const own = await run(['keys', 'rotate', '--keys', '/srv/keys.json'])
    expect(own).toMatchObject({ code: 2, stdout: '' })
    expect(own.stderr).toMatch(/^tabularium: option '--keys': \/srv\/keys\.json is your own file: put a new key before/)
    const none = await run(['keys', 'rotate', '--data', '/nowhere/at/all'])
    expect(none).toMatchObject({ code: 1, stdout: '' })
    expect(none.stderr).toBe(
      'tabularium: there is no data folder /nowhere/at/all: make it, or name another with --data\n',
    )
  })

  it('makes a first file, which several services can have, and a start without it says so', async () => {
    const folder = temporaryFolder()
    const file = join(folder.path, 'keys.json')
    const start = await run(['serve', '--port', '0', '--data', folder.path, '--keys', file])
    expect([start.code, start.stderr]).toEqual([1, expect.stringContaining(`${file} is not there: it is the file of`)])
    expect(start.stderr).toContain('`tabularium keys rotate --data FOLDER` makes FOLDER/keys.json')
    const first = await run(['keys', 'rotate', '--data', folder.path])
    expect([first.code, first.stderr]).toEqual([0, ''])
    const made = JSON.parse(readFileSync(file, 'utf8')).keys as { kid: string }[]
    expect(first.stdout).toBe(`${file} is made: a service with it signs tokens with the key ${made[0]?.kid}\n`)
    expect([made.length, statSync(file).mode & 0o777]).toEqual([1, 0o600])
    folder.remove()
  })
})

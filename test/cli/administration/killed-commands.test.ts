// Commands that are killed beside a service, and a service that ends beside a command: what was committed stays whole,
// the service goes on and stops with exit code 0, the command goes on to its end.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { type AdministeredService, onEachService } from '../../support/administered.ts'
import { call, SETUP, start } from '../../support/process.ts'
import { eventually } from '../../support/uploads.ts'

const ROWS = 10_000

const statusOf = async ({ address }: AdministeredService, value: string) =>
  (await call(`${address}/v1/attribute-values/C6/${value}/0`)).status

/** Begins an import of many values, and resolves when the first of them are there. */
async function beginImport(service: AdministeredService, name: string) {
  const rows = Array.from({ length: ROWS }, (_, at) => `C6,${name}${at},row ${at}\n`)
  const file = service.write(`${name}.csv`, `attributeId,attributeValue,description\n${rows.join('')}`)
  const args = ['import', 'attribute-values', file, '--company', 'EN']
  const importing = start([...args, ...service.place])
  await eventually(async () => (await statusOf(service, `${name}0`)) === 200)
  return { ...importing, args }
}

onEachService(
  'a command and a service that end',
  (service) => {
    it('an import that is killed goes on where it was, and the service did not notice', async () => {
      const killed = await beginImport(service(), 'KILLED')
      killed.child.kill('SIGKILL')
      await killed.ended
      expect(await statusOf(service(), `KILLED${ROWS - 1}`)).toBe(404)
      const body = { attributeId: 'C6', attributeValue: 'BESIDE', description: 'beside' }
      expect((await call(`${service().address}/v1/attribute-values`, { method: 'POST', body })).status).toBe(201)
      const again = await service().command(killed.args)
      expect([again.code, again.stderr]).toEqual([0, expect.stringMatching(/^going on after line /)])
      expect(await statusOf(service(), `KILLED${ROWS - 1}`)).toBe(200)
      expect((await service().command(['audit', 'verify'])).code).toBe(0)
    })

    it('a setup that is killed at any moment is there whole or not at all', async () => {
      const file = service().write(
        'half.yaml',
        readFileSync(SETUP, 'utf8').replace('description: Free text', 'description: Half'),
      )
      for (const afterMs of [200, 600, 1_200]) {
        const killed = start(['setup', file, ...service().place])
        setTimeout(() => killed.child.kill('SIGKILL'), afterMs)
        await killed.ended
        expect(await statusOf(service(), 'NONE')).toBe(404)
      }
      expect((await service().command(['setup', file])).code).toBe(0)
    })

    it('an import goes on when its service stops, and beside the next one', async () => {
      const importing = await beginImport(service(), 'GOING')
      service().serving.child.kill('SIGTERM')
      expect((await service().serving.ended).code).toBe(0)
      await service().restart()
      expect(await importing.ended).toMatchObject({ code: 0, stderr: '' })
      expect(await statusOf(service(), `GOING${ROWS - 1}`)).toBe(200)
    })
  },
  ['--shutdown-grace', '0'],
)

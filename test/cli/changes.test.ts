// tabularium changes, beside a running service and alone; and readers who wait at another process than the writer's.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { onEachDeployment } from '../support/deployments.ts'
import { call, kill, linesOf, run, SETUP, type Serving, serve, temporaryFolder } from '../support/process.ts'

const VALUES = '/v1/attribute-values'

describe('changes', () => {
  const folder = temporaryFolder()
  const place = ['--data', folder.path, '--company', 'EN']
  let service: Serving

  beforeAll(async () => {
    service = await serve(['--data', folder.path, '--setup', SETUP, '--workers', '1'])
  })
  afterAll(async () => {
    await kill(service)
    folder.remove()
  })

  const makeValue = async (attributeValue: string) => {
    const body = { attributeId: 'C6', attributeValue }
    expect((await call(service.address + VALUES, { method: 'POST', body })).status).toBe(201)
  }

  it('prints a JSON object a line, beside the service', async () => {
    await makeValue('PRINTED')
    const ended = await run(['changes', ...place, '--since', '0'])
    expect([ended.code, ended.stderr]).toEqual([0, ''])
    const line = linesOf(ended.stdout)
      .map((text) => JSON.parse(text))
      .at(-1)
    expect(line).toMatchObject({ operation: 'created', record: { attributeValue: 'PRINTED' } })
    const after = await run(['changes', ...place, '--since', line.id])
    expect(after).toMatchObject({ code: 0, stdout: '', stderr: '' })
  })

  it.each([
    ['no place to begin', [], "required option '--since <place>' not specified"],
    ['a place that is none', ['--since', 'soon'], "option '--since': it must be a change number"],
    ['the id of a change elsewhere', ['--since', 'SV-1.2'], "option '--since': it must be a change number"],
  ])('refuses %s', async (_name, args, message) => {
    const { code, stdout, stderr } = await run(['changes', ...place, ...args])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(message)
  })
})

onEachDeployment('Readers who wait', (running) => {
  it('hear of a write at every process', async () => {
    await running().withClients(8, async (clients) => {
      const path = '/v1/changes?entities=attribute-values'
      const [writer] = clients
      const { text } = await clients[0]!.send({ method: 'GET', path: `${path}&since=now` })
      const since = JSON.parse(text).next
      const answers = clients.slice(1).map((one) => one.send({ method: 'GET', path: `${path}&wait=25&since=${since}` }))
      const body = { attributeId: 'C1', attributeValue: 'ACROSS' }
      expect((await writer!.send({ method: 'POST', path: VALUES, body })).status).toBe(201)
      for (const answer of await Promise.all(answers)) {
        expect([answer.status, JSON.parse(answer.text).changes.length]).toEqual([200, 1])
      }
    })
  })
})

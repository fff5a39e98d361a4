// tabularium changes, beside a running service and alone; and readers who wait at another process than the writer's.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { onEachDeployment } from '../support/deployments.ts'
import { call, kill, linesOf, run, SETUP, type Serving, serve, start, temporaryFolder } from '../support/process.ts'
import { eventually } from '../support/uploads.ts'

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
    const filter = ['--entities', 'attribute-values', '--filter', "attributeValue eq 'PRINTED'"]
    const ended = await run(['changes', ...place, '--since', '0', ...filter, '--select', 'attributeValue'])
    expect([ended.code, ended.stderr]).toEqual([0, ''])
    const [line, ...more] = linesOf(ended.stdout).map((text) => JSON.parse(text))
    expect(more).toEqual([])
    expect(line).toMatchObject({ operation: 'created', record: { attributeValue: 'PRINTED' } })
    const after = await run(['changes', ...place, '--since', line.id])
    expect(after).toMatchObject({ code: 0, stdout: '', stderr: '' })
  })

  it('follows what is written, and ends well when it is interrupted', async () => {
    const following = start(['changes', ...place, '--since', '0', '--follow', '--entities', 'attribute-values'])
    let printed = ''
    following.child.stdout?.on('data', (chunk: Buffer) => (printed += chunk))
    await eventually(() => printed.includes('"PRINTED"'))
    await makeValue('FOLLOWED')
    await eventually(() => printed.includes('"FOLLOWED"'))
    following.child.kill('SIGINT')
    expect((await following.ended).code).toBe(0)
  })

  it.each([
    ['no place to begin', [], "option '--since': name where to begin, such as 0, or use --follow"],
    ['a place that is none', ['--since', 'soon'], "option '--since': it must be a change number"],
    ['the id of a change elsewhere', ['--since', 'SV-1.2'], "option '--since': it must be a change number"],
    ['a misspelt entity', ['--since', '0', '--entities', 'customer'], "Unknown entity 'customer'"],
    [
      'one of two lists',
      ['--since', '0', '--entities', 'vendor', '--entities', 'customers'],
      "Unknown entity 'vendor'",
    ],
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

// What a setup changes is in force in every process when the command has ended, and no request is refused meanwhile.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { type AdministeredService, onEachService } from '../../support/administered.ts'
import { call, SETUP } from '../../support/process.ts'
import { eventually } from '../../support/uploads.ts'
import { CLIENT_SECRET } from '../../support/world.ts'

const text = readFileSync(SETUP, 'utf8')
const VALUES = '/v1/attribute-values'
/** So many that each process gets some. */
const CONNECTIONS = 24

/** The statuses of the same request on connections of their own. */
async function statusesOf({ address }: AdministeredService, path: string, authorization?: string): Promise<number[]> {
  const headers = { authorization: authorization ?? '', connection: 'close' }
  const ask = async () => (await fetch(address + path, { headers })).status
  return Promise.all(Array.from({ length: CONNECTIONS }, ask))
}

async function tokenOf({ address }: AdministeredService, id: string, secret: string): Promise<string> {
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret })
  const answer = await fetch(`${address}/oauth/token`, { method: 'POST', body })
  return `Bearer ${((await answer.json()) as { access_token: string }).access_token}`
}

const each = (status: number) => Array.from({ length: CONNECTIONS }, () => status)

onEachService('a setup beside the service', (service) => {
  it('is in force in every process when the command has ended', async () => {
    for (const name of ['ZA', 'ZB', 'ZC', 'ZD']) {
      const path = `${VALUES}/${name}/1/0`
      const authorization = await tokenOf(service(), 'integration', CLIENT_SECRET)
      expect(await statusesOf(service(), path, authorization)).toEqual(each(404))
      const file = service().write(
        'more.yaml',
        text
          .replace('    attributes:\n', `    attributes:\n      - { id: ${name}, name: Z${name} }\n`)
          .replace('    attributeValues:\n', `    attributeValues:\n      ${name}: { "1": One }\n`),
      )
      const { code, stderr } = await service().command(['setup', file])
      expect([code, stderr]).toEqual([0, ''])
      expect(await statusesOf(service(), path, authorization)).toEqual(each(200))
    }
  })

  it('that fails changes nothing, also in memory', async () => {
    const file = service().write('wrong.yaml', text.replace('name: Example Nordic AS', 'name: 5\n    nonsense: true'))
    const { code } = await service().command(['setup', file])
    expect(code).toBe(1)
    const answers = Array.from({ length: CONNECTIONS }, () => call(`${service().address}${VALUES}/C1/CC100/0`))
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(each(200))
  })

  it('refuses no request while commands run', async () => {
    const authorization = await tokenOf(service(), 'integration', CLIENT_SECRET)
    const refused: string[] = []
    let answered = 0
    let isOver = false
    const clients = Array.from({ length: 6 }, async (_, client) => {
      for (let at = 0; !isOver; at++) {
        const isWrite = at % 10 === 0
        const body = { attributeId: 'C6', attributeValue: `T${client}-${at}`, description: 'steady' }
        const { status } = isWrite
          ? await call(service().address + VALUES, { method: 'POST', body, authorization })
          : await call(`${service().address}${VALUES}/C1/CC100/0`, { authorization })
        answered += 1
        if (status !== (isWrite ? 201 : 200)) refused.push(`${isWrite ? 'write' : 'read'}: ${status}`)
      }
    })
    await eventually(() => answered > 50)
    const rows = Array.from({ length: 3_000 }, (_, at) => `C6,ROW${at},row ${at}\n`)
    const input = service().write('rows.csv', `attributeId,attributeValue,description\n${rows.join('')}`)
    const commands = [
      ['import', 'attribute-values', input, '--company', 'EN'],
      ['setup', service().write('changed.yaml', text.replace('description: Free text', 'description: Changed'))],
      ['export', 'attribute-values', '--company', 'EN'],
    ]
    const codes: (number | null)[] = []
    for (const command of commands) codes.push((await service().command(command)).code)
    isOver = true
    await Promise.all(clients)
    expect({ codes, refused }).toEqual({ codes: [0, 0, 0], refused: [] })
  })
})

// POST /v1/batch: each operation is done and answered as a request of its own.
import { describe, expect, it } from 'vitest'
import {
  type Answered,
  type Asked,
  answersOf,
  BATCH,
  CONTINUE,
  creating,
  describing,
  sendBatch,
  statusesOf,
  urlOf,
  VALUES,
} from '../support/batch.ts'
import { onEachStore, type Sent } from '../support/world.ts'

const RELATIONS = '/v1/attribute-relations'

onEachStore('A batch', (world, kind) => {
  const answered = (requests: readonly Asked[], sent: Partial<Sent> = {}) =>
    answersOf(sendBatch(world(), requests, sent))

  describe('answers as single requests are answered', () => {
    it('with status, headers and body of reads, writes and refusals', async () => {
      await world().send({ as: 'integration', ...creating('ALIKE') })
      const requests: Asked[] = [
        { url: urlOf('ALIKE') },
        { url: urlOf('ALIKE'), headers: { 'if-none-match': '*' } },
        { url: `${VALUES}/C1?$limit=2&$select=attributeValue` },
        { url: `${VALUES}/C1?$limit=2`, headers: { accept: 'text/csv' } },
        { method: 'HEAD', url: `${VALUES}/C1` },
        { url: '/v1/objects/attribute-values?$top=1&$select=description', headers: { 'accept-language': 'de' } },
        { url: '/v1/objects/attribute-values', headers: { accept: 'application/schema+json' } },
        { url: '/v1/access' },
        { url: `${urlOf('ALIKE')}/history` },
        { url: urlOf('NOWHERE') },
        { url: '/v1/nothing' },
        { method: 'PUT', url: urlOf('ALIKE') },
        { method: 'PATCH', url: VALUES },
        { url: `${VALUES}/C1?$limit=0` },
        { url: `${VALUES}/C1?companyId=XX` },
        { url: `${VALUES}/C1?%zz` },
        { url: `${VALUES}/C1/%zz/0` },
        { url: `${VALUES}/C1/%00/0` },
        { url: `${VALUES}/C1/${'x'.repeat(600)}/0` },
        { url: `${VALUES}/C1?$filter=${'x'.repeat(17_000)}` },
        creating('ALIKE'),
        creating('ALIKE', { headers: { 'idempotency-key': ' ' } }),
        { method: 'POST', url: VALUES, body: { attributeId: 'C1', owner: 'none', periodFrom: 'soon' } },
        { method: 'POST', url: VALUES, body: [] },
        { method: 'POST', url: VALUES },
        creating('ALIKE', { headers: { 'content-type': 'text/plain' } }),
        creating('ALIKE', { headers: { 'content-type': 'application/json-patch+json' } }),
        describing('ALIKE', 'x', { headers: { 'if-match': '"1"' } }),
        { method: 'PATCH', url: urlOf('ALIKE'), body: [{ op: 'replace', path: '/nope', value: 1 }] },
        { method: 'DELETE', url: `${VALUES}/SY/AUTO/0` },
      ]
      const answers = await answered(requests, CONTINUE)
      for (const [at, asked] of requests.entries()) {
        const { url } = asked
        const single = await world().send({ as: 'integration', ...asked })
        const { status, headers: given, body: said } = answers[at] as Answered
        const isCsv = String(single.headers['content-type']).startsWith('text/')
        expect([url, status, said]).toEqual([url, single.status, isCsv ? single.text : single.json])
        for (const name of [
          'etag',
          'content-type',
          'allow',
          'x-erp-total-count',
          'link',
          'vary',
          'idempotency-replayed',
        ]) {
          expect([url, name, given[name]]).toEqual([url, name, single.headers[name]])
        }
      }
    })

    it('with the record and its address, in the order of the operations', async () => {
      const [made, patched, read, removed, closed] = await answered(
        [
          creating('ORDER'),
          describing('ORDER', 'second'),
          { url: urlOf('ORDER') },
          { method: 'delete' as 'DELETE', url: urlOf('ORDER') },
          { url: urlOf('ORDER') },
        ],
        CONTINUE,
      )
      expect(made).toMatchObject({ id: '1', status: 201, headers: { location: urlOf('ORDER') } })
      expect(patched).toMatchObject({ status: 200, body: { description: 'second' } })
      expect(read?.headers.etag).toBe(patched?.headers.etag)
      expect(read?.body).toEqual(patched?.body)
      expect(removed?.status).toBe(200)
      expect(removed && 'body' in removed).toBe(false)
      expect(closed).toMatchObject({ status: 200, body: { status: 'C' } })
    })

    it('writes the change log as single requests do, each with the request id of its operation', async () => {
      const headers = { 'x-request-id': 'batch-of-two' }
      await answered([creating('LOG1'), creating('LOG2', { headers: { 'x-request-id': 'its-own' } })], { headers })
      const rows = await world().query(
        `select record_key, request_id from audit_entry where record_key like '%LOG_"%' order by entry_no`,
      )
      expect(rows).toEqual([
        { record_key: '["C1","LOG1",0]', request_id: 'batch-of-two:1' },
        { record_key: '["C1","LOG2",0]', request_id: 'its-own' },
      ])
    })

    it('takes 1,000 operations', async () => {
      const statuses = statusesOf(await answered(Array.from({ length: 1_000 }, (_, at) => creating(`M${at}`))))
      expect(new Set(statuses)).toEqual(new Set([201]))
      const { headers } = await world().send({
        as: 'integration',
        method: 'HEAD',
        url: `${VALUES}/C1?$filter=startswith(attributeValue,'M')`,
      })
      expect(headers['x-erp-total-count']).toBe('1000')
    })

    it('takes none, too', async () => {
      const answer = await sendBatch(world(), [])
      expect([answer.status, answer.json]).toEqual([200, { responses: [] }])
    })
  })

  describe('stops at the first operation that fails', () => {
    const requests = [creating('STOP1'), creating('CC100'), creating('STOP2')]

    it('and says so of those behind it', async () => {
      const answer = await sendBatch(world(), requests)
      expect(statusesOf(answer.json.responses)).toEqual([201, 409, 424])
      expect(answer.json.responses[2].body).toEqual({
        code: 1010,
        message: 'Not done, because an operation before it has failed.',
      })
      expect(answer.headers['preference-applied']).toBe('continue-on-error=false')
      expect((await world().send({ as: 'integration', url: urlOf('STOP2') })).status).toBe(404)
    })

    it.each(['continue-on-error', 'return=minimal, odata.continue-on-error', 'Continue-On-Error="true"'])(
      'unless it is to go on: Prefer: %s',
      async (prefer) => {
        const answer = await sendBatch(world(), [creating('CC100'), { url: urlOf('CC100') }], { headers: { prefer } })
        expect(statusesOf(answer.json.responses)).toEqual([409, 200])
        expect(answer.headers['preference-applied']).toBe('continue-on-error=true')
      },
    )

    it('also with continue-on-error=false', async () => {
      const headers = { prefer: 'continue-on-error=false' }
      expect(statusesOf(await answered([creating('CC100'), { url: urlOf('CC100') }], { headers }))).toEqual([409, 424])
    })
  })

  describe('knows what an operation depends on', () => {
    it('and does not do it when that has failed, nor what depends on it', async () => {
      const answers = await answered(
        [
          creating('CC100'),
          creating('DEP1', { dependsOn: ['1'] }),
          creating('DEP2', { dependsOn: ['2'] }),
          creating('DEP3'),
          creating('DEP4', { dependsOn: ['4'] }),
        ],
        CONTINUE,
      )
      expect(statusesOf(answers)).toEqual([409, 424, 424, 201, 201])
      expect(answers[1]?.body.message).toBe("Not done, because '1', which it depends on, has failed.")
    })

    it('by the name of a group, too', async () => {
      const answers = await answered(
        [
          creating('DEPG1', { atomicityGroup: 'g' }),
          creating('CC100', { atomicityGroup: 'g' }),
          { url: urlOf('CC100'), dependsOn: ['g'] },
          { url: urlOf('CC100') },
        ],
        CONTINUE,
      )
      expect(statusesOf(answers)).toEqual([424, 409, 424, 200])
    })
  })

  describe('resolves references', () => {
    it('to the address of what was made or read, also with more behind it', async () => {
      const answers = await answered([
        { method: 'POST', url: VALUES, body: { attributeId: 'C5', description: 'Numbered' } },
        describing('', 'Renamed', { url: '$1', dependsOn: ['1'] }),
        { url: '$1/history?limit=1', dependsOn: ['1', '2'] },
        { url: '$2?$select=description', dependsOn: ['2'] },
      ])
      expect(statusesOf(answers)).toEqual([201, 200, 200, 200])
      expect(answers[3]?.body).toMatchObject({
        attributeValue: answers[0]?.body.attributeValue,
        description: 'Renamed',
      })
    })

    it('to members of an answer, in a body and in the query', async () => {
      const answers = await answered([
        { method: 'POST', url: VALUES, body: { attributeId: 'C5', description: 'With a name' } },
        {
          method: 'POST',
          url: VALUES,
          dependsOn: ['1'],
          body: {
            attributeId: 'C1',
            attributeValue: 'REF-BODY',
            description: '$1/attributeValue',
            customValue: '$1/periodTo',
          },
        },
        { url: `${VALUES}/C1?companyId=$1/companyId&$filter=attributeValue%20eq%20'REF-BODY'`, dependsOn: ['1', '2'] },
      ])
      const name = answers[0]?.body.attributeValue
      expect(answers[1]).toMatchObject({ status: 201, body: { description: name, customValue: 209912 } })
      expect(answers[2]?.body).toMatchObject([{ description: name }])
    })

    it('to an entity tag', async () => {
      const answers = await answered(
        [
          creating('REF-TAG'),
          describing('REF-TAG', 'first', { dependsOn: ['1'], headers: { 'If-Match': '$1' } }),
          describing('REF-TAG', 'second', { dependsOn: ['1'], headers: { 'If-Match': '$1' } }),
          { url: urlOf('REF-TAG'), dependsOn: ['2'], headers: { 'if-none-match': '$2' } },
        ],
        CONTINUE,
      )
      expect(statusesOf(answers)).toEqual([201, 200, 409, 304])
    })

    it('and leaves alone what is none, because the operation does not depend on it', async () => {
      const body = { attributeId: 'C1', attributeValue: 'REF-NONE', description: '$1/attributeValue' }
      const [, answer] = await answered([creating('REF-OTHER'), { method: 'POST', url: VALUES, body }])
      expect(answer).toMatchObject({ status: 201, body: { description: '$1/attributeValue' } })
    })

    it('and refuses the operation when there is no such value, address or tag', async () => {
      const answers = await answered(
        [
          { url: `${VALUES}/C1?$limit=1` },
          creating('REF-NO1', { dependsOn: ['1'], body: { attributeId: '$1/nothing' } }),
          { method: 'DELETE', url: urlOf('CC300') },
          { url: '$3', dependsOn: ['3'] },
          describing('CC100', 'x', { dependsOn: ['3'], headers: { 'if-match': '$3' } }),
          { url: `${VALUES}/C1?$limit=$1/0/periodFrom/deeper`, dependsOn: ['1'] },
        ],
        CONTINUE,
      )
      expect(statusesOf(answers)).toEqual([200, 400, 200, 400, 400, 400])
      expect([1, 3, 4, 5].map((at) => answers[at]?.body)).toEqual([
        { code: 1010, message: "body/attributeId: the answer of '1' has no value 'nothing'." },
        { code: 1010, message: "url: the answer of '3' has no address." },
        { code: 1010, message: "headers.if-match: the answer of '3' has no entity tag." },
        { code: 1010, message: "url: $limit: the answer of '1' has no value '0/periodFrom/deeper'." },
      ])
    })
  })

  describe('keeps to the rights of its caller', () => {
    it('in each operation, and notes what was refused', async () => {
      const from = world().observed.length
      const answers = await answered([{ url: urlOf('CC100') }, creating('FORBIDDEN')], { as: 'reader', ...CONTINUE })
      expect(statusesOf(answers)).toEqual([200, 403])
      const refused = world()
        .observed.slice(from)
        .filter(({ kind: one }) => one === 'access-refused')
      expect(refused).toMatchObject([{ method: 'POST', path: VALUES, clientId: 'reader', companyId: 'EN' }])
    })

    it('in each company', async () => {
      const inSv = { attributeId: 'C1', attributeValue: 'MIXED', companyId: 'SV' }
      const requests: Asked[] = [
        creating('MIXED'),
        { method: 'POST', url: VALUES, body: inSv },
        { url: `${urlOf('MIXED')}?companyId=sv` },
        { url: '$2?companyId=SV', dependsOn: ['2'] },
      ]
      const answers = await answered(requests, { as: 'both' })
      expect(answers.map(({ status, body }) => [status, body.companyId])).toEqual([
        [201, 'EN'],
        [201, 'SV'],
        [200, 'SV'],
        [200, 'SV'],
      ])
      const addresses = answers.slice(0, 2).map(({ headers }) => headers.location)
      expect(addresses).toEqual([urlOf('MIXED'), `${urlOf('MIXED')}?companyId=SV`])
      expect(statusesOf(await answered(requests, { as: 'integration', ...CONTINUE }))).toEqual([409, 403, 403, 424])
    })

    it('and is for callers alone', async () => {
      expect((await world().send({ method: 'POST', url: BATCH, body: { requests: [] } })).status).toBe(401)
      expect((await sendBatch(world(), [], { url: `${BATCH}?companyId=SV` })).status).toBe(403)
    })
  })

  it('counts each operation in the metrics', async () => {
    const count = async () => {
      const { text } = await world().send({ as: 'watcher', url: '/metrics' })
      const line = `http_requests_total{method="POST",route="${VALUES}",status="409"}`
      return Number(
        text
          .split('\n')
          .find((one) => one.startsWith(line))
          ?.split(' ')
          .at(-1) ?? 0,
      )
    }
    const before = await count()
    await answered([creating('CC100'), creating('CC100'), creating('CC100')], CONTINUE)
    expect(await count()).toBe(before + 3)
  })

  describe('with validateOnly', () => {
    it('checks and answers everything, and leaves nothing', async () => {
      const before = await world().dump()
      const inGroup = { atomicityGroup: 'g' }
      const answers = await answered(
        [
          creating('VALID1'),
          creating('VALID2', inGroup),
          describing('', 'seen in its group', { id: 'patch', url: '$2', ...inGroup }),
          creating('CC100'),
        ],
        { url: `${BATCH}?validateOnly=true`, ...CONTINUE },
      )
      expect(statusesOf(answers)).toEqual([200, 200, 200, 409])
      expect(answers[2]?.body).toMatchObject({ attributeValue: 'VALID2', description: 'seen in its group' })
      expect(answers.flatMap(({ headers }) => [headers.etag, headers.location]).filter(Boolean)).toEqual([])
      expect(await world().changesSince(before)).toEqual([])
    })

    it('of an operation alone, too', async () => {
      const requests = [creating('VALID3', { url: `${VALUES}?validateOnly=true` }), creating('VALID3')]
      expect(statusesOf(await answered(requests))).toEqual([200, 201])
    })
  })

  it('lets writes of others in between', async () => {
    for (const as of ['integration', 'both']) await world().token(as)
    const order: string[] = []
    const batch = answered(Array.from({ length: 300 }, (_, at) => creating(`BETWEEN${at}`))).then(() =>
      order.push('batch'),
    )
    const body = { attributeId: 'C1', attributeValue: 'BETWEEN' }
    const single = world()
      .send({ as: 'both', method: 'POST', url: VALUES, body })
      .then(() => order.push('single'))
    await Promise.all([batch, single])
    expect([kind, order]).toEqual([kind, ['single', 'batch']])
  })

  it('refuses an operation whose answer does not fit beside the others', async () => {
    const many = { url: `${VALUES}/C1?$filter=startswith(attributeValue,'M')` }
    const answers = await answered(
      Array.from({ length: 80 }, () => many),
      CONTINUE,
    )
    expect(answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 400)).toEqual([])
    const refused = answers.filter(({ status }) => status === 400)
    expect(refused.length).toBeGreaterThan(0)
    expect(refused[0]?.body.code).toBe(1020)
  })

  it('relates records that it makes', async () => {
    const answers = await answered([
      creating('RELATES'),
      {
        method: 'POST',
        url: RELATIONS,
        dependsOn: ['1'],
        body: {
          attributeId: '$1/attributeId',
          attributeValue: '$1/attributeValue',
          relatedAttributeId: 'C2',
          relationValue: '100',
        },
      },
      { url: '$2', dependsOn: ['2'] },
    ])
    expect(statusesOf(answers)).toEqual([201, 201, 200])
  })
})

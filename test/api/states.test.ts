// The states of declared records: transitions, who takes them, what is filled by then, and what is locked.
import { beforeAll, expect, it } from 'vitest'
import { sendBatch } from '../support/batch.ts'
import { onEachStore, type Sent, startWorld } from '../support/world.ts'

const ORDERS = '/v1/orders'

onEachStore(
  'States of records',
  (world) => {
    const send = (sent: Sent) => world().send({ as: 'buyer', ...sent })
    const patch = (url: string, members: Record<string, unknown>, as = 'buyer', headers = {}) => {
      const body = Object.entries(members).map(([path, value]) => ({ op: 'replace', path, value }))
      return send({ as, method: 'PATCH', url, body, headers })
    }
    const post = (url: string, body: unknown, as = 'buyer') => send({ as, method: 'POST', url, body })
    const create = async (orderNo: string, more: object = {}) => {
      const { status, text } = await post(ORDERS, { orderNo, lines: [{ lineNo: 1, amount: 10 }], ...more })
      expect([status, status === 201 ? '' : text]).toEqual([201, ''])
    }
    /** What is refused leaves nothing behind. */
    const refused = async (ask: () => ReturnType<typeof send>) => {
      const before = await world().dump()
      const answer = await ask()
      expect((await world().changesSince(before)).filter((row) => !row.startsWith('journal_counter'))).toEqual([])
      return answer
    }
    const approved = async (orderNo: string) => {
      await create(orderNo, { approvedBy: 'Kari' })
      expect((await patch(`${ORDERS}/${orderNo}`, { '/status': 'approved' }, 'approver')).status).toBe(200)
    }

    beforeAll(async () => {
      await create('A1')
    })

    it('begin with the default', async () => {
      expect((await send({ url: `${ORDERS}/A1` })).json.status).toBe('draft')
      expect((await post(ORDERS, { orderNo: 'A2', status: 'draft' })).status).toBe(201)
      const given = await refused(() => post(ORDERS, { orderNo: 'A3', status: 'sent' }))
      expect([given.status, given.json.notificationMessages]).toEqual([
        422,
        { status: [{ code: 3010, message: 'A new record has the status draft.' }] },
      ])
      const unknown = await refused(() => post(ORDERS, { orderNo: 'A3', status: 'lost' }))
      expect([unknown.status, unknown.json.notificationMessages.status]).toEqual([
        422,
        [{ code: 3010, message: 'Illegal value.' }],
      ])
      const line = await refused(() => post(ORDERS, { orderNo: 'A3', lines: [{ lineNo: 1, state: 'delivered' }] }))
      expect([line.status, line.json.lines[0].notificationMessages.state[0].message]).toEqual([
        422,
        'A new record has the state open.',
      ])
    })

    it('change along transitions alone: others are 409, with those that are possible', async () => {
      const skipped = await refused(() => patch(`${ORDERS}/A1`, { '/status': 'sent' }))
      expect([skipped.status, skipped.json]).toEqual([
        409,
        { code: 3090, message: 'status cannot go from draft to sent: from draft it can go to approved.' },
      ])
      const closed = await refused(() => patch(`${ORDERS}/A1`, { '/status': 'closed' }))
      expect(closed.json.message).toBe(
        'status cannot go from draft to closed: from draft it can go to approved; DELETE closes a record.',
      )
      const unknown = await refused(() => patch(`${ORDERS}/A1`, { '/status': 'lost' }))
      expect([unknown.status, unknown.json.notificationMessages.status[0].message]).toEqual([422, 'Illegal value.'])
      expect((await patch(`${ORDERS}/A1`, { '/note': 'a draft' })).status).toBe(200)
    })

    it('are changed by who has a role for it: others are 403', async () => {
      const { status, json } = await refused(() =>
        patch(`${ORDERS}/A1`, { '/status': 'approved', '/approvedBy': 'Ola' }),
      )
      const message = 'Your roles do not take status from draft to approved, nor to another state.'
      expect([status, json]).toEqual([403, { code: 2030, message }])
      await approved('R1')
      const german = { 'accept-language': 'de' }
      const reopened = await refused(() => patch(`${ORDERS}/R1`, { '/status': 'draft' }, 'buyer', german))
      expect([reopened.status, reopened.json.message]).toEqual([
        403,
        'Ihre Rollen können „Status“ von approved nur auf sent setzen, nicht auf draft.',
      ])
    })

    it('need what is filled by then: 422 names what is not', async () => {
      await post(ORDERS, { orderNo: 'B1' })
      const nothing = await refused(() => patch(`${ORDERS}/B1`, { '/status': 'approved' }, 'approver'))
      expect([nothing.status, nothing.json.notificationMessages]).toEqual([
        422,
        {
          approvedBy: [{ code: 1010, message: 'The ApprovedBy field is required.' }],
          lines: [{ code: 1010, message: 'The Lines field is required.' }],
        },
      ])
      expect((await post('/v1/order-lines', { orderNo: 'B1', lineNo: 1 })).status).toBe(201)
      // Who sees no lines may approve: they are there.
      const there = await patch(`${ORDERS}/B1`, { '/status': 'approved', '/approvedBy': 'Kari' }, 'heads')
      expect([there.status, there.json.status]).toEqual([200, 'approved'])
      const emptied = await refused(() => patch(`${ORDERS}/B1`, { '/approvedBy': '' }))
      expect([emptied.status, Object.keys(emptied.json.notificationMessages)]).toEqual([422, ['approvedBy']])
      const unsent = await refused(() => patch(`${ORDERS}/B1`, { '/status': 'sent' }))
      expect([unsent.status, Object.keys(unsent.json.notificationMessages)]).toEqual([422, ['sentOn']])
      const sent = await patch(`${ORDERS}/B1`, { '/status': 'sent', '/sentOn': '2026-11-29' })
      expect([sent.status, sent.json.status]).toEqual([200, 'sent'])
      const back = await refused(() => patch(`${ORDERS}/B1`, { '/status': 'draft' }, 'approver'))
      expect([back.status, back.json.message]).toEqual([
        409,
        'status cannot go from sent to draft: nothing follows sent.',
      ])
    })

    it('lock members, groups, lists and lines: 409, and nothing is written', async () => {
      await approved('C1')
      const url = `${ORDERS}/C1`
      const locked = 'cannot change while status is approved: from approved it can go to draft or sent.'
      for (const [path, value, name] of [
        ['/supplier/name', 'x', 'supplier'],
        ['/supplier', { id: '1' }, 'supplier'],
        ['/tags', [{ tag: 'x' }], 'tags'],
        ['/lines/0/amount', 11, 'lines'],
        ['/lines', [{ lineNo: 1, amount: 99 }], 'lines'],
      ] as const) {
        const { status, json } = await refused(() => patch(url, { [path]: value }))
        expect([path, status, json.code, json.message]).toEqual([path, 409, 3090, `${name} ${locked}`])
      }
      const both = await refused(() => patch(url, { '/status': 'draft', '/supplier/name': 'x' }, 'approver'))
      expect([both.status, both.json.message]).toEqual([409, `supplier ${locked}`])
      expect((await patch(url, { '/supplier/name': '', '/note': 'is open' })).status).toBe(200)
      const line = '/v1/order-lines/C1/1'
      const ofLines = 'lines of orders C1 cannot change while it is approved.'
      for (const ask of [
        () => post('/v1/order-lines', { orderNo: 'C1', lineNo: 2 }),
        () => patch(line, { '/amount': 11 }),
        () => send({ method: 'DELETE', url: line }),
      ]) {
        const { status, json } = await refused(ask)
        expect([status, json]).toEqual([409, { code: 3090, message: ofLines }])
      }
      expect((await patch(line, { '/amount': 10 })).status).toBe(200)
      expect((await patch(url, { '/status': 'draft' }, 'approver')).status).toBe(200)
      expect((await patch(line, { '/amount': 11 })).status).toBe(200)
      const whole = { '/lines/0/amount': 12, '/supplier/name': 'Papir', '/status': 'approved' }
      expect((await refused(() => patch(url, whole))).status).toBe(403)
      const lines = await patch(url, { '/lines/0/state': 'delivered' })
      expect([lines.status, lines.json.lines[0].state]).toEqual([200, 'delivered'])
      const undone = await refused(() => patch(url, { '/lines/0/state': 'open' }))
      expect([undone.status, undone.json.message]).toEqual([
        409,
        'state cannot go from delivered to open: nothing follows delivered.',
      ])
    })

    it('let a record be approved with the lines that come in the same request', async () => {
      await create('D1', { approvedBy: 'Kari' })
      const { status } = await patch(`${ORDERS}/D1`, { '/note': 'x' }, 'approver')
      expect(status).toBe(200)
      const body = [
        { op: 'add', path: '/lines/-', value: { lineNo: 2, amount: 5 } },
        { op: 'replace', path: '/note', value: 'y' },
      ]
      const added = await send({ method: 'PATCH', url: `${ORDERS}/D1`, body })
      expect([added.status, added.json.total]).toEqual([200, 15])
    })

    it('are closed by DELETE, whatever they are, with their lines', async () => {
      await approved('E1')
      expect((await send({ method: 'DELETE', url: `${ORDERS}/E1` })).status).toBe(200)
      const { json } = await send({ url: `${ORDERS}/E1` })
      expect([json.status, json.lines[0].state]).toEqual(['closed', 'gone'])
      const reopened = await refused(() => patch(`${ORDERS}/E1`, { '/status': 'draft' }, 'approver'))
      expect([reopened.status, reopened.json.message]).toEqual([
        409,
        'status cannot go from closed to draft: nothing follows closed.',
      ])
      expect((await patch(`${ORDERS}/E1`, { '/note': 'closed' })).status).toBe(200)
    })

    it('are obeyed in batches, with validateOnly and with an idempotency key', async () => {
      await create('F1', { approvedBy: 'Kari' })
      const operation = (value: string) => ({
        method: 'PATCH' as const,
        url: `${ORDERS}/F1`,
        body: [{ op: 'replace', path: '/status', value }],
      })
      const requests = [operation('approved'), operation('sent')].map((one) => ({ ...one, atomicityGroup: 'g' }))
      const batch = await refused(() => sendBatch(world(), requests, { as: 'approver' }))
      expect(batch.text).toContain('The SentOn field is required.')
      const tried = await send({
        as: 'approver',
        method: 'PATCH',
        url: `${ORDERS}/F1?validateOnly=true`,
        body: operation('approved').body,
      })
      expect([tried.status, tried.json.status]).toEqual([200, 'approved'])
      expect((await send({ url: `${ORDERS}/F1` })).json.status).toBe('draft')
      const headers = { 'idempotency-key': 'approve-f1' }
      const first = await patch(`${ORDERS}/F1`, { '/status': 'approved' }, 'approver', headers)
      const again = await patch(`${ORDERS}/F1`, { '/status': 'approved' }, 'approver', headers)
      expect([first.status, again.text, again.headers['idempotency-replayed']]).toEqual([200, first.text, 'true'])
      const history = await send({ url: `${ORDERS}/F1/history` })
      expect(history.json.changes.map(({ operation: one }: { operation: string }) => one)).toEqual([
        'updated',
        'created',
      ])
    })

    it('are told of in an import as of a single change', async () => {
      await approved('I1')
      const body = '{ "orderNo": "I1", "status": "draft" }\n'
      const headers = { 'content-type': 'application/x-ndjson' }
      const started = await send({ method: 'POST', url: '/v1/orders/batch?update=true', body, headers })
      expect([started.status, started.status === 202 ? '' : started.text]).toEqual([202, ''])
      world().application.operations.start()
      const url = `/v1/batch-operations/${started.json.id}`
      await expect.poll(async () => (await send({ url: `${url}/status` })).json.status, { interval: 10 }).toBe('C')
      const [{ findings }] = (await send({ url: `${url}/results` })).json
      const message = 'Your roles take status from approved to sent alone, not to draft.'
      expect(findings).toEqual([{ field: '', code: 2030, message }])
    })

    it('keep lines of an import out of what they lock', async () => {
      await approved('G1')
      await create('G2')
      const rows = ['G1', 'G2', 'G1', 'G2'].map((orderNo, at) => `{ "orderNo": "${orderNo}", "lineNo": ${at + 2} }\n`)
      const headers = { 'content-type': 'application/x-ndjson' }
      const started = await send({ method: 'POST', url: '/v1/order-lines/batch', body: rows.join(''), headers })
      expect([started.status, started.status === 202 ? '' : started.text]).toEqual([202, ''])
      world().application.operations.start()
      const url = `/v1/batch-operations/${started.json.id}/status`
      await expect.poll(async () => (await send({ url })).json.status, { interval: 10 }).not.toMatch(/[NW]/)
      const linesOf = async (orderNo: string) =>
        (await send({ url: `${ORDERS}/${orderNo}` })).json.lines.map(({ lineNo }: { lineNo: number }) => lineNo)
      expect([await linesOf('G1'), await linesOf('G2')]).toEqual([[1], [1, 3, 5]])
    })

    it('are described: what this caller may do next, and what is locked then', async () => {
      const schemaFor = async (as: string, language?: string) => {
        const headers = { accept: 'application/schema+json', ...(language ? { 'accept-language': language } : {}) }
        return (await send({ as, url: '/v1/objects/orders', headers })).json.items['x-erp-state']
      }
      const locks = {
        approved: ['supplier', 'lines', 'tags'],
        sent: ['supplier', 'lines', 'tags', 'approvedBy', 'note'],
      }
      const meanings = { approved: 'success' }
      const common = { property: 'status', initial: 'draft', closed: 'closed', meanings, locks }
      const approve = { from: 'draft', to: 'approved', requires: ['approvedBy', 'lines'] }
      const send_ = { from: 'approved', to: 'sent', requires: ['sentOn'] }
      expect(await schemaFor('buyer')).toEqual({ ...common, transitions: [send_] })
      expect(await schemaFor('approver', 'no')).toEqual({
        ...common,
        transitions: [
          { ...approve, title: 'Godkjenn' },
          { from: 'approved', to: 'draft', title: 'Reopen', requires: [] },
          send_,
        ],
      })
      expect((await schemaFor('reader')).transitions).toEqual([])
      expect((await schemaFor('reader')).locks.sent).toEqual(['supplier', 'lines', 'tags', 'note'])
      // Those of built-in records have meanings, and no transitions.
      const headers = { accept: 'application/schema+json', 'accept-language': 'en' }
      const { items } = (await send({ as: 'values', url: '/v1/objects/attribute-values', headers })).json
      expect(items['x-erp-state']).toEqual({
        property: 'status',
        closed: 'C',
        meanings: { N: 'success', P: 'waiting' },
        transitions: [],
        locks: {},
      })
      const { components } = (await send({ url: '/openapi.json' })).json
      expect(components.schemas.OrdersRecord['x-erp-state'].transitions).toHaveLength(3)
    })
  },
  (kind) => startWorld(kind, 'test/fixtures/states.yaml'),
)

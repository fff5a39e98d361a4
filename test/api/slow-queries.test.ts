// The record of slow queries: shapes without values, bounded, aggregated, logged once.
import { expect, it } from 'vitest'
import { insertRows, ledger, objects } from '../support/object-records.ts'
import { onEachStore, startWorld } from '../support/world.ts'

onEachStore(
  'A slow query',
  (world) => {
    const ask = async (url: string, method: 'GET' | 'HEAD' = 'GET') => {
      expect((await world().send({ as: 'both', method, url })).status).toBe(200)
    }
    const kept = async () => {
      await world().application.slowQueries.write()
      return world().query('select * from slow_query order by document, question')
    }

    it('is recorded by its document, filter and order, without a value, and added up', async () => {
      const url = (name: string) =>
        objects('attribute-values', { filter: `description eq '${name}'`, orderBy: 'owner' })
      await ask(url('canary-one'))
      await ask(url('canary-two'))
      expect(await kept()).toMatchObject([{ document: 'attribute-values' }])
      await ask(url('canary-three'))
      await ask(objects('attribute-values', { filter: "description eq 'canary-one'" }), 'HEAD')
      await ask(ledger({ filter: 'period eq 202601' }))
      const rows = await kept()
      expect(JSON.stringify(rows)).not.toContain('canary')
      expect(
        rows.map(({ document, question, seen }) => [document, JSON.parse(String(question)), Number(seen)]),
      ).toEqual([
        ['attribute-values', { filter: 'description eq ?text', isCount: true }, 1],
        ['attribute-values', { filter: 'description eq ?text', order: 'owner' }, 3],
        [
          'general-ledger-transactions',
          { filter: 'period eq ?integer', scope: [{ column: 'state', isNumber: false, isList: true }] },
          1,
        ],
      ])
    })

    it('is logged once, and counted for the metrics by document only', async () => {
      for (const stage of [1, 2, 3]) await ask(objects('work-orders', { filter: `stage eq ${stage}` }))
      const told = world().observed.filter((one) => one.kind === 'slow-query' && one.document === 'work-orders')
      expect(told).toEqual([
        { kind: 'slow-query', document: 'work-orders', filter: 'stage eq ?', ms: expect.any(Number) },
      ])
      const metrics = await world().send({ url: '/metrics' })
      expect(metrics.text).toContain('tabularium_slow_queries_total{document="work-orders"} 3\n')
    })

    it('is dropped after hundreds of others', async () => {
      const old = Array.from({ length: 600 }, (_, at) => ({
        document: 'work-orders',
        question: JSON.stringify({ filter: `old ${at}` }),
        seen: 1,
        total_ms: 1,
        worst_ms: 1,
        last_seen: `2020-01-01T00:00:00.${String(at).padStart(3, '0')}Z`,
      }))
      await insertRows(world(), 'slow_query', old)
      await ask(objects('readings', { filter: 'value gt 1' }).replace('/v1/', '/v2/'))
      const rows = await kept()
      expect(rows.filter(({ document }) => document === 'readings')).toHaveLength(1)
      expect(rows).toHaveLength(501)
      expect(JSON.stringify(rows)).not.toContain('"old 99\\"')
    })
  },
  (kind) => startWorld(kind, 'test/fixtures/objects.yaml', '', { slowQueryMs: 0 }),
)

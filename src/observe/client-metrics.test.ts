import { Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { ClientMetrics } from './client-metrics.ts'
import { MetricRegistry } from './metric-registry.ts'

it('counts a hundred clients by name, and further ones and callers of issuers together', async () => {
  const registry = new MetricRegistry()
  const clients = new ClientMetrics(registry)
  for (let round = 0; round < 2; round++) {
    clients.add('foreign:https://issuer.example|someone', 200, undefined)
    for (let at = 0; at < 150; at++) clients.add(`client-${at}`, 422, 3010)
  }
  const lines = (await Registry.merge([registry]).metrics()).split('\n')
  const refused = lines.filter((line) => line.startsWith('tabularium_client_refusals_total{'))
  expect(refused.length).toBeLessThanOrEqual(101)
  expect(refused).toContain('tabularium_client_refusals_total{client="client-0",status="422",code="3010"} 2')
  const counts = refused.map((line) => Number(line.split(' ').at(-1)))
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(300)
  expect(lines).toContain('tabularium_client_requests_total{client="other",status="2xx"} 2')
})

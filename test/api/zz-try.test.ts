import { expect, it } from 'vitest'
import { onEachStore } from '../support/world.ts'
onEachStore('try', (world) => {
  it('x', async () => {
    const body = { requests: [
      { id: '1', method: 'POST', url: '/v1/attribute-values', body: { attributeId: 'C1', attributeValue: 'B1', description: 'x' } },
      { id: '2', method: 'patch', url: '$1', dependsOn: ['1'], headers: {'if-match': '$1'}, body: [{ op: 'replace', path: '/description', value: '$1/attributeValue' }] },
      { id: '3', method: 'get', url: '$1', dependsOn: ['2','1'] },
      { id: '4', method: 'get', url: 'attribute-values/C1?limit=1' },
      { id: '5', method: 'POST', url: '/v1/attribute-values', atomicityGroup: 'g', body: { attributeId: 'C1', attributeValue: 'B2', description: 'x' } },
      { id: '6', method: 'GET', url: '$5', atomicityGroup: 'g' },
      { id: '7', method: 'POST', url: '/v1/attribute-values', atomicityGroup: 'g', body: { attributeId: 'C1', attributeValue: 'B2', description: 'x' } },
      { id: '8', method: 'POST', url: '/v1/nothing' },
      { id: '9', method: 'PATCH', url: '/v1/attribute-values' },
    ] }
    const a = await world().send({ as: 'integration', method: 'POST', url: '/v1/batch', body, headers: { prefer: 'continue-on-error' } })
    console.log(a.status, JSON.stringify(a.headers), JSON.stringify(a.json, null, 1).slice(0, 9000))
  })
})

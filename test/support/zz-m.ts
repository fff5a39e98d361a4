import { serve, kill, call, temporaryFolder } from './process.ts'
const f = temporaryFolder()
for (let i = 0; i < 2; i++) { const t = performance.now(); const s = await serve(['--data', f.path, '--setup', 'test/fixtures/crash.yaml', '--shutdown-grace', '0']); console.log(Math.round(performance.now() - t))
if (i === 0) {
 const post = async (url: string, body: unknown, method = 'POST') => console.log(JSON.stringify(await call(s.address + url, { method, body })))
 await post('/v1/attribute-values', { attributeId: 'C1', attributeValue: 'K1', description: 'version 1', relatedValues: [{ relationId: 'REL1', relatedValue: '100' }] })
 await post('/v1/attribute-relations', { attributeId: 'C3', attributeValue: 'H0', relatedAttributeId: 'C1', relationValue: 'K1', percentage: 1, unitValue: 1 })
 await post('/v1/attribute-relations/C3/H0/C1/K1', [{ op: 'replace', path: '/percentage', value: 2 },{ op: 'replace', path: '/unitValue', value: 2 }], 'PATCH')
 await post('/v1/customers', { customerId: 'K1', customerName: 'version 1', contactPoints: [{ contactPointType: '1', address: { countryCode: 'NO', place: 'Oslo' } }], relatedValues: [{ relationId: 'REL2', relatedValue: '100' }] })
 await post('/v1/customers/K1', [{ op: 'replace', path: '/customerName', value: 'version 2' },{ op: 'replace', path: '/relatedValues/0/relatedValue', value: '200' }], 'PATCH')
 for (const o of ['attribute-values?filter=attributeId eq \'C1\'', 'attribute-relations', 'customers', 'document-archive']) console.log(o, (await call(s.address + '/v1/objects/' + o)).text.slice(0, 900))
 console.log((await import('./process.ts')).rowsOf(f.path, 'select entity, record_key, operation, entry_no from journal_entry where company_id = \'EN\' order by entry_no desc limit 12'))
 s.child.kill('SIGTERM'); await s.ended
} else await kill(s) }
f.remove()

import { readdirSync, readFileSync } from 'node:fs'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import autocannon from 'autocannon'
import { serve, kill, temporaryFolder, call, SETUP, listening } from '../test/support/process.ts'
const folder = temporaryFolder()
const extra = process.argv.slice(2)
const service = await serve(['--data', folder.path, '--setup', SETUP, ...extra.filter(x=>x.startsWith('--'))], process.env.PROF ? { environment: { NODE_OPTIONS: '--cpu-prof --cpu-prof-dir=/tmp/prof-cache' } } : {})
for (let i = 0; i < 200; i++) await call(`${service.address}/v1/attribute-values`, { method: 'POST', body: { attributeId: 'C1', attributeValue: `B${i}`, description: `value ${i}` } })
const token = JSON.parse((await (await fetch(`${service.address}/oauth/token`, { method: 'POST', headers: { authorization: 'Basic ' + Buffer.from('integration:a secret of the tests').toString('base64'), 'content-type': 'application/x-www-form-urlencoded' }, body: 'grant_type=client_credentials' })).text())).access_token
const single = `select json_object('attributeId', v.attribute_id,'attributeName', a.name,'attributeValue', v.attribute_value,'companyId', v.company_id,'contactPoints', json(v.contact_points),'customValue', v.custom_value,'description', v.description,'owner', v.owner,'periodFrom', v.period_from,'periodTo', v.period_to,'relatedValues', json((select json_group_array(json_object('x', r.relation_value)) from attribute_relation r where r.company_id = v.company_id and r.attribute_id = v.attribute_id and r.attribute_value = v.attribute_value)),'status', v.status) from attribute_value v join attribute a on a.company_id = v.company_id and a.attribute_id = v.attribute_id where v.company_id=? and v.attribute_id=? and v.attribute_value=? and v.period_from=?`
const floor = await listening({ child: spawn(process.execPath, ['.scratch/floor.mjs', folder.path + '/tabularium.db', single]), ended: new Promise(() => {}) } as never)
const hello = await listening({ child: spawn(process.execPath, ['.scratch/hello.mjs']), ended: new Promise(() => {}) } as never)
const cpu = (pid: number) => readdirSync(`/proc/${pid}/task`).reduce((sum, t) => sum + Number(readFileSync(`/proc/${pid}/task/${t}/schedstat`, 'utf8').split(' ')[0]), 0) / 1e9
const collection = '/v1/attribute-values/C1?limit=50'
const etag = (await fetch(service.address + collection, { headers: { authorization: `Bearer ${token}` } })).headers.get('etag')
const singles = Array.from({ length: 200 }, (_, i) => `/v1/attribute-values/C1/B${i}/0`)
const runs: [string, any, string[], Record<string, string>][] = [
  ['floor single', floor, singles, {}], ['service single', service, singles, {}],
  ['floor list', floor, [collection], {}], ['service list', service, [collection], {}],
  ['hello 304', hello, [collection], { 'if-none-match': etag ?? '' }], ['service 304', service, [collection], { 'if-none-match': etag ?? '' }],
  ['hello', hello, [collection], {}],
]
const N = Number(process.env.N ?? 15000)
const only = process.env.ONLY?.split(',')
const seen = new Map<string, number[]>()
for (let round = 0; round < Number(process.env.R ?? 3); round++) for (const [name, subject, urls, headers] of runs.filter(([n]) => !only || only.includes(n))) {
  let at = 0
  const go = (amount: number) => autocannon({ url: subject.address, connections: 32, amount, requests: [{ setupRequest: (r: any) => ({ ...r, path: urls[at++ % urls.length], headers: { authorization: `Bearer ${token}`, ...headers } }) }] })
  await go(round ? 300 : 4000)
  const threads = (pid: number) => new Map(readdirSync(`/proc/${pid}/task`).map((t) => [t, Number(readFileSync(`/proc/${pid}/task/${t}/schedstat`, 'utf8').split(' ')[0]) / 1e3]))
  const tb = threads(subject.child.pid)
  const before = cpu(subject.child.pid)
  const r = await go(N)
  const spent = cpu(subject.child.pid) - before
  if (process.env.THREADS) console.log(name, [...threads(subject.child.pid)].map(([t, v]) => `${readFileSync(`/proc/${subject.child.pid}/task/${t}/comm`, 'utf8').trim()}=${((v - (tb.get(t) ?? 0)) / N).toFixed(1)}`).filter((x) => !x.endsWith('=0.0')).join(' '))
  seen.set(name, [...(seen.get(name) ?? []), spent / N * 1e6]); if (r.non2xx && !name.includes('304')) console.log(name, r.statusCodeStats)
}
for (const [name, all] of seen) { all.sort((x, y) => x - y); console.log(name.padEnd(16), 'median', all[all.length >> 1]!.toFixed(1), 'min', all[0]!.toFixed(1)) }
console.log((await (await fetch(service.address + '/metrics')).text()).split('\n').filter((l) => /answer/.test(l) && !l.startsWith('#')).join('\n'))
service.child.kill('SIGTERM'); await service.ended
floor.child.kill(); hello.child.kill()
folder.remove()
process.exit(0)

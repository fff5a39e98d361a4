import { createServer } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
const db = new DatabaseSync(process.argv[2], { readOnly: true })
const one = db.prepare(process.argv[3], { returnArrays: true })
const list = db.prepare(`select json_group_array(json(x)) from (select json_object('attributeId',attribute_id,'attributeValue',attribute_value,'companyId',company_id,'customValue',custom_value,'description',description,'owner',owner,'periodFrom',period_from,'periodTo',period_to,'status',status) as x from attribute_value where company_id='EN' and attribute_id='C1' order by attribute_value limit 50)`, { returnArrays: true })
createServer((request, response) => {
  const url = request.url ?? ''
  const text = url.includes('?') ? list.get()[0] : one.get('EN', 'C1', url.split('/')[4], 0)[0]
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
  response.end(text)
}).listen(0, '127.0.0.1', function () { process.stdout.write(`listening on http://127.0.0.1:${this.address().port}\n`) })

import { createServer } from 'node:http'
const text='x'.repeat(600)
createServer((request, response) => {
  if (request.headers['if-none-match']) { response.writeHead(304, ['etag','"x"']); response.end(); return }
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': 600 })
  response.end(text)
}).listen(0, '127.0.0.1', function () { process.stdout.write(`listening on http://127.0.0.1:${this.address().port}\n`) })

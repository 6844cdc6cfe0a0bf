// Reads request bodies, counts their bytes and answers like an extractor. Plain JavaScript: started as it is.
import { createServer } from 'node:http'

let received = 0n

const server = createServer((request, response) => {
  if (request.url === '/count') {
    response.end(String(received))
    return
  }
  if (request.url.startsWith('/v2/token')) {
    response.setHeader('content-type', 'application/json')
    response.end('{"access_token":"t","token_type":"x-api-key","expires_in":"3600"}')
    return
  }
  request.on('data', (data) => {
    received += BigInt(data.length)
  })
  request.on('end', () => response.end('{"status":"success","data":{},"metadata":{}}'))
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`))

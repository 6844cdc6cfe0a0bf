// A platform in a process of its own: reads documents, counts their bytes and answers after `DELAY` ms. Plain
// JavaScript: started as it is.
import { createServer } from 'node:http'

const delayMs = Number(process.argv[2] ?? 0)
let bytes = 0n
let documents = 0
let firstAt = 0
let lastAt = 0

const server = createServer((request, response) => {
  if (request.url === '/figures') {
    response.end(JSON.stringify({ bytes: String(bytes), documents, spanMs: lastAt - firstAt }))
    return
  }
  response.setHeader('content-type', 'application/json')
  if (request.url.startsWith('/v2/token')) {
    response.end('{"access_token":"t","token_type":"x-api-key","expires_in":"3600"}')
    return
  }
  firstAt ||= performance.now()
  request.on('data', (data) => (bytes += BigInt(data.length)))
  request.on('end', () =>
    setTimeout(() => {
      documents += 1
      lastAt = performance.now()
      response.end('{"status":"success","data":{"invoice_number":"R-1","total_amount":12.5},"metadata":{}}')
    }, delayMs),
  )
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`))

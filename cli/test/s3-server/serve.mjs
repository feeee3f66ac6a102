// Starts an S3 server with an empty bucket in a folder and prints its address: `node serve.mjs FOLDER BUCKET`. The key is S3RVER, its secret too.
// s3rver checks neither signatures of version 4 nor conditions of writes: both are checked here, signatures with the signer of AWS.
import { createServer } from 'node:http'
import { Sha256 } from '@aws-crypto/sha256-js'
import { SignatureV4 } from '@smithy/signature-v4'
import S3rver from 's3rver'

const [directory, bucket] = process.argv.slice(2)
const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }
const s3 = new S3rver({ directory, silent: true, configureBuckets: [{ name: bucket }] })
await s3.configureBuckets()
const handle = s3.callback()

const server = createServer(async (request, response) => {
  if (!(await isSigned(request))) return refuse(response, 403, 'SignatureDoesNotMatch')
  if (!(await isConditionMet(request))) return refuse(response, 412, 'PreconditionFailed')
  return handle(request, response)
})
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))

/** Whether AWS would compute the same signature from the request. */
async function isSigned({ method, url, headers }) {
  const given = headers.authorization ?? ''
  const [, region] = /Credential=[^/]+\/\d{8}\/([^/]+)\/s3\/aws4_request/.exec(given) ?? []
  const names = /SignedHeaders=([^,]+)/.exec(given)?.[1]?.split(';') ?? []
  const date = headers['x-amz-date']
  if (region === undefined || date === undefined || !names.includes('host')) return false
  const { pathname, searchParams } = new URL(url, 'http://unused')
  const signer = new SignatureV4({ credentials, region, service: 's3', sha256: Sha256, uriEscapePath: false })
  const signed = await signer.sign(
    {
      method,
      protocol: 'http:',
      hostname: '127.0.0.1',
      path: pathname,
      query: Object.fromEntries(searchParams),
      headers: Object.fromEntries(names.map((name) => [name, headers[name]])),
    },
    { signingDate: toDate(date) },
  )
  const read = (text) => /Signature=([0-9a-f]+)/.exec(text)?.[1]
  return read(given) === read(signed.headers.authorization)
}

function toDate(text) {
  return new Date(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
}

async function isConditionMet({ method, url, headers }) {
  if (method !== 'PUT') return true
  const [, , ...key] = decodeURIComponent(new URL(url, 'http://unused').pathname).split('/')
  const object = await s3.store.getObject(bucket, key.join('/')).catch(() => null)
  const etag = object?.metadata?.etag ?? null
  object?.content?.destroy()
  if (headers['if-none-match'] === '*' && etag !== null) return false
  return headers['if-match'] === undefined || headers['if-match'] === etag
}

function refuse(response, status, code) {
  response
    .writeHead(status, { 'content-type': 'application/xml' })
    .end(`<Error><Code>${code}</Code><Message>Refused by the test server.</Message></Error>`)
}

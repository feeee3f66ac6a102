import { openAsBlob } from 'node:fs'
import { open } from 'node:fs/promises'
import { AwsClient } from 'aws4fetch'
import { CliError, exitCodes } from '../exit.ts'

export interface S3Target {
  readonly bucket: string
  /** Without a slash at its ends. */
  readonly prefix: string
}

/** The objects below a prefix of a bucket. */
export interface S3Folder {
  /** Writes the object to a file and returns its ETag; null if it does not exist. */
  download(name: string, file: string): Promise<string | null>
  upload(name: string, file: string): Promise<void>
  /** Writes the object if it still has the ETag, or does not exist (null), and returns the new ETag. */
  replace(name: string, text: string, etag: string | null): Promise<string>
  remove(name: string): Promise<void>
  /** Names of at most 1,000 objects of ours below a folder: letters, digits, hyphens and periods. */
  list(folder: string): Promise<string[]>
}

export function parseS3Target(target: string): S3Target {
  const [, bucket, prefix = ''] = /^s3:\/\/([^/]+)(?:\/(.*))?$/.exec(target) ?? []
  if (bucket === undefined) {
    throw new CliError(`"${target}" does not name a bucket.`, {
      next: 'Use, for example, s3://warehouse/scholiast.',
      exitCode: exitCodes.usage,
    })
  }
  return { bucket, prefix: prefix.replace(/^\/+|\/+$/g, '') }
}

/** The address of a bucket. Amazon wants it in the host name; other servers are addressed by path, which all of them support. */
export function toBucketUrl(bucket: string, env: NodeJS.ProcessEnv): string {
  const endpoint = env['AWS_ENDPOINT_URL_S3'] || env['AWS_ENDPOINT_URL']
  if (endpoint) return `${endpoint.replace(/\/+$/, '')}/${encodeURIComponent(bucket)}`
  const host = `s3.${toRegion(env)}.amazonaws.com`
  // A certificate does not cover a name with further periods.
  return bucket.includes('.') ? `https://${host}/${bucket}` : `https://${bucket}.${host}`
}

function toRegion(env: NodeJS.ProcessEnv): string {
  return env['AWS_REGION'] || env['AWS_DEFAULT_REGION'] || 'us-east-1'
}

export function openS3Folder({ bucket, prefix }: S3Target, env: NodeJS.ProcessEnv): S3Folder {
  const bucketUrl = toBucketUrl(bucket, env)
  const client = createAwsClient(env)
  const toUrl = (name: string) => {
    const key = prefix === '' ? name : `${prefix}/${name}`
    return `${bucketUrl}/${key.split('/').map(encodeName).join('/')}`
  }

  async function send(url: string, init: RequestInit, expected: readonly number[] = []): Promise<Response> {
    const response = await client.fetch(url, init).catch((error: unknown) => {
      throw toUnreachable(bucketUrl, error)
    })
    if (response.ok || expected.includes(response.status)) return response
    throw await toRefusal(response)
  }

  return {
    async download(name, file) {
      const response = await send(toUrl(name), {}, [404])
      if (response.status === 404) return refuseMissingBucket(response)
      const handle = await open(file, 'w')
      try {
        await handle.writeFile(response.body ?? '')
      } catch (error) {
        throw error instanceof TypeError ? toUnreachable(bucketUrl, error) : error
      } finally {
        await handle.close()
      }
      return response.headers.get('etag')
    },
    async upload(name, file) {
      await send(toUrl(name), { method: 'PUT', body: await openAsBlob(file) })
    },
    async replace(name, text, etag) {
      const condition = etag === null ? { 'if-none-match': '*' } : { 'if-match': etag }
      const response = await send(toUrl(name), { method: 'PUT', body: text, headers: condition }, [409, 412])
      if (response.ok) return response.headers.get('etag') ?? ''
      throw new CliError(`Another run has written to s3://${bucket}/${prefix} in the meantime.`, {
        next: 'Run the command again when no other run is under way.',
        exitCode: exitCodes.conflict,
      })
    },
    async remove(name) {
      await send(toUrl(name), { method: 'DELETE' }, [404])
    },
    async list(folder) {
      const query = new URLSearchParams({
        'list-type': '2',
        prefix: `${prefix === '' ? '' : `${prefix}/`}${folder}/`,
      })
      const text = await (await send(`${bucketUrl}?${query.toString()}`, {})).text()
      return [...text.matchAll(/\/([\w.-]+)<\/Key>/g)].map(([, name = '']) => name)
    },
  }
}

/** As signatures want it: encodeURIComponent leaves five characters more as they are. */
function encodeName(name: string): string {
  return encodeURIComponent(name).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function createAwsClient(env: NodeJS.ProcessEnv): AwsClient {
  const {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: token,
  } = env
  if (!accessKeyId || !secretAccessKey) {
    throw new CliError('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are required for s3://.', {
      next: 'Set both. With the AWS CLI: eval "$(aws configure export-credentials --format env)".',
      exitCode: exitCodes.usage,
    })
  }
  return new AwsClient({
    accessKeyId,
    secretAccessKey,
    ...(token && { sessionToken: token }),
    service: 's3',
    region: toRegion(env),
    retries: 5,
    initRetryMs: 500,
  })
}

async function refuseMissingBucket(response: Response): Promise<null> {
  const error = await toRefusal(response)
  if (error.message.includes('NoSuchBucket')) throw error
  return null
}

async function toRefusal(response: Response): Promise<CliError> {
  const text = await response.text()
  const read = (tag: string) => new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(text)?.[1] ?? ''
  return new CliError(`S3 returned ${response.status} ${read('Code')}: ${read('Message')}`.trim(), {
    next: 'Check the bucket, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION and, if it is not Amazon, AWS_ENDPOINT_URL.',
    exitCode: response.status >= 500 ? exitCodes.unavailable : exitCodes.failure,
  })
}

function toUnreachable(bucketUrl: string, error: unknown): CliError {
  const { cause } = error as { cause?: { code?: string } }
  return new CliError(
    `${bucketUrl} cannot be reached${cause?.code === undefined ? '' : `: ${cause.code}`}.`,
    {
      next: 'Check AWS_REGION and AWS_ENDPOINT_URL, then run the command again: it continues.',
      exitCode: exitCodes.unavailable,
    },
  )
}

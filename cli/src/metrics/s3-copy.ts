import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CliError } from '../exit.ts'
import type { Copy, Review } from './copy.ts'
import { type FileCopyOptions, MANIFEST, openFileCopy, readManifest, STATE_FOLDER } from './file-copy.ts'
import { openS3Folder, parseS3Target, type S3Folder } from './s3.ts'

export interface S3CopyOptions extends Omit<FileCopyOptions, 'folder'> {
  readonly target: string
  readonly env: NodeJS.ProcessEnv
}

/**
 * A copy in a bucket: that of a folder, whose state is downloaded at the beginning and uploaded by `publish`. The manifest is
 * written last, and only if it is still the one that was read: a run that was killed or overtaken leaves the copy as it was.
 */
export async function openS3Copy({ target, env, ...options }: S3CopyOptions): Promise<Copy> {
  const bucket = openS3Folder(parseS3Target(target), env)
  const folder = await mkdtemp(join(tmpdir(), 'scholiast-sync-'))
  const state = join(folder, STATE_FOLDER)
  try {
    await mkdir(state)
    const etag = await bucket.download(`${STATE_FOLDER}/${MANIFEST}`, join(state, MANIFEST))
    const local = await openFileCopy({ ...options, folder })
    const base = (await readManifest(state))?.base ?? null
    if (base !== null && (await bucket.download(`${STATE_FOLDER}/${base}`, join(state, base))) === null)
      throw new CliError(`${target} lacks ${STATE_FOLDER}/${base}.`, {
        next: 'Add --restart to make the copy again.',
      })
    const isNew = etag === null || options.restart
    return new S3Copy({ bucket, local, folder, etag, target, format: options.format, isNew })
  } catch (error) {
    await rm(folder, { recursive: true })
    throw error
  }
}

interface OpenS3Copy {
  readonly bucket: S3Folder
  readonly local: Copy
  readonly folder: string
  /** The manifest's; null if there is none. */
  readonly etag: string | null
  readonly target: string
  readonly format: string
  readonly isNew: boolean
}

class S3Copy implements Copy {
  readonly #bucket: S3Folder
  readonly #local: Copy
  readonly #folder: string
  readonly #target: string
  readonly #format: string
  #etag: string | null
  #hasChanges: boolean
  #hasReviews = false

  constructor({ bucket, local, folder, etag, target, format, isNew }: OpenS3Copy) {
    this.#bucket = bucket
    this.#local = local
    this.#folder = folder
    this.#etag = etag
    this.#target = target.replace(/\/+$/, '')
    this.#format = format
    this.#hasChanges = isNew
  }

  get location(): string {
    return `${this.#target}/review-comments.${this.#format}`
  }

  cursor(): string | null {
    return this.#local.cursor()
  }

  apply(body: AsyncIterable<Uint8Array>, onLines: (lines: Uint8Array) => void) {
    return this.#local.apply(body, (lines) => {
      this.#hasChanges = true
      onLines(lines)
    })
  }

  async replaceReviews(pages: AsyncIterable<readonly Review[]>): Promise<void> {
    await this.#local.replaceReviews(pages)
    this.#hasReviews = true
  }

  async publish(): Promise<void> {
    if (this.#hasReviews) await this.#upload(`reviews.${this.#format}`)
    this.#hasReviews = false
    if (!this.#hasChanges) return
    await this.#local.publish()
    await this.#upload(`review-comments.${this.#format}`)
    await this.#uploadState()
    this.#hasChanges = false
  }

  async close(): Promise<void> {
    await this.#local.close()
    await rm(this.#folder, { recursive: true })
  }

  #upload(name: string): Promise<void> {
    return this.#bucket.upload(name, join(this.#folder, name))
  }

  async #uploadState(): Promise<void> {
    const state = join(this.#folder, STATE_FOLDER)
    const manifest = await readManifest(state)
    if (manifest?.base == null) throw new Error('The copy has no base.')
    // A name of its own: a run at the same time does not overwrite it.
    const base = `base-${randomUUID()}.jsonl`
    await this.#bucket.upload(`${STATE_FOLDER}/${base}`, join(state, manifest.base))
    // The tables are made from the base again.
    const stored = JSON.stringify({ ...manifest, base, table: null, reviews: null }, null, 2)
    this.#etag = await this.#bucket.replace(`${STATE_FOLDER}/${MANIFEST}`, `${stored}\n`, this.#etag)
    for (const name of await this.#bucket.list(STATE_FOLDER))
      if (name !== base && name !== MANIFEST) await this.#bucket.remove(`${STATE_FOLDER}/${name}`)
  }
}

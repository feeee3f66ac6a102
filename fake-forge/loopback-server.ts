import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ContractError } from './contract.ts'
import { type GitPath, parseGitPath } from './git-http.ts'

/** What the fake forges have in common: a server on loopback that remembers what their contracts do not allow. */
export abstract class LoopbackServer {
  /** Every response or hook that the forge's description does not allow, and every request that the fake does not know. */
  readonly violations: string[] = []
  /** Called by POST /fake/step. */
  onStep: (() => void) | null = null
  readonly #server = createServer((request, response) => void this.#serve(request, response))
  #url = ''

  /** Where the pages and git repositories are. */
  get url(): string {
    return this.#url
  }

  protected async listen(port = 0): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#server.listen(port, '127.0.0.1', resolve)
    await promise
    this.#url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Throws if a response or a hook broke the description of the forge. */
  async close(): Promise<void> {
    await this.flushHooks()
    this.#server.closeAllConnections()
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#server.close(() => resolve())
    await promise
    if (this.violations.length > 0) throw new ContractError(this.violations.join('\n\n'))
  }

  protected abstract flushHooks(): Promise<void>
  protected abstract serveGit(
    request: IncomingMessage,
    response: ServerResponse,
    path: GitPath,
    url: URL,
  ): void
  protected abstract serveApi(
    request: IncomingMessage,
    response: ServerResponse,
    url: URL,
    body: string,
  ): Promise<void>

  protected reportViolation(error: unknown): void {
    this.violations.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const url = new URL(request.url ?? '/', this.#url)
      if (url.pathname === '/fake/step') return this.#step(response)
      const git = parseGitPath(decodeURIComponent(url.pathname))
      if (git !== null) return this.serveGit(request, response, git, url)
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      await this.serveApi(request, response, url, Buffer.concat(chunks).toString())
    } catch (error) {
      this.reportViolation(error)
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain' })
      response.end(String(error))
    }
  }

  #step(response: ServerResponse): void {
    this.onStep?.()
    response.writeHead(this.onStep === null ? 404 : 204).end()
  }
}

import { useState } from 'react'
import { client, organizationHeaders } from '../api/client.ts'
import type { Read } from '../api/query.ts'
import { serviceUrl } from '../base.ts'
import { useOrganization } from '../frame/use-organization.ts'
import { Button } from './button.tsx'
import { Problem } from './problem.tsx'

/** Puts the request behind a view on the clipboard, with a variable in place of the key. */
export function CopyCurl({ read }: { readonly read: Read }) {
  const [state, setState] = useState<'ready' | 'copied' | 'failed'>('ready')
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(renderCurl(read))
      setState('copied')
    } catch {
      setState('failed')
    }
  }
  const labels = { ready: 'Copy as curl', copied: 'Copied', failed: 'Not allowed by the browser' }
  return (
    <span aria-live="polite">
      <Button onClick={() => void copy()}>{labels[state]}</Button>
    </span>
  )
}

function renderCurl({ path, params = {}, query = {} }: Read): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const url = new URL(filled.slice(1), serviceUrl)
  for (const [name, value] of Object.entries(query))
    if (value != null) url.searchParams.set(name, String(value))
  return `curl -H "x-service-api-key: $SCHOLIAST_API_KEY" '${url.href}'`
}

interface FileOfRead {
  readonly read: Read
  /** The name of the file, without its extension. */
  readonly name: string
}

/** Saves the CSV that the API returns for the view, all pages of it. */
export function DownloadCsv(file: FileOfRead) {
  return <Download {...file} format="csv" label="CSV" accept="text/csv" />
}

/** Saves the SARIF file that the API returns for the view. */
export function DownloadSarif(file: FileOfRead) {
  return <Download {...file} format="sarif" label="SARIF" accept="application/sarif+json" />
}

interface DownloadProps extends FileOfRead {
  readonly format: string
  readonly label: string
  readonly accept: string
}

function Download({ read, name, format, label, accept }: DownloadProps) {
  const organization = useOrganization()
  const readParts = async () => {
    const parts: string[] = []
    let cursor: string | null = null
    do {
      const response = await client.stream('GET', read.path, {
        params: read.params,
        query: { ...read.query, format, ...(cursor !== null && { cursor }) },
        headers: { ...organizationHeaders(organization), accept },
      })
      const text = await response.text()
      // Only the first page of a table has the names of its columns.
      parts.push(cursor === null ? text : text.slice(text.indexOf('\n') + 1))
      cursor = response.headers.get('x-next-cursor')
    } while (cursor !== null)
    return parts
  }
  return <Save file={`${name}.${format}`} type={accept} label={label} readParts={readParts} />
}

interface SaveProps {
  readonly file: string
  readonly type: string
  readonly label: string
  readonly readParts: () => Promise<string[]>
}

function Save({ file, type, label, readParts }: SaveProps) {
  const [error, setError] = useState<Error | null>(null)
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    setError(null)
    try {
      saveFile(file, new Blob(await readParts(), { type }))
    } catch (failure) {
      setError(failure instanceof Error ? failure : new Error(String(failure)))
    }
    setBusy(false)
  }
  return (
    <>
      <Button busy={busy} onClick={() => void save()}>
        {busy ? 'Preparing…' : label}
      </Button>
      {error === null ? null : <Problem error={error} what={`${label} file`} onRetry={() => void save()} />}
    </>
  )
}

interface SaveCsvProps {
  readonly name: string
  /** All rows, the names of the columns first. */
  readonly rows: () => Rows | Promise<Rows>
}

/** Saves the rows of a view for which the API has no CSV. */
export function SaveCsv({ name, rows }: SaveCsvProps) {
  return (
    <Save
      file={`${name}.csv`}
      type="text/csv"
      label="CSV"
      readParts={async () => [renderCsv(await rows())]}
    />
  )
}

type Cell = string | number | boolean | null
type Rows = readonly (readonly Cell[])[]

// As in the service: what starts a formula in a spreadsheet, plain and full-width, and what it skips before one.
const formula = /^[=+\-@＝＋－＠]/
const skipped = /^[\t\r\n]/

function renderCsv(rows: Rows): string {
  return rows.map((row) => `${row.map(renderCell).join(',')}\r\n`).join('')
}

function renderCell(cell: Cell): string {
  const isFormula = typeof cell === 'string' && (skipped.test(cell) || formula.test(cell.trimStart()))
  const text = isFormula ? `'${cell}` : String(cell ?? '')
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Saves a file that was made here. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

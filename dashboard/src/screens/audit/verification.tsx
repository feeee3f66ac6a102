import { type UseQueryResult, useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { serviceUrl } from '../../base.ts'
import { useOrganization } from '../../frame/use-organization.ts'
import { Button } from '../../ui/button.tsx'
import { formatCount, formatCounted, formatTime } from '../../ui/format.ts'
import { Command } from '../../ui/load.tsx'
import { Note, Section } from '../../ui/page.tsx'
import { Problem } from '../../ui/problem.tsx'
import styles from './audit.module.css'
import { type ChainState, type Progress, verifyWholeChain } from './chain.ts'
import type { AuditRow } from './log.ts'

interface VerificationProps {
  readonly rows: readonly AuditRow[]
  /** How many rows match the filters. */
  readonly total: number
  readonly segment: UseQueryResult<ChainState>
}

export function Verification({ rows, total, segment }: VerificationProps) {
  const organization = useOrganization()
  const [progress, setProgress] = useState<Progress | null>(null)
  const abort = useRef<AbortController | null>(null)
  useEffect(() => () => abort.current?.abort(), [])
  const run = useMutation({
    mutationFn: () => {
      abort.current = new AbortController()
      const { signal } = abort.current
      const verified = { rows: listPositions(rows), loaded: rows.length, total }
      return verifyWholeChain(organization, rows, { signal, onProgress: setProgress }).then((chain) => ({
        ...verified,
        chain,
      }))
    },
  })
  const isOutdated = run.data !== undefined && run.data.rows !== listPositions(rows)
  const state = run.data?.chain ?? segment.data
  return (
    <Section
      title="Is the log intact?"
      notes={
        <>
          <Note>
            <b>What a hash proves.</b> Each row has a hash of its content and of the row before it. A row that
            was changed, removed or inserted no longer fits. Only signatures show that the log was not
            rewritten as a whole.
          </Note>
          {state !== undefined && !state.isSigning ? (
            <Note>
              <b>Nothing is signed yet.</b> See below how the operator of the service turns signing on.
            </Note>
          ) : null}
        </>
      }
    >
      <p>
        The rows on this page are verified when they are loaded. The button reads the chain of all rows and
        verifies it in your browser.
      </p>
      <div className={styles['progress']}>
        <Button kind="main" busy={run.isPending} onClick={() => run.mutate()}>
          Verify the whole chain
        </Button>
        {run.isPending && progress !== null ? <Step {...progress} /> : null}
      </div>
      <div aria-live="polite">
        {run.isPending || run.data === undefined ? null : isOutdated ? (
          <p>The rows below have changed since the verification. Verify the chain again.</p>
        ) : (
          <Result state={run.data.chain} loaded={run.data.loaded} total={run.data.total} />
        )}
      </div>
      {run.error === null ? null : (
        <Problem error={run.error} what="hash chain" onRetry={() => run.mutate()} />
      )}
      {state !== undefined && !state.isSigning ? <SwitchOnSigning /> : null}
      <p>To verify the content of every row, and without trusting this page, use the command line:</p>
      <Command>{renderCommands(run.data?.chain)}</Command>
    </Section>
  )
}

/** Names the rows whose content was verified. */
function listPositions(rows: readonly AuditRow[]): string {
  return rows.map(({ position }) => position).join()
}

function Step({ step, rows, of }: Progress) {
  const texts = {
    reading: `Reading the chain: ${formatCounted(rows, 'row')}`,
    waiting: `Waiting for the rate limit after ${formatCounted(rows, 'row')}`,
    verifying: `Verified ${formatCount(rows)} of ${formatCounted(of ?? 0, 'row')}`,
  }
  return (
    <>
      <progress aria-label="Verification" {...(of !== null && { value: rows, max: of })} />
      <span>{texts[step]}</span>
    </>
  )
}

interface ResultProps {
  readonly state: ChainState
  readonly loaded: number
  readonly total: number
}

function Result({ state, loaded, total }: ResultProps) {
  const { verification, signedAt } = state
  if (verification.state === 'broken')
    return (
      <div className={`${styles['result']} ${styles['broken']}`} role="alert">
        <h3>The log is not intact</h3>
        <p>
          <b>{verification.fault}</b> Rows after it were not verified. Compare the log with an earlier export,
          and report this to the operator of the service.
        </p>
      </div>
    )
  if (verification.state === 'unknown')
    return (
      <div className={styles['result']}>
        <h3>Nothing was verified</h3>
        <p>Your browser cannot verify it, because {verification.reason}. Use the command line below.</p>
      </div>
    )
  const { result, first, last } = verification
  const verified = result.heads - result.unverified_heads
  return (
    <div className={styles['result']}>
      <h3>
        The log is intact: {formatCounted(result.rows, 'row')}, {formatCount(first)} to {formatCount(last)}
      </h3>
      <p>Verified:</p>
      <ul>
        <li>No row is missing, and each hash follows from the row before it.</li>
        {verified > 0 ? (
          <li>
            {formatCounted(verified, 'signed head')} {verified === 1 ? 'matches' : 'match'}. The last one was
            signed on {formatTime(signedAt)} and covers row {formatCount(result.signed_to)}. Signing keys:{' '}
            <code>{result.keys.join(', ')}</code>
          </li>
        ) : null}
        <li>The content of the {formatCounted(loaded, 'row')} shown below is what was hashed.</li>
      </ul>
      <p>Not verified:</p>
      <ul>
        {total > loaded ? (
          <li>
            The content of {formatCounted(total - loaded, 'matching row')} not shown on this page, and of rows
            that you cannot read. Of these, only the hashes were verified.
          </li>
        ) : (
          <li>
            The content of rows that the filters hide or that you cannot read. Only their hashes were
            verified.
          </li>
        )}
        {result.unverified_heads > 0 ? (
          <li>{formatCounted(result.unverified_heads, 'signature')}: your browser has no Ed25519.</li>
        ) : null}
        {result.signed_to < last ? (
          <li>
            {result.signed_to === 0
              ? 'Nothing is signed yet'
              : `Rows after ${formatCount(result.signed_to)} are not signed yet`}
            : a rewrite of all of them would not be noticed.
          </li>
        ) : null}
        {verified > 0 ? (
          <li>Who owns the signing keys: compare their IDs with those that you noted earlier.</li>
        ) : null}
      </ul>
    </div>
  )
}

function SwitchOnSigning() {
  return (
    <>
      <p>
        To turn signing on, the operator of the service adds two settings to the environment of the worker and
        restarts it. The first signature follows within five minutes.
      </p>
      <Command>{`echo "AUDIT_SIGNING_KEY=$(openssl rand -base64 32)" >> .env
echo 'AUDIT_HEADS_FILE=/var/lib/scholiast/heads.jsonl' >> .env`}</Command>
    </>
  )
}

function renderCommands(state: ChainState | undefined): string {
  const keys = state?.verification.state === 'intact' ? state.verification.result.keys : []
  const pinned = keys.length > 0 ? ` --keys ${keys.join(',')}` : ''
  return `export SCHOLIAST_URL='${serviceUrl.href.replace(/\/$/, '')}'   # and SCHOLIAST_API_KEY
scholiast audit export --out audit.jsonl
scholiast audit verify audit.jsonl${pinned}`
}

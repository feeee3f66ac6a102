import { ScholiastError } from '@scholiast/sdk'
import { useEffect, useEffectEvent, useState } from 'react'
import { signInHref } from '../base.ts'
import { explainRefusal, nameRefusal } from '../texts.ts'
import { Button } from './button.tsx'
import styles from './load.module.css'

interface ProblemProps {
  readonly error: Error
  readonly what: string
  readonly onRetry: () => void
}

interface Explanation {
  readonly title: string
  readonly next: string
}

/** What happened, why, and what to do next. A failure that passes by itself is retried when the service says so. */
export function Problem({ error, what, onRetry }: ProblemProps) {
  const { title, next } = explain(error, what)
  const status = error instanceof ScholiastError ? error.status : null
  const waitSeconds =
    error instanceof ScholiastError && passesByItself(error) ? (error.retryAfter ?? 5) : null
  const needsSignIn = status === 401 || isStale(error)
  return (
    <div className={styles['problem']} role="group" aria-label={title}>
      {/* Without the countdown, of which a screen reader would read every second. */}
      <div role="alert">
        <h2>{title}</h2>
        <p>{next}</p>
        <p className={styles['small']}>{describeSource(error)}</p>
      </div>
      <div className={styles['actions']}>
        {needsSignIn ? <a href={signInHref({ fresh: status === 403 })}>Sign in again</a> : null}
        {status === 401 || status === 403 ? null : <Button onClick={onRetry}>Retry now</Button>}
        {waitSeconds === null ? null : <Countdown error={error} seconds={waitSeconds} onEnd={onRetry} />}
      </div>
    </div>
  )
}

interface FailureProps {
  readonly error: Error
  /** What was not done: `The seat was not released.` */
  readonly title: string
}

/** A change that the service refused or that failed: what it said, near the button. Nothing is repeated by itself. */
export function Failure({ error, title }: FailureProps) {
  const isRefused = error instanceof ScholiastError && error.status === 403
  const needsSignIn = isStale(error) || (error instanceof ScholiastError && error.status === 401)
  return (
    <div className={styles['problem']} role="alert">
      <h3>{title}</h3>
      <p>{isRefused ? explainRefusal(error.code) : error.message}</p>
      <p className={styles['small']}>{describeSource(error)}</p>
      {needsSignIn ? (
        <div className={styles['actions']}>
          <a href={signInHref({ fresh: isRefused })}>Sign in again</a>
        </div>
      ) : null}
    </div>
  )
}

interface CountdownProps {
  readonly error: Error
  readonly seconds: number
  readonly onEnd: () => void
}

/** One retry for each failure: the error stays while the retry runs, and the next one begins a new countdown. */
function Countdown({ error, seconds, onEnd }: CountdownProps) {
  const [state, setState] = useState({ error, left: Math.max(1, seconds) })
  const left = state.error === error ? state.left : Math.max(1, seconds)
  const retry = useEffectEvent(onEnd)
  useEffect(() => {
    if (left === 0) return undefined
    const timer = setTimeout(() => {
      setState({ error, left: left - 1 })
      if (left === 1) retry()
    }, 1000)
    return () => clearTimeout(timer)
  }, [error, left])
  return (
    <span className={styles['small']}>
      {left === 0 ? 'Retrying…' : `Retrying automatically in ${left} s.`}
    </span>
  )
}

function passesByItself({ status }: ScholiastError): boolean {
  return status === 0 || status === 429 || status === 503
}

function isStale(error: Error): boolean {
  return error instanceof ScholiastError && error.code === 'REAUTHENTICATION_REQUIRED'
}

function explain(error: Error, what: string): Explanation {
  if (!(error instanceof ScholiastError))
    return {
      title: `The ${what} could not be shown.`,
      next: 'Reload the page. If it happens again, report it.',
    }
  const { status, code, message } = error
  if (status === 401)
    return {
      title: 'You are signed out.',
      next: 'Your session ended, or your account was deactivated. What you see here may be out of date.',
    }
  if (status === 403) return { title: nameRefusal(code, what), next: explainRefusal(code) }
  if (status === 404) return { title: `The ${what} could not be found.`, next: message }
  if (status === 429)
    return { title: 'Too many requests.', next: 'You have reached your rate limit. Nobody else is affected.' }
  if (status === 503 || status === 0)
    return {
      title:
        status === 0
          ? 'The service cannot be reached.'
          : 'The service is busy, or part of it is unavailable.',
      next: `The ${what} could not be loaded. Your filters stay in the address of this page.`,
    }
  if (status >= 500)
    return {
      title: 'The service failed.',
      next: 'Report the request ID below to the operator of the service.',
    }
  return { title: `The ${what} could not be loaded.`, next: message }
}

function describeSource(error: Error): string {
  if (!(error instanceof ScholiastError)) return error.message
  const parts = [error.status === 0 ? error.message : `${error.status} ${error.code}`]
  if (error.requestId !== undefined) parts.push(`request ID ${error.requestId}`)
  return parts.join(' · ')
}

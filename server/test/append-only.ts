import { spawnSync } from 'node:child_process'

/** Sets or clears the append-only attribute of a file or folder. */
export function setAppendOnly(path: string, appendOnly: boolean): void {
  const { status, stderr, error } = spawnSync('chattr', [appendOnly ? '+a' : '-a', path], {
    encoding: 'utf8',
  })
  if (status === 0) return
  const reason = error?.message ?? stderr.trim()
  throw new Error(`chattr needs Linux, root and a file system with the append-only attribute: ${reason}`)
}

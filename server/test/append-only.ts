import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'

/** Sets or clears the append-only attribute of a file or folder. */
export function setAppendOnly(path: string, appendOnly: boolean): void {
  const { status, stderr, error } = spawnSync('chattr', [appendOnly ? '+a' : '-a', path], {
    encoding: 'utf8',
  })
  if (status !== 0) throw error ?? new Error(stderr)
}

/** The attribute needs Linux, root and a file system that has it. */
export function canSetAppendOnly(folder: string): boolean {
  const probe = `${folder}/append-only-probe`
  writeFileSync(probe, '')
  try {
    setAppendOnly(probe, true)
    setAppendOnly(probe, false)
    return true
  } catch {
    return false
  } finally {
    rmSync(probe)
  }
}

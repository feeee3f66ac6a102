import { serviceUrl } from '../../base.ts'

/** `login` asks for a key of the organization and stores it; the second command shows a plan and writes nothing. */
export function importCommand(): string {
  return `scholiast login --url '${serviceUrl.href.replace(/\/$/, '')}'
scholiast learnings import .`
}

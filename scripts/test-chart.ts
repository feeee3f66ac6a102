// Renders the examples of the chart with Helm and checks what comes out: no cluster runs it.
//   node scripts/test-chart.ts
// Helm and the types of Kubernetes are in scripts/chart, whose packages the first run installs.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { parse } from 'yaml'
import {
  defaultLimits,
  type Environment,
  getLimitSettingName,
  readApiConfig,
  readWorkerConfig,
} from '../server/src/config.ts'
import { timers } from '../server/src/consumers.ts'
import { settings } from '../server/src/settings/settings.ts'
import {
  type Container,
  chart,
  findFormatErrors,
  findTypeErrors,
  getValues,
  helm,
  type Rendered,
  refuse,
  render,
  renderText,
} from './chart/render.ts'
import { findBrokenReferences, findBrokenRules, findFragile, getPods, podRules } from './chart/rules.ts'
import { repository } from './installation.ts'

const examples = readdirSync(`${chart}/examples`).map((file) => file.replace(/\.yaml$/, ''))
const ownDatabase = ['--set', 'postgres.cloudnativepg.enabled=false,postgres.caSecret=postgres-ca']
const variants: readonly (readonly [title: string, example: string, options: readonly string[]])[] = [
  ...examples.map((example) => [`the example ${example}`, example, []] as const),
  ['production with a database of your own', 'production', ownDatabase],
]

const ring = `k1:${'00'.repeat(32)}`

/** The environment of a container, with valid secrets where they are required. */
function getEnvironment({ env }: Container): Environment {
  const needed = env.filter(({ valueFrom }) => valueFrom?.secretKeyRef.optional !== true)
  return Object.fromEntries(
    needed.map(({ name, value }) => [
      name,
      value ?? (name.endsWith('_KEYS') ? ring : `postgres://a@127.0.0.1/${name}`),
    ]),
  )
}

const secretNames = /^(?!LIMIT_).*_(?:DATABASE_URL|KEYS?)$|^NATS_URL$/
const namesOfTheChart = new Set([
  'HOST',
  'PORT',
  'METRICS_PORT',
  'NATS_CA_FILE',
  'IDENTITY_PROVIDERS_FILE',
  'AUDIT_HEADS_FILE',
])
const knownNames = new Set([
  ...settings.map(({ name }) => name).filter((name) => !name.includes('<')),
  ...Object.keys(defaultLimits).map(getLimitSettingName),
])

/** Paths of the objects in a schema to which anything may be added. */
function findOpenObjects(schema: unknown, path = ''): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { type, additionalProperties } = schema as { type?: string; additionalProperties?: unknown }
  const found = type === 'object' && additionalProperties !== false ? [path] : []
  return [
    ...found,
    ...Object.entries(schema).flatMap(([key, part]) => findOpenObjects(part, `${path}/${key}`)),
  ]
}

for (const [title, example, options] of variants) {
  void describe(title, () => {
    const objects = render(example, ...options)

    void it('passes helm lint', () => {
      const { ok, output } = helm('lint', '--strict', chart, ...getValues(example), ...options)
      assert.ok(ok, output)
    })

    void it('has only fields and values that Kubernetes and CloudNativePG know', async () => {
      assert.deepEqual(findTypeErrors(objects), [])
      assert.deepEqual(await findFormatErrors(objects), [])
    })

    void it('has restricted pods', () => {
      assert.deepEqual(findBrokenRules(getPods(objects)), [])
    })

    void it('has references that lead somewhere, budgets and spread', () => {
      assert.deepEqual(findBrokenReferences(objects), [])
      assert.deepEqual(findFragile(objects), [])
    })

    void it('sets only settings that exist, and those that each process needs', () => {
      for (const { name, pod } of getPods(objects)) {
        for (const container of pod.containers) {
          const names = new Set(container.env.map((one) => one.name))
          assert.deepEqual([...names.difference(knownNames)], [], name)
          const process = name.replace(/^.*-/, '').replace('ingest', 'api')
          const secrets = settings.filter(
            (one) => one.processes.some((known) => known === process) && secretNames.test(one.name),
          )
          assert.deepEqual(
            secrets.map((one) => one.name).filter((one) => !names.has(one)),
            [],
            name,
          )
          const environment = getEnvironment(container)
          if (process === 'api') readApiConfig(environment)
          if (process === 'worker') readWorkerConfig(environment)
        }
      }
    })

    void it('has no secret: pods get them from Secrets that exist', () => {
      assert.equal(
        objects.some(({ kind }) => kind === 'Secret'),
        false,
      )
      const values = getPods(objects).flatMap(({ pod }) => pod.containers.flatMap(({ env }) => env))
      assert.deepEqual(
        values.filter(({ name, value }) => secretNames.test(name) && value !== undefined),
        [],
      )
    })
  })
}

void describe('the checks of this file', () => {
  const objects = render('production')

  void it('find unknown fields, a wrong type and a wrong quantity', async () => {
    const plant = (changes: readonly (readonly [from: string, to: string])[]) => {
      let text = JSON.stringify(objects)
      for (const [from, to] of changes) {
        assert.ok(text.includes(from))
        text = text.replace(from, to)
      }
      return JSON.parse(text) as Rendered[]
    }
    const wrong = findTypeErrors(
      plant([
        ['"enableServiceLinks"', '"enableServiceLink"'],
        ['"dataChecksums"', '"dataChecksum"'],
        ['"port":8420,"targetPort"', '"port":"8420","targetPort"'],
      ]),
    )
    assert.equal(wrong.length, 3)
    assert.match(wrong.join(), /"enableServiceLink"' does not exist in type 'IPodSpec'/)
    assert.match(wrong.join(), /"dataChecksum"' does not exist in type/)
    assert.match(wrong.join(), /not assignable to type 'number'/)
    assert.match((await findFormatErrors(plant([['"4Gi"', '"4GiB"']]))).join(), /format "quantity"/)
  })

  for (const { rule, broken } of podRules) {
    void it(`find a pod of which it is not true that it ${rule}`, () => {
      const [first] = getPods(objects.filter(({ metadata }) => metadata.name === 'scholiast-worker'))
      const container = first?.pod.containers[0]
      assert.ok(first && container)
      const change = broken(container)
      const pod =
        'container' in change
          ? { ...first.pod, containers: [{ ...container, ...change.container }] }
          : { ...first.pod, ...change }
      assert.deepEqual(findBrokenRules([{ name: first.name, pod }]), [`${first.name} ${rule}`])
    })
  }

  void it('find what is missing or leads nowhere', () => {
    const without = (kind: string, name: string) =>
      objects.filter((one) => one.kind !== kind || one.metadata.name !== name)
    assert.deepEqual(findFragile(without('PodDisruptionBudget', 'scholiast-api')), [
      'scholiast-api has 2 replicas and 0 disruption budgets',
    ])
    assert.deepEqual(findBrokenReferences(without('Service', 'scholiast-ingest')), [
      'Ingress scholiast leads to scholiast-ingest, which does not exist',
    ])
    assert.deepEqual(findBrokenReferences(without('Deployment', 'scholiast-api')).toSorted(), [
      'HorizontalPodAutoscaler scholiast-api scales nothing, or what has a fixed number',
      'PodDisruptionBudget scholiast-api selects other pods',
      'Service scholiast-api selects other pods',
    ])
  })
})

void describe('the migration', () => {
  const findJob = (...options: string[]) => {
    const jobs = render('evaluation', ...options).filter(({ kind }) => kind === 'Job')
    assert.equal(jobs.length, 1)
    const [job] = jobs
    const args = job?.spec?.template?.spec.containers.map((container) =>
      (container as { args?: string[] }).args?.join(' '),
    )
    return { hook: job?.metadata.annotations?.['helm.sh/hook'], args: args?.join() }
  }

  void it('runs before an upgrade, and before an installation if the database exists', () => {
    const hook = 'pre-install,pre-upgrade'
    assert.deepEqual(findJob(...ownDatabase), { hook, args: 'node server/src/admin.ts database migrate' })
    assert.equal(findJob('--is-upgrade').hook, hook)
  })

  void it('is a Job of the release when CloudNativePG creates the database, and creates its roles', () => {
    const { hook, args } = findJob()
    assert.equal(hook, undefined)
    assert.match(args ?? '', /database bootstrap && .*database migrate$/)
    assert.match(findJob(...ownDatabase, '--set', 'admin.bootstrap=true').args ?? '', /database bootstrap/)
  })
})

void describe('wrong values', () => {
  const schema: unknown = JSON.parse(readFileSync(`${chart}/values.schema.json`, 'utf8'))

  void it('are refused by a schema that is closed, except for annotations', () => {
    assert.deepEqual(findOpenObjects(schema), ['/properties/ingress/properties/annotations'])
    assert.deepEqual(findOpenObjects({ type: 'object', properties: { a: { type: 'object' } } }), [
      '',
      '/properties/a',
    ])
    for (const [set, message] of [
      ['api.replica=2', /additional properties 'replica' not allowed/],
      ['worker.replicas=0', /at '\/worker\/replicas': minimum/],
      [
        'postgres.cloudnativepg.instances=2',
        /at '\/postgres\/cloudnativepg\/instances': value must be one of 1, 3, 5/,
      ],
      ['settings.LOG_LEVELS=debug', /additional properties 'LOG_LEVELS' not allowed/],
      ['settings.SIGNING_KEYS=secret', /additional properties 'SIGNING_KEYS' not allowed/],
      ['settings.BUS_REPLICAS=3', /at '\/settings\/BUS_REPLICAS': got number, want string/],
      ['image.repository=scholiast:0.1.0', /at '\/image\/repository'/],
      ['image.digest=sha256:0', /at '\/image\/digest'/],
    ] as const)
      assert.match(refuse(...getValues('production'), '--set', set), message)
  })

  void it('are not settings: the schema has all settings that are no secrets, and that the chart does not set', () => {
    const expected = [...knownNames].filter((name) => !secretNames.test(name) && !namesOfTheChart.has(name))
    const pattern = `^(${expected.toSorted().join('|')})$`
    const { patternProperties } = (schema as { properties: { settings: { patternProperties: object } } })
      .properties.settings
    assert.deepEqual(Object.keys(patternProperties), [pattern])
  })

  /** What triggers each refusal of templates/refusals.yaml, added to the example `production`. */
  const refusals: readonly (readonly [set: string, message: string])[] = [
    ['image.repository=', 'image.repository is empty'],
    ['image.tag=latest,image.digest=', 'image.tag is latest'],
    ['worker.existingSecret=', 'worker.existingSecret is empty'],
    ['api.autoscaling.maxReplicas=1', 'api.autoscaling.maxReplicas is less than api.replicas'],
    ['ingress.enabled=false,settings.PUBLIC_URL=', 'nobody can sign in without settings.PUBLIC_URL'],
    ['settings.PUBLIC_URL=https://example.com/scholiast', 'ingress.enabled needs settings.PUBLIC_URL'],
    ['settings.TRUSTED_PROXIES=', 'ingress.enabled needs settings.TRUSTED_PROXIES'],
    ['postgres.caSecret=ca', 'postgres.caSecret is for a database of your own'],
    ['postgres.cloudnativepg.superuserSecret=', 'postgres.cloudnativepg.superuserSecret is empty'],
    ['postgres.cloudnativepg.image=postgresql:17', 'postgres.cloudnativepg.image has no minor version'],
    ['postgres.cloudnativepg.maxConnections=300', 'maxConnections is 300, but the processes may open '],
  ]

  for (const [set, message] of refusals) {
    void it(`are refused: ${message}`, () => {
      const problem = refuse(...getValues('production'), '--set', set)
      assert.ok(problem.includes(message), problem)
      // Nothing else is wrong.
      assert.equal(problem.match(/^ {2}\S/gm)?.length, 1)
    })
  }

  void it('are all refused here, several at once', () => {
    const source = readFileSync(`${chart}/templates/refusals.yaml`, 'utf8')
    assert.equal(source.match(/append \$wrong/g)?.length, refusals.length)
    assert.equal(refuse().match(/is empty/g)?.length, 4)
  })

  void it('are fewer connections than the processes may open', () => {
    // As docs/availability.md counts them: to the main database and to a metrics store in it.
    const api = 16 + 2 + 2 + 1 + 16 + 4
    const worker = 16 + timers.length + 1 + 16 + 4
    const problem = refuse(...getValues('evaluation'), '--set', 'postgres.cloudnativepg.maxConnections=100')
    const counted = Number(/may open (\d+) during/.exec(problem)?.[1])
    const needed = 2 * api + 2 * worker
    assert.ok(counted >= needed + 10 && counted < needed + 30, `${counted} for ${needed}`)
    renderText('evaluation', '--set', `postgres.cloudnativepg.maxConnections=${counted}`)
  })
})

void describe('Chart.yaml', () => {
  void it('has the version of the server', () => {
    const { version } = JSON.parse(readFileSync(`${repository}server/package.json`, 'utf8')) as {
      version: string
    }
    const found = parse(readFileSync(`${chart}/Chart.yaml`, 'utf8')) as {
      version: string
      appVersion: string
    }
    assert.deepEqual([found.version, found.appVersion], [version, version])
  })
})

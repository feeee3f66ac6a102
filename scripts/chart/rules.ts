// Rules for what the chart renders.
import type { Container, Labels, PodSpec, Rendered } from './render.ts'

export const getPods = (objects: readonly Rendered[]) =>
  objects.flatMap(({ metadata, spec }) =>
    spec?.template === undefined ? [] : [{ name: metadata.name, pod: spec.template.spec }],
  )

/** Rules for each pod, and what breaks each. The Job ends and the operator's pod waits, so they have no probes. */
export const podRules: readonly {
  readonly rule: string
  readonly holds: (pod: PodSpec, name: string) => boolean
  readonly broken: (container: Container) => Partial<PodSpec> | { readonly container: Partial<Container> }
}[] = [
  {
    rule: 'does not run as root',
    holds: ({ securityContext: context }) => context?.runAsNonRoot === true && context.runAsUser === 1000,
    broken: () => ({ securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } } }),
  },
  {
    rule: 'has the default seccomp profile',
    holds: ({ securityContext }) => securityContext?.seccompProfile?.type === 'RuntimeDefault',
    broken: () => ({ securityContext: { runAsNonRoot: true, runAsUser: 1000 } }),
  },
  {
    rule: 'has no token of Kubernetes',
    holds: ({ automountServiceAccountToken, hostNetwork }) =>
      automountServiceAccountToken === false && hostNetwork === undefined,
    broken: () => ({ automountServiceAccountToken: true }),
  },
  {
    rule: 'has one container',
    holds: ({ containers }) => containers.length === 1,
    broken: (container) => ({ containers: [container, container] }),
  },
  {
    rule: 'has a read-only root',
    holds: ({ containers }) =>
      containers.every((one) => one.securityContext?.readOnlyRootFilesystem === true),
    broken: ({ securityContext }) => ({
      container: { securityContext: { ...securityContext, readOnlyRootFilesystem: false } },
    }),
  },
  {
    rule: 'cannot gain privileges',
    holds: ({ containers }) =>
      containers.every(
        ({ securityContext: context }) =>
          context?.allowPrivilegeEscalation === false && context.privileged === undefined,
      ),
    broken: ({ securityContext }) => ({
      container: { securityContext: { ...securityContext, allowPrivilegeEscalation: true } },
    }),
  },
  {
    rule: 'has no capability',
    holds: ({ containers }) =>
      containers.every(({ securityContext: context }) => {
        const { drop, add } = context?.capabilities ?? {}
        return drop?.join() === 'ALL' && add === undefined
      }),
    broken: ({ securityContext }) => ({
      container: { securityContext: { ...securityContext, capabilities: {} } },
    }),
  },
  {
    rule: 'requests resources and has a limit of memory',
    holds: ({ containers }) =>
      containers.every(
        ({ resources }) => resources?.requests !== undefined && resources.limits?.memory !== undefined,
      ),
    broken: () => ({ container: { resources: { requests: {} } } }),
  },
  {
    rule: 'has probes of a port that it has',
    holds: ({ containers }, name) =>
      /-(?:admin|install|migrate)$/.test(name) ||
      containers.every(
        ({ livenessProbe, readinessProbe, ports }) =>
          livenessProbe !== undefined &&
          ports?.some((port) => port.name === readinessProbe?.httpGet.port) === true,
      ),
    broken: () => ({ container: { ports: [] } }),
  },
  {
    rule: 'writes to /tmp and the audit heads only',
    holds: ({ containers, volumes }) =>
      containers.every(({ volumeMounts }) =>
        volumeMounts.every((mount) => mount.readOnly === true || ['tmp', 'heads'].includes(mount.name)),
      ) && volumes.every(({ emptyDir }) => emptyDir === undefined || emptyDir.sizeLimit !== undefined),
    broken: () => ({ container: { volumeMounts: [{ name: 'nats-ca' }] } }),
  },
  {
    rule: 'has an image with a version',
    holds: ({ containers }) =>
      containers.every(({ image }) => /:\d+\.\d+\.\d+(?:@sha256:[0-9a-f]{64})?$/.test(image)),
    broken: () => ({ container: { image: 'scholiast:latest' } }),
  },
]

export const findBrokenRules = (pods: ReturnType<typeof getPods>) =>
  pods.flatMap(({ name, pod }) =>
    podRules.flatMap(({ rule, holds }) => (holds(pod, name) ? [] : [`${name} ${rule}`])),
  )

/** References between objects that lead nowhere: selectors, targets of autoscalers and backends of Ingresses. */
export function findBrokenReferences(objects: readonly Rendered[]): string[] {
  const deployments = objects.filter(({ kind }) => kind === 'Deployment')
  const services = new Set(
    objects.filter(({ kind }) => kind === 'Service').map(({ metadata }) => metadata.name),
  )
  return objects.flatMap((object) => {
    const title = `${object.kind} ${object.metadata.name}`
    return [
      ...(selectsItsPods(object, deployments) ? [] : [`${title} selects other pods`]),
      ...(scalesSomething(object, deployments)
        ? []
        : [`${title} scales nothing, or what has a fixed number`]),
      ...getBackends(object)
        .filter((name) => !services.has(name))
        .map((name) => `${title} leads to ${name}, which does not exist`),
    ]
  })
}

/** Those of the Deployment with its name, and no others. */
function selectsItsPods({ kind, metadata, spec }: Rendered, deployments: readonly Rendered[]): boolean {
  const selector: Labels | undefined = kind === 'Service' ? spec?.selector : spec?.selector?.matchLabels
  if (selector === undefined) return true
  const selected = deployments.filter((one) =>
    Object.entries(selector).every(([key, value]) => one.spec?.template?.metadata.labels[key] === value),
  )
  return selected.map((one) => one.metadata.name).join() === metadata.name
}

function scalesSomething({ spec }: Rendered, deployments: readonly Rendered[]): boolean {
  const target = spec?.scaleTargetRef?.name
  return (
    target === undefined || deployments.some((one) => one.metadata.name === target && !one.spec?.replicas)
  )
}

const getBackends = ({ spec }: Rendered) =>
  (spec?.rules ?? []).flatMap(({ http }) => http.paths.map(({ backend }) => backend.service.name))

/** Deployments with several pods that may be drained at once or run on one node, and budgets that would block a drain. */
export function findFragile(objects: readonly Rendered[]): string[] {
  const deployments = objects.filter(({ kind }) => kind === 'Deployment')
  return deployments.flatMap(({ metadata: { name }, spec }) => {
    const scaler = objects.find((one) => one.spec?.scaleTargetRef?.name === name)
    const replicas = scaler?.spec?.minReplicas ?? spec?.replicas ?? 0
    const budgets = objects.filter((one) => one.kind === 'PodDisruptionBudget' && one.metadata.name === name)
    const isSpread = spec?.template?.spec.topologySpreadConstraints !== undefined
    return [
      ...(budgets.length === (replicas > 1 ? 1 : 0)
        ? []
        : [`${name} has ${replicas} replicas and ${budgets.length} disruption budgets`]),
      ...(isSpread || replicas === 0 ? [] : [`${name} is not spread over nodes`]),
    ]
  })
}

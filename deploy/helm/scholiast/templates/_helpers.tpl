{{- /* All take a dict: root, and component (api, ingest, worker, admin, migrate …). */ -}}

{{- define "scholiast.selector" -}}
app.kubernetes.io/name: scholiast
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "scholiast.metadata" -}}
name: {{ .root.Release.Name }}-{{ .component }}
labels: {{- include "scholiast.labels" . | nindent 2 }}
{{- end }}

{{- define "scholiast.labels" -}}
{{ include "scholiast.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: scholiast-{{ .root.Chart.Version }}
{{- end }}

{{- /*
The pod of a component. Besides root and component: the command; secret, with the required and optional settings in it; resources;
the probes' port and the path of readiness, if it serves.
*/ -}}
{{- define "scholiast.podSpec" -}}
{{- $values := .root.Values }}
{{- $identity := has .component (list "api" "ingest") | ternary $values.api.identityProvidersSecret "" }}
{{- $heads := has .component (list "worker" "admin") | ternary $values.worker.auditHeadsClaim "" }}
{{- $postgresCA := $values.postgres.cloudnativepg.enabled | ternary (print .root.Release.Name "-postgres-ca") $values.postgres.caSecret -}}
automountServiceAccountToken: false
# With a process 1 that reaps what git leaves behind.
shareProcessNamespace: true
# Otherwise Kubernetes adds variables for every Service of the namespace.
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: { type: RuntimeDefault }
{{- with $values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
containers:
  - name: {{ .component }}
    {{- with $values.image }}
    image: {{ printf "%s:%s" .repository (.tag | default $.root.Chart.AppVersion) }}{{ with .digest }}@{{ . }}{{ end }}
    {{- end }}
    args: {{ toJson .command }}
    env:
      {{- if .port }}
      - { name: HOST, value: 0.0.0.0 }
      - { name: METRICS_PORT, value: '9420' }
      {{- end }}
      {{- range $name, $value := $values.settings }}
      - { name: {{ $name }}, value: {{ $value | quote }} }
      {{- end }}
      {{- if $values.nats.caSecret }}
      - { name: NATS_CA_FILE, value: /etc/scholiast/nats/ca.crt }
      {{- end }}
      {{- if $identity }}
      - { name: IDENTITY_PROVIDERS_FILE, value: /etc/scholiast/identity/providers.json }
      {{- end }}
      {{- if $heads }}
      - { name: AUDIT_HEADS_FILE, value: /heads/heads.jsonl }
      {{- end }}
      {{- range .required }}
      - { name: {{ . }}, valueFrom: { secretKeyRef: { name: {{ $.secret }}, key: {{ . }} } } }
      {{- end }}
      {{- range .optional }}
      - { name: {{ . }}, valueFrom: { secretKeyRef: { name: {{ $.secret }}, key: {{ . }}, optional: true } } }
      {{- end }}
    {{- if .port }}
    ports:
      {{- if eq .port "http" }}
      - { name: http, containerPort: 8420 }
      {{- end }}
      - { name: metrics, containerPort: 9420 }
    livenessProbe: { httpGet: { path: /healthz, port: {{ .port }} }, periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 6 }
    readinessProbe: { httpGet: { path: {{ .ready }}, port: {{ .port }} }, periodSeconds: 2, timeoutSeconds: 3, failureThreshold: 2 }
    {{- end }}
    resources: {{- toYaml .resources | nindent 6 }}
    securityContext:
      allowPrivilegeEscalation: false
      readOnlyRootFilesystem: true
      capabilities: { drop: [ALL] }
    volumeMounts:
      - { name: tmp, mountPath: /tmp }
      {{- if $values.nats.caSecret }}
      - { name: nats-ca, mountPath: /etc/scholiast/nats, readOnly: true }
      {{- end }}
      {{- if $postgresCA }}
      - { name: postgres-ca, mountPath: /etc/scholiast/postgres, readOnly: true }
      {{- end }}
      {{- if $identity }}
      - { name: identity, mountPath: /etc/scholiast/identity, readOnly: true }
      {{- end }}
      {{- if $heads }}
      - { name: heads, mountPath: /heads }
      {{- end }}
volumes:
  # Only the worker writes to it: git for the connectors, at most 192 MiB.
  - { name: tmp, emptyDir: { sizeLimit: 256Mi } }
  {{- with $values.nats.caSecret }}
  - { name: nats-ca, secret: { secretName: {{ . }}, items: [{ key: ca.crt, path: ca.crt }] } }
  {{- end }}
  {{- with $postgresCA }}
  # Only the certificate: the Secret of CloudNativePG has its key too.
  - { name: postgres-ca, secret: { secretName: {{ . }}, items: [{ key: ca.crt, path: ca.crt }] } }
  {{- end }}
  {{- with $identity }}
  - { name: identity, secret: { secretName: {{ . }} } }
  {{- end }}
  {{- with $heads }}
  - { name: heads, persistentVolumeClaim: { claimName: {{ . }} } }
  {{- end }}
{{- end }}

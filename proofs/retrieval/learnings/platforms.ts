// One Learning a line: slug | text | the file it was written for, if any.

export const containers = `
k8s-requests-limits | Each container sets memory requests equal to limits, and a CPU request without a CPU limit; throttling caused our p99 spikes.
k8s-probes-apart | Readiness and liveness are different endpoints with different thresholds; startup probes for slow JVMs.
k8s-non-root | Containers run as a numeric non-root user with a read-only file system and all capabilities dropped.
k8s-digest-pin | Base images are pinned by digest. latest built two different images from the same commit.
k8s-multi-stage | Compile in a builder stage and copy only the result; compilers and .git do not belong in the runtime image. | Dockerfile
k8s-dockerignore | Keep .dockerignore in step with .gitignore. A local .env was baked into an image.
k8s-layer-order | Copy the manifest and lock file and install before copying the source, so that the dependency layer is cached.
k8s-pid1-signals | Use the exec form of ENTRYPOINT, or tini. With the shell form the process never gets SIGTERM and is killed after 30 seconds.
k8s-prestop | Add a preStop sleep of five seconds; the endpoint is removed from the load balancer later than the signal arrives.
k8s-pdb | Deployments with more than one replica have a PodDisruptionBudget, or a node upgrade takes all of them at once.
k8s-topology-spread | Spread replicas across zones with topologySpreadConstraints. All three were on the node that died.
k8s-hpa-metric | Scale consumers on queue lag through KEDA, not on CPU; they wait for I/O and look idle.
k8s-config-checksum | Annotate the pod template with a checksum of its ConfigMap; pods do not restart by themselves when it changes.
k8s-no-latest-helm | Pin Helm chart versions in Chart.lock and review the rendered difference with helm diff upgrade.
k8s-migrations-job | Run schema migrations as a Job before the rollout, not in an init container of each replica.
k8s-network-policy | Namespaces deny traffic by default. A new connection needs a NetworkPolicy for both directions.
k8s-service-account | Set automountServiceAccountToken: false unless the pod talks to the Kubernetes API.
k8s-ephemeral-disk | Temporary data goes to an emptyDir with sizeLimit. Writing to the container layer evicted neighbours.
k8s-cronjob-policy | CronJobs set concurrencyPolicy: Forbid and startingDeadlineSeconds; overlapping runs doubled the invoices.
k8s-graceful-period | terminationGracePeriodSeconds must exceed the longest request plus preStop.
k8s-distroless | Runtime images are distroless. Debug with kubectl debug and an ephemeral container instead of shipping a shell.
k8s-jvm-heap | Set -XX:MaxRAMPercentage=70 and never -Xmx equal to the container limit, because metaspace and buffers need room.
k8s-labels | All objects carry app.kubernetes.io/name, part-of and owner; cost reports and network rules rely on them.
k8s-secrets-mounted | Mount secrets as files rather than environment variables, so that rotation is seen without a restart.
`

export const cloud = `
tf-plan-reviewed | Paste the terraform plan into the pull request, and read each destroy. A renamed resource is a destroy plus a create.
tf-moved-blocks | Refactor with moved blocks; do not run terraform state mv by hand.
tf-prevent-destroy | Databases, buckets and KMS keys set prevent_destroy and deletion protection. | infra/modules/database/main.tf
tf-for-each | Use for_each with stable keys instead of count; removing the first of five items recreated the other four.
tf-pin-providers | Provider versions are pinned with ~> and the lock file is committed.
tf-no-console | Nothing is changed in the web console. Drift found by the nightly plan is reverted.
tf-state-split | One state per environment and component. A single state for everything meant a 20 minute plan and a shared blast radius.
tf-variables-typed | Variables have a type, a description and a validation block where only few values make sense.
tf-iam-wildcard | No Action: "*" or Resource: "*" in IAM policies; list the actions that the service really calls.
tf-tags | Every resource has the tags team, service and environment through default_tags. Untagged spending is charged to nobody.
cost-nat-egress | Reach S3 and DynamoDB through gateway endpoints; traffic through the NAT gateway was a third of our bill.
cost-lifecycle | New buckets define lifecycle rules: infrequent access after 30 days, expiry, and abort of unfinished multipart uploads.
cost-cross-zone | Chatty services stay in one zone or use topology-aware routing, since traffic between zones is charged twice.
cost-log-volume | Check ingestion volume before adding logs to a hot path; CloudWatch costs more than the servers behind it.
cost-spot | Batch and CI run on spot instances and must survive an interruption with two minutes' notice.
cost-oversize | Begin with the smallest instance class that meets the load test. Do not copy the size of another service.
cost-dev-shutdown | Preview and development environments shut down at night and are deleted when the branch is merged.
cost-lambda-memory | Tune Lambda memory with power tuning; more memory is often faster and cheaper.
cost-estimate | Changes to infrastructure show the infracost difference; over 200 euros a month needs a sentence why.
cloud-multi-az | Production databases are multi-AZ with point-in-time recovery of 14 days; staging is not.
cloud-public-ip | No public addresses on instances. Access is through the load balancer, administration through SSM Session Manager.
cloud-sg-reference | Security groups refer to other groups and not to address ranges; 0.0.0.0/0 only on port 443 of the edge.
cloud-quota | Ask for quota increases before launch. The account limit for concurrent Lambda executions is shared by all functions.
cloud-regional-names | Build ARNs from data sources, never with a hard-coded account number or region.
`

export const mobile = `
ios-main-actor | Update the interface only on the main actor; annotate view models with @MainActor rather than dispatching by hand.
ios-weak-self | Closures that are stored and refer to self capture it weakly; the chat screen was never released.
ios-force-unwrap | No force unwraps and no try! outside of tests. Use guard let with a sensible fallback.
ios-keychain | Credentials go into the Keychain with kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly, not into UserDefaults.
ios-dynamic-type | Use text styles and test at the largest accessibility size. Fixed point sizes are refused.
ios-background-task | Uploads that must finish use a background URLSession; the app gets only seconds after it leaves the foreground.
ios-snapshot-hide | Cover sensitive screens in sceneWillResignActive, because the app switcher takes a picture.
ios-codable-tolerant | Decode arrays leniently with LossyArray, so that one malformed element does not empty the whole feed. | App/Networking/LossyArray.swift
android-lifecycle-collect | Collect flows with repeatOnLifecycle(STARTED); launchWhenStarted keeps the producer busy in the background.
android-process-death | Keep form input in SavedStateHandle. Test with 'Don't keep activities' switched on.
android-main-thread | No disk or network on the main thread; StrictMode is fatal in debug builds.
android-exported | Each activity, service and receiver states android:exported, and exported ones check their caller.
android-r8-rules | Classes used by reflection or Gson need keep rules. Try the release build, as debug does not shrink.
android-workmanager | Deferred work uses WorkManager with constraints, never a foreground service or an exact alarm.
android-compose-stable | Pass immutable lists and stable types to composables; a plain List makes them recompose on every scroll.
android-deeplink-verify | Deep links are verified App Links and their parameters are treated as untrusted input.
mobile-offline-first | Screens show cached data at once and mark it as such. An airplane-mode test belongs to each new screen.
mobile-app-size | Each release shows the size difference; over 500 kB needs approval, over 200 MB iOS asks before mobile download.
mobile-force-update | The forced update dialog is driven by the server and must work even if the rest of the API has changed.
mobile-battery-location | Request the coarsest location that works and stop updates when the screen is left.
mobile-push-token | Push tokens change. Send the current one at each start and delete it at sign-out.
mobile-cert-pinning | Pin the public key of two certificates, the current and a backup; a single pin bricked the app at renewal.
mobile-store-review | Changes in purchases, tracking or permissions need the store questionnaire updated before submission.
mobile-screenshot-tests | Screens have snapshot tests for small phone, tablet, dark and right-to-left.
`

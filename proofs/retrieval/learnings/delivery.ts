// One Learning a line: slug | text | the file it was written for, if any.

export const featureFlags = `
flag-expiry | Each flag has an owner and a removal date in flags.yaml. The build fails two weeks after that date. | config/flags.yaml
flag-default-off | New flags are off by default, and the code path without the flag service is the old behaviour.
flag-evaluate-once | Evaluate a flag once at the edge and pass the decision down. Reading it twice in a request gave half old, half new pages.
flag-no-nesting | Do not nest flags. Two that depend on one another are one flag with three variants.
flag-both-tested | Tests run for both states of a flag until it is removed.
flag-remove-code | Removing a flag means deleting the dead branch, its tests and its translations in the same pull request.
flag-naming | Flags are named by what they enable, checkout-new-address-form, never by ticket number or with a negative such as disable-x.
flag-sticky-bucket | Percentage rollouts bucket by account id, not randomly per request, so that a user does not flip between variants.
flag-not-authorization | A flag is not a permission. Access to paid features is decided by the plan, whatever the flag says.
flag-not-config | Values such as limits and addresses are configuration and do not belong in the flag tool.
flag-server-truth | Hiding a button by flag in the client does not protect the endpoint. The server evaluates the same flag.
flag-migration-safe | Do not guard a schema change by a flag. The migration runs anyway; only the use of the column may be behind it.
flag-exposure-event | Send the exposure event when the variant is actually seen, not when the flag is loaded, or the experiment is diluted.
flag-local-override | Developers override flags with FLAG_OVERRIDES in .env.local, never by editing the default.
flag-audit-change | A change of a flag in production needs a reason and shows up in the change channel.
flag-sdk-timeout | Initialising the flag SDK waits 500 ms at most and then continues with the bundled defaults.
flag-no-in-library | Shared libraries take options; they do not read flags themselves.
flag-ramp-plan | A rollout says its steps (1, 10, 50, 100 %), what is watched at each and what makes us go back.
flag-kill-vs-release | Operational switches live for ever and are marked kind: ops; release flags are temporary. Do not mix them.
flag-cache-vary | Pages cached at the edge must include the variant in the cache key or not be cached during an experiment.
flag-typed-access | Use the generated constants from flags.gen.ts instead of string literals; a misspelt name silently evaluates to false. | src/flags.gen.ts
flag-experiment-one-metric | Write down the primary metric and the sample size before the start. Looking at twelve afterwards always finds a winner.
flag-background-jobs | A job stores the variant at the time it was enqueued; the flag may have changed when it runs.
flag-anonymous-users | For visitors who are not signed in, bucket by the first-party cookie and carry the bucket over at sign-up.
`

export const ci = `
ci-pin-actions | Third-party GitHub Actions are pinned to a full commit hash with the tag in a comment; a tag can be moved. | .github/workflows/
ci-least-token | Workflows declare permissions: contents: read and raise it per job. The default token could push.
ci-pr-target | Never check out the head of a fork in a pull_request_target workflow. It runs foreign code with our secrets.
ci-fast-feedback | Lint and unit tests answer within five minutes; slow suites run in parallel or after merge.
ci-cache-lockfile | The cache key contains the hash of the lock file. A stale node_modules cache passed a build that failed for everyone else.
ci-frozen-lockfile | Install with npm ci or --frozen-lockfile in the pipeline, never npm install.
ci-no-latest-runner | Pin the runner image (ubuntu-24.04). ubuntu-latest changed the compiler under us.
ci-required-checks | A new job is useless until it is listed under required checks. Mention the request to the administrators.
ci-no-retry-green | Do not make a red job green by retry: 3. Find out why or quarantine the test.
ci-artifacts-once | Build the artifact once and promote the same digest through staging to production; never rebuild for production.
ci-script-local | Steps longer than three lines live in scripts/ci and run on a laptop as well. YAML is not a programming language. | scripts/ci/
ci-shell-strict | Shell scripts begin with set -euo pipefail. A failing curl in a pipe went unnoticed for months.
ci-secrets-scope | Deployment credentials exist only in the protected environment, not as repository secrets every branch can read.
ci-oidc | Authenticate to the cloud with OIDC federation. Long-lived access keys in the pipeline settings are refused.
ci-concurrency-group | Use a concurrency group with cancel-in-progress for pull requests, but never cancel a running deployment.
ci-matrix-min | Test the oldest and the newest supported version, not all of those in between on each push.
ci-path-filters | Path filters must include shared packages. A change in libs/ui skipped the tests of both applications.
ci-generated-diff | Generated files are regenerated in the pipeline and git diff --exit-code must be empty.
ci-coverage-diff | We look at coverage of the changed lines, not at the total. A fall of the total by deleting code is fine.
ci-timeout-minutes | Each job sets timeout-minutes. The default of six hours burned the monthly budget in a weekend.
ci-merge-queue | Merge through the queue. Two green branches that conflict in meaning broke main every week.
ci-commit-signed | Release tags are signed and created by the release workflow only; do not push a tag by hand.
ci-test-reports | Upload JUnit reports and screenshots also when a step fails (if: always()).
ci-monorepo-affected | Use turbo run test --filter=...[origin/main] rather than running everything in the monorepo.
`

export const dependencies = `
dep-justify | A new dependency needs a sentence in the description: what it saves, its size, its maintenance and why our own 30 lines would not do.
dep-lock-committed | The lock file is committed and changes only together with the manifest. Unexplained churn in it is a reason to ask.
dep-license | Only MIT, BSD, Apache-2.0, ISC and MPL-2.0. GPL and SSPL need a decision by legal before the merge.
dep-no-git-url | No dependencies from git branches or tarball addresses. Publish a version to our registry.
dep-dev-vs-prod | Test and build tools belong in devDependencies; they end up in the production image otherwise.
dep-patch-folder | Patches of third-party code live in patches/ with a link to the upstream issue and are removed with the next release. | patches/
dep-security-update | Updates that fix a vulnerability are merged within two days and are not bundled with other updates.
dep-one-major-a-time | Upgrade one major version of one framework per pull request, with the migration guide linked.
dep-transitive-import | Import only packages that are declared in the manifest. Hoisting makes undeclared ones work by accident.
dep-install-scripts | Install scripts are off (ignore-scripts=true). Name the package in the allowlist if it has to compile.
dep-duplicate-versions | Check with npm ls or pnpm why that React, GraphQL and Zod exist only once; two copies break instanceof and hooks.
dep-abandoned | No release for two years and open security issues means we do not adopt it, however handy.
dep-wrap-vendor | Wrap SDKs of vendors in one module of ours, so that exchanging them touches one folder.
dep-renovate-groups | Renovate groups only patch updates. Majors come one by one and are assigned to the owning team. | renovate.json
dep-cooldown | Wait seven days before adopting a fresh release; most hijacked packages were noticed within that time.
dep-typosquat | Check the exact name and publisher of a new package. crossenv and cross-env differ by a dash.
dep-sbom | The image build produces an SBOM; do not copy binaries into the image which it cannot see.
dep-peer-ranges | Libraries declare React as a peer dependency with a range and never as a dependency of their own.
dep-remove-unused | When the last import goes, the entry in the manifest goes with it. knip and cargo machete show what is left.
dep-vendor-checksum | Downloaded tools in Dockerfiles are verified by sha256; curl piped to a shell is refused.
dep-version-exact-apps | Applications pin exact versions, libraries use ranges.
dep-lodash | No lodash in new code. Object.groupBy, structuredClone and toSorted cover our uses.
dep-moment | Do not add moment; we use Temporal through the polyfill until all browsers have it.
dep-internal-bom | Versions of internal libraries come from the platform BOM; do not override one of them in a single service.
`

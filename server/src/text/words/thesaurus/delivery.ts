/** Version control, builds, dependencies, deployments, infrastructure, configuration. */
export const delivery = `
git version_control vcs svn mercurial | commit branch repository
commit commit_message changeset | git message change history
branch feature_branch trunk main_branch master_branch | git merge
merge rebase squash cherry_pick merge_commit | git branch conflict history
merge_conflict conflict | git merge branch
monorepo workspace polyrepo multi_package | package repository
repository repo codebase source_tree | git code project
gitignore ignored_file generated_file artifact build_output | commit build file generated
ci continuous_integration github_actions jenkins circleci gitlab_ci build_pipeline pipeline workflow | build test job run deploy
cd continuous_delivery continuous_deployment deploy deployment rollout release ship | production version pipeline launch
build compile compilation compiler transpile make bazel gradle maven | artifact source ci
reproducible deterministic_build reproducible_build pinned pin lockfile lock_file package_lock | version dependency exact
dependency library package third_party module external_package npm_package dependency_update | version import install upgrade
transitive_dependency peer_dependency dev_dependency | package version
upgrade update bump newer_version outdated renovate dependabot | version dependency new
version semver semantic_version versioning major_version breaking_release | release compatible number
breaking_change backward_compatible backwards_compatible compatibility backward_compatibility incompatible non_breaking | version client old change api
deprecate deprecated deprecation sunset phase_out obsolete | remove old replace warning
feature_flag feature_toggle toggle flag launchdarkly kill_switch | rollout enable experiment release gradual
experiment ab_test a_b canary gradual_rollout canary_release | rollout percentage variant
blue_green rolling_update zero_downtime rolling_deploy | deploy version traffic
staging preprod test_environment sandbox_environment | environment production
production prod live live_environment | environment deploy customer
environment env environment_variable env_var dotenv envvar | config variable setting process
configuration config setting configure preference option settings | environment value file parameter
hardcoded_url hardcoded_path absolute_path | config environment
docker container dockerfile image container_image podman | build layer deploy registry
base_image alpine distroless slim_image multi_stage | docker image size layer
kubernetes k8s helm pod kubectl openshift manifest | container cluster deploy resource
resource_limit cpu_limit memory_limit resource_request oom out_of_memory | kubernetes container memory
autoscale autoscaling horizontal_scale scale_out hpa elastic | load replica instance
terraform infrastructure_as_code iac pulumi cloudformation ansible | infrastructure cloud provision state
cloud aws azure gcp google_cloud amazon | server infrastructure provider
serverless lambda cloud_function faas cold_start | function cloud event
server host machine instance vm virtual_machine | process network
load_balancer reverse_proxy nginx haproxy envoy gateway proxy ingress | traffic request route
dns domain_name hostname domain | network address resolve
network networking tcp udp socket packet | connection remote port
vpc subnet private_network vpn | network cloud
cdn cloudfront edge_cache cloudflare | cache static asset
backup restore disaster_recovery snapshot_backup | data recover loss
disaster recovery rto rpo | backup failure region
region availability_zone multi_region | cloud latency
cost billing_cost cloud_cost spend budget expensive | money usage cheap
makefile script shell_script bash_script bash shell | command run
bash_strict set_e pipefail shellcheck | script error shell
exit_code exit_status return_code nonzero | process script error
cli command_line terminal command argument_parser | flag option shell
package_manager npm yarn pnpm pip cargo composer | install dependency lockfile
makes_build incremental_build build_cache | build speed
artifact registry docker_registry package_registry nexus | publish image version
tag release_tag git_tag latest_tag | version release image
code_owner codeowners ownership maintainer | review team approve
hook pre_commit precommit husky git_hook | lint commit check
secret_scan gitleaks secret_scanning | commit leak credential
runbook playbook procedure operation_manual | incident operation document
os operating_system linux windows macos unix | platform
cross_platform portable portability platform_independent | windows linux path
line_ending crlf newline lf | file windows git
executable binary_file program | run build
permission_bits chmod file_permission chown | file access
symlink symbolic_link | file path
`

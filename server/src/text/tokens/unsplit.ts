/** Names that are written with humps but are one word. */
export const unsplit: ReadonlySet<string> = new Set(
  `
javascript typescript coffeescript github gitlab bitbucket postgresql mysql nosql sqlite graphql openapi websocket websockets
devops devsecops gitops finops youtube linkedin ios macos ipados watchos tvos oauth powershell dynamodb mongodb couchdb mariadb
cockroachdb influxdb timescaledb cloudfront cloudformation cloudwatch cloudflare numpy pytorch tensorflow fastapi latex ipv4
ipv6 grpc webrtc webgl webgpu webassembly rabbitmq zeromq activemq elasticsearch opensearch circleci stackoverflow paypal saas paas
iaas jetbrains intellij xcode junit testng phpunit nunit xunit pytest rspec webpack eslint jquery nodejs nextjs nestjs vuejs
reactjs angularjs expressjs threejs bigquery redshift datadog newrelic pagerduty sonarqube sonarcloud codeql openssl openssh
libressl opentelemetry opengraph opensource hashicorp terraform kubernetes kubectl minikube openshift docker dockerfile makefile
gitignore gitattributes changelog readme wordpress woocommerce shopify bigdecimal hashmap hashset arraylist treemap linkedlist
stringbuilder datetime timestamp timezone namespace filesystem filename username hostname localhost whitelist blacklist allowlist
denylist blocklist dropdown tooltip popup checkbox textbox textarea autocomplete autofocus autofill login logout signup signin signout
setup teardown rollback fallback callback middleware backend frontend fullstack codebase workflow pipeline webhook webhooks endpoint
payload metadata boolean plaintext ciphertext checksum keystore truststore keychain mutex semaphore goroutine coroutine
multithreaded multithreading deadlock livelock codepoint lifecycle viewport stylesheet scrollbar lightbox localstorage
sessionstorage indexeddb serviceworker pubsub eventbridge readonly lowercase uppercase camelcase whitespace subclass superclass
subdomain subnet wildcard hotfix bugfix backport uptime downtime runtime timeout timeouts lookup cleanup backup startup shutdown
`
    .trim()
    .split(/\s+/),
)

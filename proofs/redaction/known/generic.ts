import { base64Of } from '../encode.ts'
import { type Kind, kindsOf } from '../kind.ts'
import { domainName, hostName, mailAddress, password, serviceName, urlPassword, userName } from '../people.ts'
import type { Random } from '../random.ts'
import { plain, secret } from '../value.ts'

const { token, bare, address, lines } = kindsOf('generic')

export const genericKinds: readonly Kind[] = [
  lines('password-in-prose', 'password', 'PASSWORD', [
    (random) => secret`The password for ${user(random)} on staging is ${password(random)}`,
    (random) => secret`log in as ${user(random)} with password ${password(random)}`,
    (random) => secret`credentials: ${user(random)} / ${password(random)}`,
    (random) => secret`default password is "${password(random)}", change it after the first start`,
    (random) => secret`the passphrase of the deploy key is ${password(random)}`,
  ]),
  lines('kafka-jaas', 'Kafka login', 'KAFKA_SASL_JAAS_CONFIG', [
    (random) =>
      secret`sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username="${user(random)}" password="${password(random)}";`,
    (random) =>
      secret`org.apache.kafka.common.security.scram.ScramLoginModule required username="${user(random)}" password="${random.base62(20)}";`,
  ]),
  lines('api-key-assignment', 'API key', 'API_KEY', [
    (random) => secret`api_key: ${random.hex(32)}`,
    (random) => secret`const apiKey = "${random.base62(40)}"`,
    (random) => secret`"apiKey": "${random.uuid()}"`,
    (random) => secret`API_KEY = '${random.base64Url(32)}'`,
    (random) => secret`client.setApiKey("${random.lower(28)}");`,
    (random) => secret`x.api.key=${random.base62(24)}`,
  ]),
  lines('pgpass-line', '.pgpass entry', 'PGPASS', [
    (random) => secret`${host(random)}:5432:${service(random)}:${user(random)}:${password(random)}`,
    (random) => secret`# .pgpass\n*:*:*:${user(random)}:${random.base62(18)}`,
    (random) =>
      secret`PGPASSWORD=${random.base62(16)} psql -h ${host(random)} -U ${user(random)} ${service(random)}`,
  ]),
  bare('rails-secret-key-base', 'Rails secret_key_base', 'SECRET_KEY_BASE', [
    (random) => secret`${random.hex(128)}`,
    (random) => secret`${random.hex(32)}`,
  ]),
  lines('env-file-secret', 'environment file', 'ENV_FILE', [
    (random) => secret`NODE_ENV=production\nSESSION_SECRET=${random.base62(32)}\nPORT=8080`,
    (random) => secret`ENCRYPTION_KEY="${base64Of(random.bytes(32))}"\nLOG_LEVEL=info`,
    (random) => secret`APP_NAME=${service(random)}\nJWT_SECRET='${password(random)}'`,
    (random) => secret`export WEBHOOK_SIGNING_SECRET=${random.hex(40)}`,
    (random) => secret`DB_HOST=${host(random)}\nDB_PASS=${password(random)}`,
  ]),
  lines('kubernetes-secret-data', 'Kubernetes Secret', 'K8S_SECRET', [
    (random) =>
      secret`apiVersion: v1\nkind: Secret\nmetadata:\n  name: ${service(random)}-db\ndata:\n  password: ${base64Of(password(random))}`,
    (random) => secret`kind: Secret\nstringData:\n  token: ${random.base62(36)}`,
  ]),
  bare('django-secret-key', 'Django SECRET_KEY', 'DJANGO_SECRET_KEY', [
    (random) => secret`django-insecure-${djangoChars(random)}`,
    (random) => secret`${djangoChars(random)}`,
  ]),
  lines('api-key-header', 'API key header', 'X_API_KEY', [
    (random) => secret`X-Api-Key: ${random.base62(40)}`,
    (random) => secret`curl -H 'x-api-key: ${random.hex(32)}' https://api.${domain(random)}/v1/orders`,
    (random) => secret`Ocp-Apim-Subscription-Key: ${random.hex(32)}`,
    (random) => secret`X-Auth-Token: ${random.uuid()}`,
    (random) => secret`X-Access-Token: ${random.base64Url(20)}`,
  ]),
  address('connection-string', 'connection string', 'CONNECTION_STRING', [
    (random) =>
      secret`host=${host(random)} port=5432 dbname=${service(random)} user=${user(random)} password=${password(random)}`,
    (random) =>
      secret`${host(random)}:6380,password=${base64Of(random.bytes(32))},ssl=True,abortConnect=False`,
    (random) =>
      secret`Provider=OraOLEDB.Oracle;Data Source=${service(random)};User Id=${user(random)};Password=${password(random)};`,
    (random) => secret`ldap://${host(random)}/?bindname=cn=${user(random)}&bindpw=${urlPassword(random)}`,
  ]),
  token('laravel-app-key', 'Laravel APP_KEY', 'APP_KEY', [
    (random) => secret`base64:${base64Of(random.bytes(32))}`,
  ]),
  address('otpauth-url', 'TOTP seed', 'TOTP_URL', [
    (random) =>
      secret`otpauth://totp/Acme:${plain(mailAddress(random))}?secret=${random.base32(32)}&issuer=Acme`,
    (random) => secret`otpauth://hotp/${plain(serviceName(random))}?counter=1&secret=${random.base32(16)}`,
  ]),
  address('url-password', 'feed address', 'FEED_URL', [
    (random) => secret`https://${user(random)}:${urlPassword(random)}@${host(random)}/feed.xml`,
    (random) =>
      secret`http://${user(random)}:${urlPassword(random)}@10.4.${plain(String(random.below(250)))}.7:8080/metrics`,
    (random) => secret`https://${random.base62(40)}@git.${domain(random)}/team/${service(random)}.git`,
    (random) => secret`ftp://${user(random)}:${urlPassword(random)}@files.${domain(random)}/in/`,
    (random) =>
      secret`https://oauth2:${random.base62(26)}@code.${domain(random)}/team/${service(random)}.git`,
  ]),
  address('smtp-url', 'mail server', 'MAILER_DSN', [
    (random) => secret`smtp://${user(random)}:${urlPassword(random)}@mail.${domain(random)}:587`,
    (random) =>
      secret`smtps://postmaster%40${domain(random)}:${urlPassword(random)}@smtp.${domain(random)}:465`,
  ]),
]

const user = (random: Random) => plain(userName(random))
const host = (random: Random) => plain(hostName(random))
const service = (random: Random) => plain(serviceName(random))
const domain = (random: Random) => plain(domainName(random))
const djangoChars = (random: Random) => random.chars('abcdefghijklmnopqrstuvwxyz0123456789!@#%^&*(-_=+)', 50)

import { base64Of } from '../encode.ts'
import { type Kind, kindsOf } from '../kind.ts'
import { hostName, password, serviceName, urlPassword, userName } from '../people.ts'
import type { Random } from '../random.ts'
import { plain, secret, type Value } from '../value.ts'

const { token, bare, address } = kindsOf('data')

export const dataKinds: readonly Kind[] = [
  bare('influxdb-token', 'InfluxDB token', 'INFLUX_TOKEN', [(random) => secret`${random.base64Url(86)}==`]),
  bare('elastic-api-key', 'Elasticsearch API key', 'ELASTIC_API_KEY', [
    (random) => secret`${base64Of(`${random.base64Url(20)}:${random.base64Url(22)}`)}`,
  ]),
  address('snowflake-url', 'Snowflake URL', 'SNOWFLAKE_URL', [
    (random) =>
      secret`snowflake://${user(random)}:${urlPassword(random)}@${plain(`xy${random.digits(5)}.eu-central-1`)}/ANALYTICS/PUBLIC?warehouse=LOAD_WH`,
  ]),
  address('mysql-url', 'MySQL URL', 'DATABASE_URL', [
    (random) => databaseUrl(random, 'mysql', 3306),
    (random) => databaseUrl(random, 'mysql+pymysql', 3306),
    (random) => databaseUrl(random, 'mariadb', 3307),
  ]),
  token('clickhouse-key', 'ClickHouse Cloud key', 'CLICKHOUSE_CLOUD_SECRET', [
    (random) => secret`4b1d${random.base62(38)}`,
  ]),
  token('astra-token', 'Astra DB token', 'ASTRA_DB_APPLICATION_TOKEN', [
    (random) => secret`AstraCS:${plain(random.base62(24))}:${random.hex(64)}`,
  ]),
  address('amqp-url', 'RabbitMQ URL', 'AMQP_URL', [
    (random) => databaseUrl(random, 'amqp', 5672),
    (random) => databaseUrl(random, 'amqps', 5671),
  ]),
  address('jdbc-url', 'JDBC URL', 'JDBC_URL', [
    (random) =>
      secret`jdbc:postgresql://${host(random)}:5432/${service(random)}?user=${user(random)}&password=${urlPassword(random)}`,
    (random) =>
      secret`jdbc:sqlserver://${host(random)}:1433;databaseName=${service(random)};user=${user(random)};password=${password(random)};encrypt=true`,
    (random) => secret`jdbc:oracle:thin:${user(random)}/${random.base62(14)}@${host(random)}:1521/ORCL`,
  ]),
  token('neon-key', 'Neon API key', 'NEON_API_KEY', [(random) => secret`napi_${random.lower(64)}`]),
  address('postgres-url', 'PostgreSQL URL', 'DATABASE_URL', [
    (random) => databaseUrl(random, 'postgres', 5432),
    (random) => databaseUrl(random, 'postgresql', 5432),
    (random) => databaseUrl(random, 'postgresql+asyncpg', 6432),
  ]),
  address('mssql-connection-string', 'SQL Server connection string', 'SQLSERVER_CONNECTION', [
    (random) =>
      secret`Server=tcp:${host(random)},1433;Initial Catalog=${service(random)};User ID=${user(random)};Password=${password(random)};Encrypt=True;`,
    (random) =>
      secret`Data Source=${host(random)};Database=${service(random)};Uid=${user(random)};Pwd=${password(random)};`,
  ]),
]

const user = (random: Random) => plain(userName(random))
const host = (random: Random) => plain(hostName(random))
const service = (random: Random) => plain(serviceName(random))

function databaseUrl(random: Random, scheme: string, port: number): Value {
  const end = plain(`${hostName(random)}:${port}/${serviceName(random)}`)
  return secret`${plain(scheme)}://${user(random)}:${urlPassword(random)}@${end}`
}

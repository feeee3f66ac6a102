import { base64Of, bech32 } from '../encode.ts'
import { type Kind, kindsOf } from '../kind.ts'
import { domainName, hostName, password, serviceName, userName } from '../people.ts'
import { base62, type Random } from '../random.ts'
import { plain, secret } from '../value.ts'

const keys = kindsOf('keys')
const { lines } = kindsOf('generic')

const mnemonicWords =
  `abandon absorb acoustic alarm amateur anchor apology artwork autumn balcony bamboo barrel beach blanket
blossom bracket bronze buffalo cabin candy canvas carbon castle cereal circle clever cluster coconut copper cotton cradle
crater cruise dawn decline denial desert dinner dolphin donkey dragon drift dwarf eagle echo elbow emerald enroll
episode fabric falcon fiction flavor fossil fringe galaxy garlic gesture giraffe glimpse gossip gravity hazard hedgehog
hollow hurdle husband icon insect island jaguar jungle kangaroo kidney ladder laundry lemon lizard lobster lunar magnet
mango marble meadow melody mimic monkey muffin napkin noodle nuclear oblige ocean olive orphan oxygen paddle panther
pepper pilot planet pottery puzzle quantum rabbit raccoon ribbon rival salmon scatter shiver siren sketch spider
squirrel sunset tattoo tilt tobacco tornado trophy tunnel umbrella unveil velvet village volcano walnut whisper
window wrestle yellow zebra`.split(/\s+/)

export const heldOutKeyKinds: readonly Kind[] = [
  keys.bare('bip39-mnemonic', 'wallet recovery phrase', 'WALLET_MNEMONIC', [
    (random) => secret`${words(random, 12)}`,
    (random) => secret`${words(random, 24)}`,
  ]),
  keys.lines('minisign-secret-key', 'minisign key', 'MINISIGN_KEY', [
    (random) => secret`untrusted comment: minisign encrypted secret key\nRWRTY0Iy${random.base64(202)}==`,
    (random) => secret`untrusted comment: signify secret key\nRWRCSwAAAAA${random.base64(125)}=`,
  ]),
  keys.token('nostr-secret-key', 'Nostr key', 'NOSTR_SECRET_KEY', [
    (random) => secret`nsec1${bech32(random, 'nsec')}`,
  ]),
]

export const heldOutGenericKinds: readonly Kind[] = [
  lines('curl-user', 'curl call', 'CURL', [
    (random) => secret`curl -u ${user(random)}:${password(random)} https://api.${domain(random)}/v1/jobs`,
    (random) =>
      secret`curl --user "${user(random)}:${password(random)}" -X POST https://${host(random)}/build`,
    (random) =>
      secret`wget --http-user=${user(random)} --http-password=${password(random)} https://${host(random)}/dump.gz`,
  ]),
  lines('sshpass', 'sshpass call', 'SSHPASS', [
    (random) => secret`sshpass -p '${password(random)}' scp dump.sql ${user(random)}@${host(random)}:`,
    (random) =>
      secret`echo ${random.base62(16)} | docker login -u ${user(random)} --password-stdin images.${domain(random)}`,
  ]),
  lines('netrc', '.netrc entry', 'NETRC', [
    (random) => secret`machine ${host(random)} login ${user(random)} password ${password(random)}`,
    (random) => secret`machine api.${domain(random)}\n  login ${user(random)}\n  password ${random.hex(40)}`,
  ]),
  lines('xml-element', 'XML setting', 'XML', [
    (random) => secret`<password>${password(random)}</password>`,
    (random) => secret`<add key="ClearTextPassword" value="${password(random)}" />`,
    (random) => secret`<property name="hibernate.connection.password">${password(random)}</property>`,
    (random) =>
      secret`<server><id>releases</id><username>${user(random)}</username><password>${random.base62(22)}</password></server>`,
  ]),
  lines('password-assignment', 'password', 'PASSWORD', [
    (random) => secret`password = "${password(random)}"`,
    (random) => secret`db_password: '${password(random)}'`,
    (random) => secret`"passwd": "${password(random)}",`,
    (random) => secret`const adminPassword: string = '${password(random)}';`,
    (random) => secret`spring.datasource.password=${password(random)}`,
    (random) => secret`$pwd = '${password(random)}';`,
    (random) => secret`CREATE USER ${user(random)} WITH PASSWORD '${password(random)}';`,
    (random) => secret`ALTER USER ${user(random)} IDENTIFIED BY '${password(random)}';`,
  ]),
  lines('mysql-client-password', 'mysql call', 'MYSQL', [
    (random) => secret`mysql -h ${host(random)} -u ${user(random)} -p${random.base62(14)} ${service(random)}`,
    (random) =>
      secret`mysqldump --user=${user(random)} --password=${password(random)} ${service(random)} > dump.sql`,
    (random) => secret`MYSQL_PWD=${random.base62(18)} mysql -u ${user(random)} ${service(random)}`,
  ]),
  lines('command-flag', 'command line', 'COMMAND', [
    (random) =>
      secret`./deploy.sh --user ${user(random)} --password ${password(random)} --host ${host(random)}`,
    (random) => secret`helm upgrade ${service(random)} ./chart --set auth.password=${password(random)}`,
    (random) =>
      secret`kubectl create secret generic ${service(random)} --from-literal=token=${random.base62(32)}`,
    (random) => secret`keytool -importkeystore -storepass ${password(random)} -keystore app.jks`,
    (random) => secret`openssl pkcs12 -export -in cert.pem -passout pass:${password(random)}`,
  ]),
  lines('htpasswd-hash', '.htpasswd entry', 'HTPASSWD', [
    (random) => secret`${user(random)}:$apr1$${plain(crypt(random, 8))}$${crypt(random, 22)}`,
    (random) => secret`${user(random)}:$2y$05$${crypt(random, 53)}`,
    (random) => secret`${user(random)}:{SHA}${base64Of(random.bytes(20))}`,
  ]),
  lines('shadow-hash', 'shadow entry', 'SHADOW', [
    (random) =>
      secret`${user(random)}:$6$${plain(crypt(random, 16))}$${crypt(random, 86)}:19722:0:99999:7:::`,
    (random) => secret`usermod -p '$5$${plain(crypt(random, 16))}$${crypt(random, 43)}' ${user(random)}`,
    (random) => secret`${user(random)}:$y$j9T$${plain(crypt(random, 22))}$${crypt(random, 43)}:19800::::::`,
  ]),
]

const user = (random: Random) => plain(userName(random))
const host = (random: Random) => plain(hostName(random))
const service = (random: Random) => plain(serviceName(random))
const domain = (random: Random) => plain(domainName(random))
const crypt = (random: Random, length: number) => random.chars(`./${base62}`, length)
const words = (random: Random, count: number) =>
  Array.from({ length: count }, () => random.pick(mnemonicWords)).join(' ')

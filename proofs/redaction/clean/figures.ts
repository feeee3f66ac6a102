import { base64Of } from '../encode.ts'
import { cron, iban, phone } from './lookalikes.ts'
import type { Topic } from './talk.ts'

export const figureTopics: readonly Topic[] = [
  {
    name: 'numbers',
    lines: [
      (t) => `The test account is ${iban(t.random)}, ${t.reason}.`,
      (t) => `Format ${iban(t.random)} in groups of four, also when ${t.type} prints it.`,
      (t) => `Support can be called under ${phone(t.random)}; keep the number in ${t.file} only.`,
      (t) => `${phone(t.random)} and ${phone(t.random)} must both pass ${t.name}().`,
      (t) =>
        `Timestamps such as 17${t.random.digits(11)} are milliseconds, 17${t.random.digits(8)} are seconds (${t.module}).`,
      (t) => `Article ${t.random.digits(13)} has a wrong check digit in the fixture of ${t.type}.`,
      (t) =>
        `ISBN 978-3-${t.random.digits(5)}-${t.random.digits(3)}-${t.random.digits(1)} describes the pattern of ${t.name}.`,
      (t) =>
        `Amounts are cents: ${t.random.digits(9)} is not ${t.random.digits(7)}.${t.random.digits(2)}, ${t.reason}.`,
      (t) => `0x${t.random.hex(16)} is the seed of the generator in ${t.file}.`,
      (t) => `The salt of the bloom filter is 0x${t.random.hex(8)}; ${t.rule}`,
      (t) => `const EPSILON = 1e-${t.random.between(6, 16)} // ${t.module}`,
      (t) =>
        `VAT id DE${t.random.digits(9)} and tax number ${t.random.digits(2)}/${t.random.digits(3)}/${t.random.digits(5)} are examples.`,
    ],
  },
  {
    name: 'colours and layout',
    lines: [
      (t) => `Use var(--${t.kebab}) instead of #${t.random.hex(6)}, ${t.reason}.`,
      (t) =>
        `color: #${t.random.hex(6)}; background: #${t.random.hex(8)}; border-color: #${t.random.hex(3)};`,
      (t) =>
        `The palette of ${t.module} is #${t.random.hex(6)}, #${t.random.hex(6)}, #${t.random.hex(6)} and #${t.random.hex(6)}.`,
      (t) =>
        `d="M${t.random.digits(2)}.${t.random.digits(3)} ${t.random.digits(2)}c0-1.${t.random.digits(2)}.${t.random.digits(2)}-2 2-2h${t.random.digits(2)}v${t.random.digits(2)}z" is an icon, take it from the sprite of ${t.module}.`,
      (t) =>
        `box-shadow: 0 ${t.random.below(9)}px ${t.random.digits(2)}px rgba(${t.random.below(255)}, ${t.random.below(255)}, 0, .${t.random.digits(2)}) /* ${t.kebab} */`,
      (t) => `Figures.tsx: viewBox="0 0 ${t.number} ${t.random.digits(3)}" is repeated for ${t.type}.`,
    ],
  },
  {
    name: 'schedules',
    lines: [
      (t) => `${cron(t.random)} /opt/app/bin/${t.kebab} --module ${t.module}`,
      (t) => `schedule: "${cron(t.random)}" runs ${t.name} in UTC, ${t.reason}.`,
      (t) => `- cron: '${cron(t.random)}' # ${t.module}, ${t.team}`,
      (t) => `@Scheduled(cron = "0 ${cron(t.random)}") on ${t.name}() needs a lock.`,
      (t) =>
        `Retry after ${t.random.digits(2)}s, ${t.random.digits(3)}s and ${t.random.digits(4)}s; ${t.rule}`,
      (t) => `RRULE:FREQ=WEEKLY;BYDAY=MO,WE;UNTIL=2026${t.random.digits(4)}T000000Z breaks ${t.type}.`,
    ],
  },
  {
    name: 'encoded text',
    lines: [
      (t) => `base64 of "${t.snake}" is ${base64Of(t.snake)}, which is no protection, ${t.reason}.`,
      (t) => `atob('${base64Of(`${t.module}/${t.kebab}`)}') appears in ${t.file}; write the text instead.`,
      (t) =>
        `%7B%22${t.snake}%22%3A%5B${t.number}%2C${t.random.digits(3)}%5D%7D is JSON that was escaped for a query of ${t.module}.`,
      (t) => `\\u00e4\\u00f6\\u00fc\\u00df in ${t.file} should be readable letters; ${t.rule}`,
      (t) =>
        `The protobuf ${base64Of(`\u0008\u0096\u0001${t.snake}`)} in the golden file of ${t.type} was made by hand.`,
      (t) =>
        `Accept cursors such as ${base64Of(`{"after":${t.number},"module":"${t.module}"}`)} as opaque, ${t.reason}.`,
      (t) => `xn--${t.random.lower(7)}-${t.random.lower(3)}.example is punycode; show the name in ${t.type}.`,
      (t) =>
        `charset=utf-8;q=0.${t.random.digits(1)}, boundary=----WebKitFormBoundary${t.random.base62(16)} comes from the browser (${t.module}).`,
    ],
  },
]

import type { Topic } from './talk.ts'

export const plainTopics: readonly Topic[] = [
  {
    name: 'guidance',
    lines: [
      (t) => t.rule,
      (t) => `${t.rule} The example to follow is ${t.file}.`,
      (t) => `In ${t.module}: ${t.rule}`,
      (t) => `${t.person} from ${t.team} asked for this: ${t.rule}`,
      (t) => `When a change touches ${t.type}, ask ${t.team} for a review. ${t.rule}`,
      (t) => `${t.name}() may be called twice; make it idempotent, ${t.reason}.`,
      (t) => `Do not comment on the order of imports in ${t.file}, the formatter decides.`,
      (t) => `A ${t.type} is never deleted, only archived, ${t.reason}.`,
      (t) => `Tests of ${t.module} need a real database; ${t.rule}`,
      (t) => `Use ${t.library} instead of our own ${t.snake} helper, ${t.reason}.`,
      (t) => `We agreed on ${t.day}: ${t.rule}`,
      (t) => `Names of files are kebab-case (${t.kebab}), names of types are not (${t.type}).`,
      (t) => `- [ ] ${t.rule}`,
      (t) => `> ${t.person}: ${t.rule}`,
      (t) => `**${t.module}**: ${t.rule}`,
      (t) => `The budget of ${t.name} is ${t.number} ms at the 99th percentile. ${t.rule}`,
      (t) => `See #${t.number} for why ${t.type} keeps the old field \`${t.snake}\`.`,
      (t) => `${t.type} must stay below ${t.number} lines; ${t.rule}`,
      (t) => `Texts for ${t.locale} are reviewed by ${t.person}; ${t.rule}`,
      (t) => `Prefer \`${t.name}\` over a loop in ${t.file}, ${t.reason}.`,
    ],
  },
  {
    name: 'other languages',
    lines: [
      (t) => `Bitte in ${t.module} keine Passwörter im Klartext prüfen, sondern ${t.name}() verwenden.`,
      (t) => `Das Kennwort darf nie im Protokoll von ${t.type} stehen, auch nicht gekürzt.`,
      (t) => `Ne jamais écrire le mot de passe dans ${t.file}; demander à ${t.person}.`,
      (t) => `La clave de ${t.snake} es el identificador del cliente, no un secreto.`,
      (t) => `パスワードを ${t.file} に書かないでください（${t.module}）。`,
      (t) => `Не пишите токены в журнал ${t.module}; спросите ${t.person}.`,
      (t) => `${t.person}: 不要在 ${t.name} 中记录令牌。`,
      (t) => `Hasła i klucze do ${t.module} trzymamy w sejfie, nie w ${t.file}.`,
      (t) => `A chave de ${t.type} é pública 🔑, mas a de ${t.module} não.`,
    ],
  },
]

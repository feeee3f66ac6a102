import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { Tokenizer } from '@huggingface/tokenizers'
import { createTokenReader } from './tokens.ts'

const MAX_TOKENS = 256
/** As many as the queue sends to a thread. */
const MAX_TEXT_CHARACTERS = 4_000
/** Any text takes at most this on a quiet machine. Other work on the machine gets as much again, and more. */
const MAX_MS = 20
const MAX_MS_BESIDE_OTHER_WORK = 50

const repository = new URL('../../../../', import.meta.url)
const definition = JSON.parse(readFileSync(new URL('server/model/tokenizer.json', repository), 'utf8'))
const library = new Tokenizer(definition, {})
const readTokens = createTokenReader(definition)

/** The first tokens by the library alone, which reads the whole text. */
function readTokensUnbounded(text: string): readonly number[] {
  const { ids } = library.encode(text, { add_special_tokens: true })
  return ids.length <= MAX_TOKENS ? ids : [...ids.slice(0, MAX_TOKENS - 1), ...ids.slice(-1)]
}

describe('reads the same tokens as the library', () => {
  const corpora = globSync(
    '{server/calibration,demo/data,fake-forge/data,evals/data/contradictions}/*.jsonl',
    {
      cwd: repository,
    },
  )
  for (const corpus of corpora.sort()) {
    test(corpus, () => {
      const texts = readFileSync(new URL(corpus, repository), 'utf8').split('\n').flatMap(listTexts)
      assert.ok(texts.length > 0)
      for (const text of texts) assert.deepEqual(readTokens(text), readTokensUnbounded(text), text)
    })
  }

  const odd = [
    '',
    ' \n',
    '!!!',
    '数据库',
    '한국어 텍스트를 검토합니다',
    'Ελληνικά, İstanbul, naïve e\u0301, हिन्दी में समीक्षा',
    '🚚'.repeat(500),
    'lone \ud83d half',
    'null \u0000 byte',
    '[CLS] of the model [SEP]',
    'getLearningsOfOrganizationAndRepositoryByAuthorOrFileWhenTheyAreSharedAndApproved',
    `sha256 ${'0123456789abcdef'.repeat(4)} ${'x'.repeat(100)} ${'x'.repeat(101)}`,
    'internationalization '.repeat(200),
  ]
  for (const text of odd)
    test(JSON.stringify(text.slice(0, 40)), () =>
      assert.deepEqual(readTokens(text), readTokensUnbounded(text)),
    )
})

function listTexts(line: string): string[] {
  if (line === '') return []
  const texts: string[] = []
  JSON.parse(line, (_, value: unknown) => {
    if (typeof value === 'string') texts.push(value)
    return value
  })
  return texts
}

describe('no text takes long', () => {
  // The vocabulary has no piece with this letter. A word that ends with it is read to its end, and then is one token.
  const unknown = 'ɓ'
  const words = {
    'a sentence': 'Retry the payment call with an idempotency key, and log the failure. ',
    'unusual letters': `${'qzxjvkwq'.repeat(12)} `,
    'unusual letters, unknown at the end': `${'qzxjvkwq'.repeat(12)}qqq${unknown} `,
    'capital letters': `${'QZXJVKWQ'.repeat(12)}${unknown} `,
    'long pieces': `${'telecommunicatio'.repeat(6)}${unknown} `,
    'syllables of three letters': `${'각'.repeat(33)}${unknown} `,
    'letters with marks': `${'ᾂ'.repeat(99)}${unknown} `,
    'letters that are longer in lower case': `${'İ'.repeat(99)}${unknown} `,
    'marks in the wrong order': 'a'.padEnd(MAX_TEXT_CHARACTERS, '\u0301\u0323'),
    'spacing marks in the wrong order': 'a'.padEnd(MAX_TEXT_CHARACTERS, '\u302e\u{1d165}\u0323'),
    'marks between invisible characters': `${'\u0344'.repeat(29)}\u200b${'\u0323'.repeat(29)}\u200b`,
    ideographs: '数据库',
    emoji: '🚚',
    punctuation: '!',
    'white space': ' \u00a0\n',
    'one long word': 'x',
    'unknown words': `${unknown} `,
    'names of tokens': 'q[CLS]',
    'invisible characters': '\u200b\u0001',
  }
  for (const [what, unit] of Object.entries(words)) {
    test(what, (context) => {
      const text = unit.repeat(MAX_TEXT_CHARACTERS).slice(0, MAX_TEXT_CHARACTERS)
      const times = Array.from({ length: 5 }, () => {
        const started = performance.now()
        readTokens(text)
        return performance.now() - started
      })
      const fastest = Math.min(...times)
      context.diagnostic(`${fastest.toFixed(1)} ms; the goal on a quiet machine is ${MAX_MS} ms`)
      assert.ok(fastest < MAX_MS_BESIDE_OTHER_WORK, `${fastest} ms`)
    })
  }
})

/** A text as sent, and as the contract says it is stored. */
export interface Wording {
  readonly sent: string
  readonly stored: string
}

/** Wordings with the same identity. */
export interface Content {
  /** The text that ids derive from: trimmed, NFC, LF, redacted. */
  readonly identity: string
  readonly wordings: readonly Wording[]
}

const plain = (text: string): Content => ({
  identity: text,
  wordings: [
    { sent: text, stored: text },
    { sent: `  ${text}\n`, stored: text },
  ],
})

export const contents: readonly Content[] = [
  plain('Say why, not what.'),
  plain('Amounts of money are integers.'),
  plain('A retry needs a limit.'),
  {
    identity: 'Migrations go forward.\nNever back.',
    wordings: [
      { sent: 'Migrations go forward.\nNever back.', stored: 'Migrations go forward.\nNever back.' },
      { sent: 'Migrations go forward.\r\nNever back.', stored: 'Migrations go forward.\r\nNever back.' },
    ],
  },
  {
    identity: 'Na\u00efve dates have no zone.',
    wordings: [
      { sent: 'Na\u00efve dates have no zone.', stored: 'Na\u00efve dates have no zone.' },
      { sent: 'Nai\u0308ve dates have no zone.', stored: 'Nai\u0308ve dates have no zone.' },
    ],
  },
  {
    identity: 'Never log [REDACTED:github_token] anywhere.',
    wordings: ['ghp_aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA2c4e', 'ghp_zB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA2c4f'].map(
      (token) => ({
        sent: `Never log ${token} anywhere.`,
        stored: 'Never log [REDACTED:github_token] anywhere.',
      }),
    ),
  },
]

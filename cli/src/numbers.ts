import { InvalidArgumentError } from 'commander'

/** For options that count something. */
export function parseCount(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a positive whole number.')
  return Number(text)
}

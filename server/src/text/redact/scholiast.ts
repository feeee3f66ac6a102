import { isWellFormedSecret, PREFIX_LENGTH } from '../../access/key-format.ts'
import { base64Url, defineRule, type RedactionRule } from './rule.ts'

const MAX_PAYLOAD_LENGTH = 7000

/** Credentials that Scholiast itself issues. */
export const scholiastRules: readonly RedactionRule[] = [
  defineRule(
    'scholiast_key',
    ['sch_'],
    '(?<![A-Za-z0-9])(?<secret>sch_[a-z]{3}_[0-9A-Za-z]{36})',
    ({ secret }) => isWellFormedSecret(secret.slice(0, PREFIX_LENGTH), secret),
  ),
  defineRule(
    'scholiast_ingest_credential',
    ['sch_ing_'],
    `(?<secret>sch_ing_(?:(?!sch_ing_)${base64Url}){20,${MAX_PAYLOAD_LENGTH}}\\.${base64Url}{43})`,
  ),
]

// One Learning a line: slug | text | the file it was written for, if any.

export const money = `
money-integer-minor | Amounts are integers in the minor unit together with a currency. No floating point anywhere near money.
money-currency-digits | Not every currency has two decimals: JPY has none, KWD three. Take the exponent from the currency table. | lib/money/currencies.ts
money-rounding-once | Round once at the end of a calculation, half-even, and only in Money.round. Rounding each line differed from the total by cents.
money-allocate-rest | Splitting an amount must not lose a cent. Use allocate(), which hands the remainder to the first parts.
money-no-mix | Adding amounts in different currencies throws; converting needs a rate with its source and date.
money-ledger-append | Ledger entries are never updated or deleted. A correction is a reversing entry plus a new one.
money-double-entry | Each posting has debits and credits that sum to zero, checked by a database constraint.
money-invoice-frozen | An issued invoice keeps its own copy of prices, tax rates and address. It must not change when the catalogue does.
money-invoice-numbers | Invoice numbers have no gaps within a series; take them from the numbering table in the same transaction, never from a sequence.
money-tax-by-place | VAT depends on the place and status of the buyer at the time of supply. Ask the tax module, do not write 0.19.
money-proration | Proration is computed by seconds of the period in the subscription's time zone, in proration.ts only. | billing/proration.ts
money-webhook-truth | A payment is settled when the provider's webhook says so, not when the browser returns from the redirect.
money-refund-limit | The sum of refunds never exceeds the captured amount, which is enforced under a row lock.
money-idempotent-charge | Each charge attempt has an idempotency key made of invoice and attempt; a timeout is not a failure.
money-display-format | Format amounts with Intl.NumberFormat by locale and currency; no manual euro sign or comma.
money-price-version | Prices are never edited, a new version with valid_from is added. Existing subscriptions stay on theirs.
money-dunning | Failed renewals follow the dunning schedule 1, 3, 7, 14 days; access ends only after the last.
money-trial-end | Remind three days before a trial turns into a paid plan. Card networks require it.
money-discount-order | Percentage discounts apply before fixed ones, and tax is computed on the result.
money-pci-scope | Card numbers never touch our servers; use the provider's hosted fields. Not even for a moment in a log or form.
money-negative-zero | Free plans and full discounts produce invoices over zero, which are finalised without calling the payment provider.
money-reconcile | The nightly job compares ledger, provider and bank. A difference of one cent opens a ticket.
money-minor-api-name | API fields are called amount_minor and currency; a field called price without a unit is refused.
money-chargeback | A chargeback suspends payouts for that order, not the whole seller account.
`

export const dates = `
time-utc-store | Store instants in UTC and convert at the edge for display.
time-local-future | Future appointments keep local time and zone name, not an instant; the offset may be changed by law before they happen.
time-iana-names | Save zone names such as Europe/Vienna. Offsets like +01:00 and abbreviations like CET are not zones.
time-dst-day-length | A day is not 86,400 seconds. Add calendar days with the date library and never 24 hours.
time-date-only | Birthdays and due dates are dates without time. Turning them into midnight UTC shifts them by a day in America.
time-clock-injected | Take the time from an injected clock. Date.now() in domain code cannot be tested.
time-monotonic | Measure durations with the monotonic clock (performance.now, time.monotonic). The wall clock jumps.
time-month-end | January 31 plus one month is the last day of February, and next month the 31st again; keep the anchor day.
time-iso-format | Exchange times as ISO 8601 with offset. 03/04/2025 is two different days on two continents.
time-week-numbers | Use ISO weeks with the week-based year (YYYY together with ww is wrong at New Year).
time-half-open | Intervals are half-open, from inclusive and to exclusive. 23:59:59 loses the last second.
time-db-now | Use the database's now() for expiry comparisons within one transaction; clocks of the pods differ by seconds.
time-unix-unit | Names of epoch values say the unit: expires_at_ms. Mixing seconds and milliseconds gave tokens valid until the year 50000.
time-cron-zone | Schedules state their zone. A job at 02:30 local time runs twice or not at all when the clocks change.
time-relative-display | Relative texts such as 5 minutes ago have the exact time in a tooltip and are updated by a timer.
time-user-zone | The user's zone comes from the profile and then from the browser; the server's own zone is never used.
time-parse-strict | Parse with an explicit format. new Date('2025-1-5') depends on the browser.
time-leap-day | Anniversaries on February 29 fall on February 28 in other years. There is a helper for it, anniversaryOf.
time-skew-tolerance | Allow 60 seconds of clock skew when checking nbf and exp of tokens issued by others.
time-year-2038 | No 32-bit seconds in new binary formats.
time-business-days | Working days depend on the region's holiday calendar; do not skip Saturday and Sunday by arithmetic.
time-precision-compare | PostgreSQL keeps microseconds, JavaScript milliseconds. Comparing a round-tripped value for equality fails.
time-test-zones | Run date tests under TZ=Pacific/Auckland and TZ=America/Los_Angeles as well.
time-now-once | Take the current instant once per request and pass it on; several readings around midnight fall on two days.
`

export const i18n = `
i18n-no-concat | Do not build sentences by joining fragments. Use one message with placeholders; word order differs between languages.
i18n-plural-rules | Use ICU plural. Polish has four forms, and an added s is English only.
i18n-keys-by-meaning | Keys describe the place and meaning (cart.empty.title), not the English text.
i18n-context-notes | Messages with single words have a description for the translator: Order as noun or verb?
i18n-extract | Run npm run i18n:extract and commit locales/en.json; other languages are written by the translation tool only. | locales/en.json
i18n-no-text-images | No text in images. It cannot be translated, searched or read aloud.
i18n-date-intl | Dates, numbers and lists are formatted by Intl with the user's locale and never by a pattern in the message.
i18n-fallback | A missing translation falls back to English and is counted; raw keys must not be shown.
i18n-locale-vs-country | Language, country and currency are three settings. A French speaker in Canada pays in dollars.
i18n-names | One field for the full name, since first and last name do not exist everywhere. Never capitalise it automatically.
i18n-address | Address forms follow the country's format from libaddressinput; postal code is not required in Ireland or Hong Kong.
i18n-sort-collation | Sort for people with Intl.Collator or an ICU collation. Byte order puts Ä after Z.
i18n-case-turkish | Do not change the case of identifiers with the user's locale. In Turkish the upper case of i is not I.
i18n-pseudo | Check new screens with the pudding locale en-XA, which makes texts longer and accented and shows what is hard-coded.
i18n-rtl | Try each screen with dir=rtl. Arrows and progress bars mirror, phone numbers do not.
i18n-gender | Avoid texts that need the gender of a user, or use ICU select with a neutral other.
i18n-server-errors | The API sends codes and parameters; texts for people are chosen in the client's language there.
i18n-html-in-messages | No HTML in messages. Use rich-text tags that the component maps, such as <link>…</link>.
i18n-length-limits | Do not limit translations to the length of the English text; push notifications are the only exception, with the limit in the description.
i18n-phone-e164 | Phone numbers are stored in E.164 and displayed nationally with libphonenumber.
i18n-search-accents | Search without regard to accents: Zurich has to find Zürich.
i18n-legal-texts | Terms and consent texts are versioned documents by country, approved by legal, and not entries in the message catalogue.
i18n-language-switch | The language menu names each language in itself (Deutsch, not German) and shows no flags.
i18n-mail-locale | Mails and notifications use the recipient's language, not that of the one who triggered them.
`

export const email = `
mail-transactional-stream | Transactional mail and newsletters use different sending domains and streams, so that a campaign cannot spoil password resets.
mail-dkim-spf | A new sending domain needs SPF, DKIM and DMARC records in infra/dns before the first message. | infra/dns/
mail-plain-part | Each HTML mail has a plain-text part with the same content.
mail-list-unsubscribe | Bulk mail carries List-Unsubscribe and List-Unsubscribe-Post headers for one-click.
mail-bounce-handling | Hard bounces and complaints mark the address as suppressed; sending to it again harms our reputation.
mail-sandbox | Outside of production mail goes to Mailpit, and only addresses at our own domain may leave.
mail-header-injection | Reject line breaks in names and subjects that users give; they add headers such as Bcc.
mail-template-escape | Values in mail templates are escaped. A display name with markup became a phishing link in our layout.
mail-links-absolute | Links are absolute and built from the configured public address, never from the Host header of the request.
mail-no-attachments | Do not attach documents with personal data. Link to them behind login.
mail-tables-layout | Layout with tables and inline styles from MJML; Outlook ignores flex and grid. | emails/*.mjml
mail-dark-images | Logos need a variant or an outline for dark mode, and width attributes for Outlook.
mail-preview-text | Set preheader text, otherwise the inbox shows 'View in browser'.
mail-digest | More than three notifications within ten minutes are put together in one digest.
mail-send-from-job | Mails are sent by a job after commit, not within the request.
mail-address-case | Compare addresses in lower case but keep the spelling which the user typed for sending.
mail-plus-address | Accept plus signs and new top-level domains in addresses, and do not strip the part after the plus.
mail-reply-to | Messages between users have a Reply-To with a per-thread address. no-reply is only for pure notices.
mail-tracking-pixel | No open-tracking pixels in transactional mail.
mail-time-window | Marketing mail is sent between 9 and 19 o'clock in the recipient's zone.
mail-change-notice | When the address of an account changes, inform the former address with a link to undo.
mail-provider-id | Save the provider's message id with our record, as support asks for it when a customer received nothing.
mail-link-prefetch | Mail scanners open links. A confirmation must need a click on the page and not act on GET.
mail-snapshot-tests | Each template has a rendered snapshot in two languages with the longest real names.
`

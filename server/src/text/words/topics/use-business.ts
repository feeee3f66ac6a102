/** Situations around what the business does: files, mail, money, dates, tenants. */
export const useBusiness = `
attachment size_limit megabytes reject early content_length proxy 413 nginx streaming memory full server crash huge video
upload type sniff magic bytes extension trusted mime_header renamed exe content check allowlist picture actually script pretend php
attachment filename generated original_name path_traversal overwrite collision random key display_name name replaced person picture dots
upload presigned_url direct bucket s3 bypass server expiry conditions bandwidth app slow transfer cloud browser directly
attachment memory_buffer stream disk multer memory concurrent whole file readall ram people crash large video chunk
upload virus_scan quarantine asynchronous infected available scanned clamav malware download attachments pdf
serve attachment content disposition separate domain html executes svg script inline nosniff xss opens browser runs_script profile picture
upload private access public_bucket guessable link signed download permission checked url forwarded contract pdf shared secret
attachment image reencode exif gps strip metadata location leak orientation sideways photo rotated home address reveals upside camera
upload image bomb pixel dimension decompression huge canvas resize worker imagemagick policy tiny file memory crash thumbnail
attachment archive extract zip_slip bomb nested entries symlink total limit unpack outside folder fills disk
upload orphan cleanup abandoned temp attached lifecycle rule storage grows bill submitted form pile
attachment phase record file missing_object database points nowhere half finished confirm picture failed broken image
upload resumable chunked tus multipart connection drops start progress lost large_file slow wifi ninety_percent restart beginning video
attachment progress_bar feedback cancel_button stuck percent user leaves tab moves long frozen waiting
upload checksum verify corrupted truncated_file etag md5 integrity incomplete damaged pdf open half transferred
attachment duplicate content hash dedupe file twice reference_count delete shared document hundred copies disk saved
upload delete propagates account removed files remain thumbnails cdn cached gdpr user picture reachable privacy
attachment thumbnail async generated request slow page variants queue placeholder resizing waits preview gallery
upload quota customer storage used limit bypass fair count user fills gigabytes
attachment csv parse streaming rows million_line encoding delimiter background import errors spreadsheet huge failed wrong columns
upload pdf generate headless browser memory font missing sandbox ssrf template invoice render slow chrome blank page letters
attachment temp_file deleted finally disk fills permission predictable name tmp leftover temporary disk_full crash
upload client compress phone photo twelve megapixel resize slow heic unsupported iphone pictures mobile network wait
attachment local_disk container restart vanished avatar second instance missing object_storage deploy pictures server
upload versioned overwrite immutable key cache busting old picture shown cdn stale new avatar visible browser
upload error_specific large wrong_type generic failed retry keep form wrong file explain limit
email send request smtp slow hang queue background page waits provider signup fails registration button timeout mailserver
mail commit rollback sent ghost confirmation order_missing transaction outbox customer message order failed rolled_back
email duplicate send retry job twice inbox idempotent message_key received three three_times letter worker restart
mail staging real customers accidental blast sandbox catch mailhog test_run redirect people received test embarrassing
email bounce handling hard suppression complaint reputation keep sending dead address nonexistent recipient blacklisted provider blocks
mail spf dkim dmarc spam folder deliverability domain alignment arrives junk lands unauthenticated sender dns gmail
email header injection newline subject recipient bcc crlf contact form attacker adds line_break spam relay
mail html escape user_name template injection phishing link rendered attacker name inside brand message
mail unsubscribe link click list marketing consent legal transactional separate annoyed customers stop receiving opt law
email template render missing_variable hello undefined dear null preview test blank name placeholder shown curly_braces empty greeting
mail client css outlook table inline_style gmail clipped dark broken layout looks certain programs
email link absolute base_url localhost staging_link relative host_header poisoned reset link_points wrong server attacker domain
mail reset token expiry single_use hash stored leaked link forwarded prefetch consumes scanner clicked
email magic link device prefetched used confirm button click expired virus scanner opens
mail verify address change email old_address notified takeover unconfirmed hijack notice old confirm new ownership
email address case plus alias normalize duplicate_account gmail dots unique person accounts capital_letters
mail bulk batch rate provider newsletter throttle personalized blast memory fifty thousand recipients slow loop blocked
email recipient privacy cc everybody addresses visible bcc individual exposed list saw data breach
mail digest frequency notification fatigue preference batch hourly inbox flood fifty messages day annoyed summary
email localized language recipient locale time_zone date_format worker_default german customer english letter hour wrong
mail reply noreply unanswered support mailbox customer answers nobody reads vanish lost question
email attachment size link invoice pdf rejected large secure download big message expires
mail inbound parse quoted reply auto responder loop office threading spoofed sender answer creates ticket signature
mail log body personal content token redact address mask reset link visible letter
email provider fallback outage webhook status delivered state failover vendor undelivered unnoticed
money float cents binary rounding penny minor_units integer decimal type bigdecimal double price sum
money currency amount bare number pair mixing eur usd value_object dollars added euros unknown unit price
money zero decimal yen three dinar hundred assumption minor exponent japan multiplied wrong price
money rounding mode half bankers line end total_mismatch invoice differs cent sum
money split remainder allocate three lost cent largest sum parts equals divide bill ten euros people missing penny
money exchange_rate stored time historical recompute old conversion drift yesterday rate report changes orders
money negative amount refund sign credit direction abs discount exceeds zero pays customer minus bigger price
money column_type numeric scale float column bigint overflow precision loss database large sums digits
money json amount string decimal javascript_number precision minor integer parsed float serialized digits lost
money percent discount stack order combine coupons tax ambiguous applied twice cheaper expected first
money price client tampered total server recompute cart hidden field manipulated request cheap order browser sends
money price snapshot order line copy changed later old invoice different catalogue raised past receipts history
money tax inclusive exclusive net gross vat rate date effective region reverse charge germany included price business customer
money tax rounding line invoice legal difference cent mismatch authority accountant differs
money ledger double entry append balance derived edit history correct reversal overwrite untraceable accountant
money balance race concurrent withdraw overdraw negative lock row check spend twice requests gift card zero
money reconciliation provider report mismatch daily compare missing payment settle discrepancy bank statement match month_end
money audit immutable invoice edit issued credit note gapless number legal sequence changed afterwards sent illegal cancel
money invoice_number gap sequence rollback duplicate concurrency yearly prefix missing number tax audit skipped consecutive
payment idempotency_key retry timeout charged twice network unknown outcome double_click customer pressed debited connection lost
payment webhook source truth redirect success closed_browser returned paid unpaid shown order pending
payment webhook order duplicate sequence event_id processed late refund repeated notification
payment unknown_state timeout failure query provider pending reconcile assume failed answer maybe charged retry blindly unclear
payment authorize capture hold expires ship later partial void release reserved amount days split
payment refund partial exceeds original repeated fee amount remaining returned paid agents
payment card data token pci scope log hosted fields iframe pan credit_card credit number stored compliance
payment strong authentication 3ds sca challenge flow session declined bank asks confirm european cards abandoned
payment decline reason soft hard retry_schedule dunning expired card update monthly charge failed try later insufficient funds
payment test mode live key mixed sandbox production environment guard fake real customers wrong
payment amount check webhook currency verify underpaid tampered paid cent marked order
payment fraud velocity card testing tiny charges bot checkout block stolen hundreds small attempts
payment status machine paid refunded failed explicit transition jump back cancelled order becomes impossible
payment log trace provider reference support find customer asks store id money lookup transaction
billing proration mid cycle upgrade day unused credit calculation second precision changed plan middle month pays twice fair
billing renewal date month_end anchor february drift monthly shift early charged third last day moves
billing trial end reminder card required extend abuse repeat new email free month address
billing cancel period end immediate access reactivate refund lost early immediately locked paid
billing grace_period failed renewal lock downgrade data_kept dunning mail card expired thrown immediately warning
billing usage metering event dedupe late double_counted aggregate close period counted_twice api_calls invoice high
billing seat count added_removed midmonth active definition true employees added invoice person
billing plan grandfather old price legacy change notice hardcoded existing customers conditions suddenly expensive
billing entitlement check plan name compared feature list scattered key pro string new forgot
billing coupon limit redemption race single_use shared_code expired stack used twice simultaneous voucher discount
billing quota enforce soft hard overage surprise cap alert unexpected invoice thousands warn customer
billing credit balance expire order consumed oldest first wallet vouchers gift
billing invoice finalize draft edit late item locked pdf frozen sent changed copy
billing time_zone time zone period cutoff utc midnight local month boundary usage last hour wrong japan customer
billing dry_run mass charge batch run preview safe resume crash half customers mistake stopped halfway
billing admin adjustment manual credit reason required second approval audit support agent gave money unlogged
date store utc timestamptz naive timestamp server zone converted display hour wrong shown earlier berlin summer moved
timestamp future local appointment zone name rule change recurring meeting utc shift store wallclock moved clock dentist
date offset zone fixed plus hours iana name summer wrong abbreviation est winter half year hardcoded
timestamp dst gap nonexistent time half past march skipped job spring forward alarm rang night sunday
date dst overlap ambiguous hour twice run october autumn repeated scheduled duplicate times night job sunday invoice
timestamp add hours day length calendar_day plus drift clock_change tomorrow time earlier reminder
date birthday shift midnight utc previous day new_date string_parse localdate early birth americans
timestamp javascript month zero based january getyear getday confusion december eleven
date parse zone implicit local utc assumed iso ambiguous string depends machine laptop differs
timestamp format token yyyy week year december wrong mm minutes hh new shows next last
date month arithmetic january plus clamp overflow march end rent skips february
timestamp leap_year february anniversary 365 days divide age four years crash birthday
date age calculation birthday today years millisecond division turned eighteen day
timestamp range half_open half open end exclusive last_second inclusive missed_rows whole day
date today user zone server day report midnight boundary yesterday numbers missing evening orders counted tomorrow sydney
timestamp business_day holiday weekend calendar country deadline working delivery christmas bank
date week start iso number year boundary monday sunday first january differs planner
timestamp epoch unit seconds milliseconds 1970 year 50000 multiply thousand name far future factor
date clock injected parameter frozen test deterministic time travel depends today
timestamp clock_skew servers token valid leeway ntp negative duration slightly ahead rejected login issued
date monotonic elapsed wallclock jump measure duration performance negative time minus seconds adjusted clock stopwatch
timestamp database application mixed clock default_current transaction time seconds different created updated
date precision lost microsecond millisecond truncate compare equal roundtrip cursor skips row twice page equality fails
timestamp cron zone schedule local server utc runs hour early daylight shift starts three four winter
date midnight peak everybody zero oclock spread jitter load spike jobs together overload hour mark
date mutable library moment mutates add_changes original copy immutable luxon temporal changed surprise variable
date user zone stored browser guess traveler profile setting display label travelling shows home wrong_place
timestamp multi zone event participants sees label call missed new york colleague came hour late invitation
date expiry inclusive valid end_day midnight coupon dies early last day invalid evening
date year digit pivot century 2038 overflow int32 2099 1923 wrong
timestamp input_typed ambiguous entry month day swapped picker explicit fourth march april third
date sort string lexicographic non iso text column compare wrong ninth tenth alphabetically
timestamp sql date_trunc trunc timezone group daily report bucket utc wrong day chart sales night orders moved
timestamp schedule missed downtime catch skipped_run last_success server midnight ran
query filter missing organization id forgotten company rows repository default sees foreign data invoices competitor
tenant row_level security_policy local session variable pooled connection leftover previous customer request reset
token request body supplied organization trust header spoof switch change id url parameter believed
tenant cache_key prefix missing shared entry customer cached page leak sees dashboard redis
organization background_job context lost worker argument customer default nightly wrong company processed worker_thread
tenant composite foreign key includes cross reference row points organization constraint project company assigned
organization unique scope constraint name_taken company global email name stranger uses
tenant index leading column first composite slow large customer scan biggest fast
organization noisy neighbor fair queue customer blocks import starves quota isolation huge everybody waits capacity
tenant test second fixture leak untested cross access single company seeded undetected
organization admin bypass support access explicit scope audited superuser policy employee looks customer unrecorded
tenant export delete offboard complete removal leftover rows backup contract end prove
organization restore single backup customer accidentally deleted whole database company yesterday state untouched
tenant subdomain resolve host_header custom domain mismatch cookie scope shared parent wrong company logged neighbour
organization user multiple organizations membership switch active org role stale permission tab companies works consultant wrong
tenant invite existing account link wrong organization email match domain claim joined foreign company
organization last owner removed locked orphan workspace transfer nobody administer left company
tenant config override customer branch hardcoded_customer company name special_case equals acme exception
tenant migration schemas thousand databases partial failed version skew fanout upgraded old halfway
tenant websocket room channel_name broadcast subscribed authorization received message company
organization data_residency region pinned europe replicated abroad backup location american server german law stored
organization aggregate leak benchmark small group count infer competitor statistics companies guess rival
organization onboarding provision idempotent half_created retry seed defaults signup crashed settings half workspace
tenant raw sql report bypass analytics query view unscoped join dashboard companies forgot filter
`

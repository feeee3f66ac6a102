// One Learning a line: slug | text | the file it was written for, if any.

export const privacy = `
priv-purpose | Collect a personal field only with a purpose and a retention period in data-inventory.yaml. Nice to have is no purpose. | docs/data-inventory.yaml
priv-erasure | A new table with personal data is added to the erasure job in the same change, including its backups' expiry.
priv-export | What we store about a person must appear in the self-service export. Add the new fields to its builder.
priv-consent-first | Analytics and marketing scripts load only after consent; a banner that is shown while they run already is not consent.
priv-no-prod-copies | Production data is not copied to laptops or staging. Use the generator or the anonymised dump of the week.
priv-pseudonymise | Analytics events use the pseudonymous id. The table that maps it to accounts is in another database with separate access.
priv-region-eu | Data of EU workspaces stays in eu-central-1. A new vendor or bucket in another region needs the privacy team.
priv-third-party | Sending personal data to a new processor needs a signed agreement before the first call, also in a trial.
priv-minimise-response | Return only the fields the screen shows. The member list does not need birthdays and phone numbers.
priv-free-text | Free text fields contain health and other sensitive things sooner or later: no indexing for advertising, no use for model training.
priv-ip-truncate | Truncate IP addresses to /24 or /48 before storing them for statistics.
priv-retention-job | Time limits are enforced by the retention job, not by hope. State the rule for each table in retention.yaml. | config/retention.yaml
priv-children | Accounts under 16 have no profile search, no targeted content and need a parent's approval.
priv-dark-patterns | Refusing must take as many clicks as accepting, and in the same size.
priv-dsr-identity | Verify who asks before answering an access request; a mail from a similar address is not enough.
priv-anonymise-real | Removing the name is not anonymising. Postal code, birth date and gender together identify most people.
priv-soft-delete | A deleted_at flag does not satisfy an erasure request. After 30 days the content has to go physically.
priv-audit-access | Reading a customer's content by staff is recorded with a reason and visible to that customer.
priv-photo-metadata | Strip EXIF data, above all the GPS position, from pictures before others can see them.
priv-unsubscribe | Marketing mail needs opt-in and an unsubscribe that works without login; service mail must not carry advertising.
priv-log-access | The legal basis must be recorded with the consent: text version, time and channel.
priv-hash-not-anon | A hashed e-mail address is still personal data, because anyone can hash a list of addresses and compare.
priv-mobile-permissions | Ask for contacts, location or camera at the moment of use with an explanation, never at first start.
priv-crash-reports | Scrub crash reports and session replays: inputs are masked by default, and unmasking needs a review.
`

export const validation = `
valid-boundary | Parse input once at the boundary into a typed value. Inner functions take the type and do not check again.
valid-max-length | Each string has a maximum length and each list a maximum number of entries, in the schema and in the database.
valid-allowlist | Describe what is allowed instead of stripping what looks bad. Blocklists for script tags have always been bypassed.
valid-trim-normalise | Trim and normalise to NFC before comparing or storing names; two visually equal user names are an attack.
valid-numbers-finite | Numbers from JSON or forms may be NaN, Infinity, negative or 1e308. State minimum and maximum.
valid-regex-redos | No nested quantifiers in patterns applied to user input, such as (a+)+; use RE2 or bounded repetition.
valid-ssrf | When fetching an address given by a user, resolve it first and refuse private, loopback and link-local ranges, also after redirects. | net/safe_fetch.py
valid-xml-entities | Switch off external entities and DTDs in every XML parser.
valid-path-traversal | Resolve the path and verify that it stays below the base directory. Replacing ../ is not sufficient.
valid-command-args | Start processes with an argument list and without a shell. Never build a command line out of user input.
valid-deserialise | No pickle, Java serialization or yaml.load on data from outside; use JSON with a schema, or safe_load.
valid-html-sanitise | User HTML passes DOMPurify with our profile before dangerouslySetInnerHTML or v-html.
valid-email-simple | For e-mail addresses check only for an @ with something on both sides, and send a confirmation. Long patterns refuse valid ones.
valid-messages-all | Report all invalid fields in one answer with their paths, not one at a time.
valid-additional-false | JSON schemas of requests set additionalProperties: false, so that misspelt options do not pass in silence.
valid-date-real | February 30 passes a regular expression. Parse dates with the calendar and reject those that do not exist.
valid-server-again | Checks in the browser are for comfort; the server repeats all of them.
valid-integer-ids | Ids in paths are parsed strictly; parseInt('12abc') gives 12 and returned somebody else's page.
valid-csv-formula | Prefix cells that begin with =, +, - or @ with an apostrophe in CSV exports, since Excel executes formulas.
valid-unicode-length | Limit by characters for people and by bytes for storage. Emoji counted as one were four bytes and broke the column.
valid-boolean-strings | The text 'false' is truthy. Parse booleans from query strings and environment variables with parseFlag.
valid-enum-case | Enumerations are matched exactly, without lower-casing, since two spellings in the data can never be taken back.
valid-zip-bomb | Limit the unpacked size and the number of entries while decompressing; a 42 kB archive filled the disk.
valid-prototype | Do not merge user objects recursively into plain objects; __proto__ pollutes all others. Use Map or Object.create(null).
`

export const uploads = `
upload-direct-s3 | Large files go directly to the bucket with a presigned POST; they do not pass through the application servers.
upload-size-limit | Limit the size in the presigned policy (content-length-range) and not only in the browser.
upload-sniff-type | Decide the type by the content's first bytes; the extension and the Content-Type header are claims of the client.
upload-serve-domain | Files from users are served from usercontent.example, never from the application's own domain, or an SVG runs scripts there.
upload-disposition | Downloads carry Content-Disposition: attachment and X-Content-Type-Options: nosniff.
upload-random-names | Stored names are random; the original is kept as metadata only and escaped when shown.
upload-virus-scan | A file is not visible to others until the scanner has passed it; show it as being checked meanwhile.
upload-stream | Stream to the destination. Reading the whole body in memory killed pods with three parallel videos.
upload-resumable | Files over 100 MB use the tus protocol, because mobile connections drop.
upload-image-reencode | Re-encode images with libvips and drop everything that is not pixels; broken ones fail there and not in the viewer.
upload-pixel-limit | Check width times height before decoding: a tiny PNG may expand to 50,000 by 50,000 pixels.
upload-orphans | Objects whose record was never confirmed are removed after 24 hours by the lifecycle rule on the pending/ prefix.
upload-checksum | The client sends a SHA-256 and the server compares after storing; truncated uploads looked complete.
upload-quota | Count the bytes against the quota before issuing the link and correct it afterwards; parallel uploads went around the limit.
upload-thumbnail-async | Previews are generated by a job and have a placeholder. Do not make the user wait for ffmpeg.
upload-private-bucket | Buckets block public access. Public assets are reached through the CDN with origin access control only.
upload-filename-header | Encode names in Content-Disposition per RFC 5987 with filename*; umlauts and quotes broke downloads in Safari.
upload-progress-cancel | Show progress and allow cancelling; abort the multipart upload on the server too, since parts cost money.
upload-dedupe-hash | Do not deduplicate by hash across customers. It reveals that someone else has the same document.
upload-csv-import | CSV imports are validated completely and previewed before the first row is written; report line numbers.
upload-csv-encoding | Detect UTF-8 with and without BOM and Windows-1252 in CSV files; Excel in Germany writes semicolons.
upload-multiple-same | Selecting the same file twice must fire again: reset the value of the file input after reading.
upload-transform-limits | ImageMagick runs with policy.xml that forbids PS, MVG and remote addresses, in a sandbox without network. | docker/imagemagick/policy.xml
upload-audit-download | Downloading an attachment of a legal case writes an audit event before the link is given out.
`

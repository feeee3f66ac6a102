// One situation a line: the Learnings it needs | what somebody said about it, in words of their own.

export const productParaphrases = `
flag-evaluate-once | Header in the redesigned look, footer in the former one: the switch was flipped while the view was being put together.
flag-sticky-bucket | A customer sees the redesigned basket, reloads, and gets the former one again.
flag-not-authorization | Marketing turned the toggle on for everybody, and now people on the gratis tier can use the premium reports.
flag-expiry, flag-remove-code | We still carry the switch for a launch that happened two years ago, and nobody feels responsible.
ci-artifacts-once | What we tried in the rehearsal environment is compiled again from source for the customers, with possibly other library versions.
ci-pr-target | A stranger's contribution was able to read the publishing token, as our pipeline executed what he had sent.
ci-path-filters | The button library was altered, and neither of the two sites that use it had its checks run.
ci-merge-queue | Both changes passed on their own, but together they do not even compile.
dep-cooldown | The helper library was published this morning and I have already raised us to it.
dep-transitive-import | It works on my machine because another library happens to bring it along; it is not in our own package.json.
dep-license | The PDF toolkit which we would like to ship with comes under Affero terms.
auth-same-answer | By trying to sign in one can find out who has a profile here: strangers get another sentence and get it sooner.
auth-session-rotate | The identifier that a visitor has before signing in stays valid afterwards; someone who put it there then shares his account.
auth-logout-server | I copied the browser's state, signed off, put it back and was still in.
auth-invalidate-all | Although she replaced her compromised passphrase, the intruder remained signed in on his phone.
auth-redirect-allowlist | The continue parameter takes any site, so a crafted link leads people from our sign-in page to a fake copy.
auth-constant-time | Guessing the webhook's authenticity code letter by letter could work, since our check stops at the first wrong one.
authz-object-level, authz-in-query | By altering the number in the address bar, a logged-in customer can read the bills of others.
authz-mass-assignment | The profile update takes whatever JSON arrives, and one tester made himself staff that way.
authz-last-admin | She took away her own privileges, and now nobody in the company can manage it any more.
authz-filter-counts | The sidebar says three although I may see only two of them.
authz-indirect-refs | One may edit only one's own tasks, but can push such a task onto a board of a foreign team by naming that board in the JSON.
secret-rotation-two | When we exchange the signing material at midnight, everything in flight that was made with the old one will be refused.
secret-cli-args | Running ps aux on the build host shows the database login in clear.
secret-random-source | Invitation codes are made with an ordinary pseudo generator, so one can work out the next one.
secret-docker-build | docker history reveals the npm credential that we handed in while assembling.
secret-read-at-use | Since automatic exchange of credentials was switched on, the service can no longer log in to Postgres sixty minutes after boot.
priv-erasure | This feature brings a relation with people's home addresses; who makes sure that it is emptied when they ask us to forget them?
priv-no-prod-copies | To find the bug, I pulled the live customers to my notebook.
priv-anonymise-real | We dropped the surname, so the hospital records can be handed to the university: only birthday, town and sex are left.
priv-photo-metadata | From the photo of a sofa in a classified ad one could tell where the seller lives.
priv-soft-delete | A user demanded to be forgotten; we hide her since then, but the texts are all still stored.
valid-ssrf | The preview feature loads whatever link a member enters, and somebody pointed it to the metadata endpoint of the cloud.
valid-regex-redos | A forty character long value kept the CPU busy for minutes in our phone number matcher.
valid-path-traversal | Asking for ../../etc/passwd as the name of a document simply delivered it.
valid-csv-formula | A supplier's name that starts with an equals sign launched a program when accounting opened the download in their spreadsheet.
valid-command-args | The converter is launched by gluing the title into something that bash then interprets; a semicolon did the rest.
upload-serve-domain | A vector graphic that a customer attached ran JavaScript with our cookies when somebody opened it.
upload-pixel-limit | A picture of a few kilobytes made the thumbnailer use ten gigabytes of memory.
upload-sniff-type | Rename malware.exe to holiday.jpg and it is accepted as a picture.
upload-csv-import | The spreadsheet was wrong at entry 800, and now 799 people are in and the rest are not.
react-key-stable | After deleting the second row, the text typed into the third appears in the wrong place.
react-no-inline-components | With every letter I type the cursor jumps out of the box, since the field is declared within the parent's function.
react-effect-derive | fullName is kept separately and synchronised after each change of the first and last name, so it flickers.
react-url-state | I sent a colleague the address of my narrowed-down table and she sees everything.
react-hydration | The HTML from the server says good morning, the browser's own says good evening, and the framework complains in the console.
react-optimistic-rollback | The heart turns red at once, but when the call does not succeed it remains red.
css-no-fixed-height | In the Finnish version the caption spills out of its box.
css-rem-not-px | A visitor enlarged the type in her Chrome preferences and nothing on our pages grew.
css-hover-touch | On a phone there is no way to get to the delete icon, as it shows up only under the mouse pointer.
css-images-dimensions | While I read, the paragraph jumps down as soon as the pictures arrive.
a11y-live-region | A blind tester pressed the button and heard nothing; the green note at the top was only visible.
a11y-focus-dialog | With the popup on screen one tabs on through the links behind it.
a11y-colour-alone | Valid rows are green and broken ones red; a tester who cannot tell these apart was lost.
a11y-button-element | The card reacts to the mouse, but Tab and Enter do nothing.
a11y-disabled-buttons | The form's final control stays grey and nobody finds out which box was forgotten.
k8s-pid1-signals | Each restart of the pod takes exactly half a minute, because the application does not hear that it is asked to quit.
k8s-prestop | During each rollout a few calls hit instances that have already closed.
k8s-config-checksum | I altered the setting and applied it, but the running instances still use the former one.
k8s-hpa-metric | The backlog grows and grows, but no further workers are started since the processors are at five percent.
tf-for-each | I took the top entry out of the list of subnets, and now the preview wants to tear down and rebuild all the rest.
cost-nat-egress | Much of what we pay AWS is for moving objects between our private machines and the storage service.
cost-dev-shutdown | Forty review apps of long finished work are running over the weekend.
tf-no-console | I quickly widened the firewall by clicking in the AWS portal.
android-process-death | I filled in half of the claim, answered a call, and when I came back everything was empty.
ios-weak-self | The conversation view stays in memory after it was left, as its callback holds on to it.
mobile-cert-pinning | When the TLS certificate was exchanged, the installed applications could not reach us any more.
ios-snapshot-hide | One can read the account balance in the task overview without unlocking the phone.
android-r8-rules | It works in development, but in the store version all JSON properties are null.
go-nil-interface | The function gives back an empty *MyErr, and the caller's check for failure is nonetheless true.
go-defer-loop | While going through ten thousand documents the Go process hits the limit of descriptors, though we clean up each of them.
go-slice-alias | I extended the first half of the list, and then the second half had different values.
rust-block-in-async | One handler computes a hash for 300 ms, and meanwhile all other connections of the tokio executor stand still.
rust-overflow | In debug it crashed, but in the shipped binary 255 + 1 quietly became 0 and the fee was gone.
rust-string-bytes | Cutting the title after twenty letters crashes the Rust program for Müller.
py-mutable-default | The second invocation already contains the entries of the first one, though I hand in nothing.
py-asyncio-task-ref | Now and then a background coroutine stops halfway with no trace, since nothing points to it.
py-late-binding | All ten buttons print nine: their callbacks were set up in a for statement.
jvm-transactional-self | Invoking my own annotated function from its neighbour does not start a new unit of work.
jvm-bigdecimal-equals | The Java test says that ten and ten point zero zero are not identical.
jvm-coroutine-cancel-catch | Leaving the screen no longer stops the polling, since a broad handler in the Kotlin code ate the signal.
ts-nullish | A price reduction of nothing is overwritten with the standard ten percent.
ts-discriminated | The type has loading?, data? and failure?, so that both of the last can be filled at once.
ts-branded-ids | I mixed up the two arguments, customer and purchase, and tsc said nothing as both are strings.
cpp-timer-wrap | After seven weeks of uptime the pump no longer starts, since the tick began at zero again.
cpp-no-exceptions-isr | In the UART callback that the hardware triggers, the new code builds a std::string and writes it out.
cpp-endian-wire | The gateway reads 256 where the sensor had 1, since the record was copied to the radio as it lay in memory.
pipe-fanout-sum | Turnover has trebled since I attached the line items to the orders.
pipe-no-now | I reran last March and got figures up to this morning.
pipe-late-data | Phones that were offline deliver their clicks the day after tomorrow, and those never appear in the figures.
pipe-cdc-deletes | Rows that were removed at the source months ago are still counted in the analysts' tables.
ml-fit-on-train | The mean used to normalise was computed over all samples before we divided them.
ml-imbalance-metric | The fraud detector is right in 99 of 100 cases, which is also what always saying no would achieve.
ml-embedding-version | We moved to a new encoder and left the old documents as they were; the neighbours are now nonsense.
ml-prompt-injection | A site that the assistant summarised told it to mail the customer list, and it did.
ml-eval-mode | The same picture yields a slightly different probability each time we ask the network.
search-bulk-errors | The indexing call says OK, but forty of the thousand articles are missing.
search-debounce | Typing quickly, I get the hits for three letters after those of the complete word.
search-deep-paging | When somebody clicks on to result 12,000 the list comes back with a failure.
search-versioned-writes | Two changes arrive in the wrong order, and the article in the index remains at yesterday's text.
money-allocate-rest | Three people share 100 euros and pay 33.33 each; where is the last one?
money-webhook-truth | The customer closed the tab after the bank's page, and we never noted that she had paid.
money-invoice-frozen | When the customer moves house, last year's bills show the new street.
money-currency-digits | In Tokyo everything is shown a hundred times too cheap.
money-invoice-numbers | The auditor asks why bill 1042 is missing; that save had been rolled back.
money-ledger-append | There was a typo in yesterday's booking, so I changed the row in place.
time-dst-day-length | Tomorrow is computed by adding a fixed amount of time, so on the last Sunday in March the reminder came late.
time-date-only | In New York, people born on the 5th are congratulated on the 4th.
time-half-open | Orders placed in the final instant of the month are in neither report.
time-month-end | Whoever subscribed on the 31st is charged on the 28th for ever after.
i18n-plural-rules | It says '1 files', and in Warsaw it is wrong for three as well as for seven.
i18n-sort-collation | In the customer list Ärzte GmbH is at the very end.
i18n-no-concat | In Japanese the phrase that is glued from three snippets around the user's name reads backwards.
i18n-mail-locale | A Spanish colleague invited a Finn, who got the invitation in Spanish.
i18n-names | A user from Indonesia has only a single one and cannot get past the registration.
mail-link-prefetch | Accounts are activated before people have seen the message, since a security gateway follows everything in it.
mail-links-absolute | By sending a forged HTTP value, somebody had our reset message point to his own site.
mail-transactional-stream | Since the Black Friday promotion our sign-in codes land in spam.
test-bug-first | The repair looks right, but nothing in the suite would have turned red without it.
test-snapshot-small | The expected output is a two thousand row file that everyone regenerates without reading.
test-real-database | The repository suite is green with the in-memory engine, and production refuses the statement.
flaky-no-sleep | The spec pauses two seconds and hopes that the toast has come by then.
flaky-order | It is green when run with the others but red when run by itself.
flaky-event-wait-before | If the download is quick, our hook is attached too late and the spec hangs.
doc-no-dead-code | Forty lines of the former algorithm are left with slashes in front, in case we need them.
doc-todo-ticket | The remark says 'fix this later', and it has been there since 2021.
name-flag-args | At the place of the call I read create(user, true, false, true) and know nothing.
name-rule-of-three | Two handlers looked alike, so they were merged into one with five switches.
perf-quadratic | Matching twenty thousand products to as many prices takes minutes, since for each one we look through all others.
perf-parallel-independent | Profile, orders and coupons are fetched one after the other, though none needs the other.
perf-lcp-image | The big banner at the top is the last thing to appear.
`

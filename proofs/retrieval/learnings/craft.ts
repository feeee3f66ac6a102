// One Learning a line: slug | text | the file it was written for, if any.

export const testing = `
test-behaviour | Test what a caller can observe. A test that breaks when a private function is renamed is testing the wrong thing.
test-one-reason | One reason to fail for each test, and its name says the expectation: refuses an expired voucher.
test-bug-first | A bug fix begins with a test that fails without the fix. Show that it did.
test-no-mock-own | Do not mock our own classes. Use the real one, or a fake that we maintain beside it.
test-real-database | Repository tests run against PostgreSQL in Testcontainers. SQLite behaves differently with types and locks.
test-arrange-visible | The values that matter to the assertion are visible in the test; everything else comes from a builder.
test-builders | Make objects with anOrder().paid().build() rather than with fixtures shared by 200 tests. | test/builders/
test-assert-specific | Assert the precise value or error and not just that it is truthy or throws something.
test-snapshot-small | Snapshots only for small stable output. A 900 line snapshot is updated blindly.
test-no-logic | No loops, conditions or computed expectations in tests; write the expected figure down.
test-edge-cases | Each parser has tests for empty, one, many, longest, wrong encoding and malformed input.
test-property | Encoders, money and date arithmetic have property tests (round trip, sums stay equal).
test-pyramid | A rule is tested where it lives. Do not add a browser test for a calculation.
test-e2e-critical | End-to-end tests cover sign-up, checkout and export only. Adding one needs the consent of the quality group.
test-contract-consumer | Calls between services are covered by Pact; publish the pact from the consumer's main branch.
test-delete-obsolete | Delete a test whose behaviour is gone. Do not adapt it until it is green.
test-private-access | Do not make something public or add @VisibleForTesting for a test. Test through the public function or extract a class.
test-error-paths | Each branch that handles a failure has a test. They are the least exercised code we have.
test-data-realistic | Use realistic names, with umlauts, apostrophes and length; foo and bar find nothing.
test-testid | Find elements by role and name with Testing Library; data-testid is a last resort.
test-coverage-not-goal | Coverage shows what was not run. It does not show that anything was checked; do not write tests just for the number.
test-mutation-core | The pricing package is checked by mutation testing; surviving mutants are discussed in the pull request.
test-setup-cost | beforeAll with shared state saves seconds and costs days. Each test makes what it needs.
test-load-realistic | Load tests use the recorded distribution of tenants and not one customer with identical requests.
`

export const flakyTests = `
flaky-no-sleep | No fixed sleeps in tests; wait for the condition with a deadline (eventually, waitFor, expect.poll).
flaky-order | Tests must pass alone and in random order. Shared rows or singletons between them are the usual cause.
flaky-quarantine | A flaky test is moved to quarantine with an issue and an owner within a day, and repaired or deleted within two weeks.
flaky-port-zero | Bind test servers to port 0 and read the assigned one; fixed ports collide in parallel runs.
flaky-freeze-time | Freeze time in tests which depend on dates. One failed each year on December 31.
flaky-random-seed | Print the seed of random data, and allow a run with the same seed.
flaky-network | Unit tests do not use the network; the sandbox blocks it. Record answers with the HTTP fixture.
flaky-unordered-assert | Do not assert the order of results without ORDER BY or of elements of a set; sort first or compare as sets.
flaky-animations | Switch off animations and transitions in browser tests through reducedMotion.
flaky-temp-dirs | Each test has its own temporary directory. Two wrote to /tmp/out.json.
flaky-retry-hides | Retrying failed tests automatically hides real races. It is allowed in the browser suite only, and reported.
flaky-await-missing | A missing await makes the assertion run after the test has ended. The linter rule must stay on in test files too.
flaky-float-compare | Compare floating point results with a tolerance.
flaky-global-restore | Restore environment variables, time zone and patched functions in afterEach, also when the test fails.
flaky-timeouts-ci | CI machines are three times slower: derive timeouts from one constant and do not raise a single one. | test/support/deadline.ts
flaky-db-truncate | Isolate database tests by a transaction that is rolled back or by a schema per worker. Truncating in parallel deletes the neighbour's rows.
flaky-auto-ids | Do not assert sequence values such as id = 1; sequences are not reset by a rollback.
flaky-locale-dependence | Tests set locale and encoding. Decimal commas broke them on a German laptop.
flaky-third-party-sandbox | No tests against the sandbox of the payment provider in the pull request pipeline; it is down every second Tuesday.
flaky-event-wait-before | Start listening before triggering the action: the event may fire before waitForEvent is called.
flaky-goroutine-leak | Check for leaked goroutines with goleak, since they disturb the tests that follow.
flaky-memory-limits | Tests that fail only in CI with exit code 137 ran out of memory; reduce workers rather than rerun.
flaky-mock-reset | Reset mocks and fake timers after each test. Call counts from the former one leak otherwise.
flaky-virtual-clock-async | With fake timers advance with advanceTimersByTimeAsync, otherwise promises between timers never settle.
`

export const documentation = `
doc-why-comments | Comments say why, not what. If the what needs explanation, rename or extract.
doc-adr | Decisions that are expensive to reverse get an ADR in docs/adr with context, options and consequences. | docs/adr/
doc-readme-run | The README lets a new colleague run the service within ten minutes; try the commands when you change the setup.
doc-changelog-user | Changelog entries are written for users: what they notice and what they have to do.
doc-examples-tested | Code examples in the documentation are extracted and run in the pipeline.
doc-todo-ticket | A TODO has a ticket number, otherwise it is deleted.
doc-no-dead-code | Do not comment out code. Git remembers it.
doc-diagram-text | Diagrams are Mermaid or PlantUML text in the repository. Nobody can edit a PNG.
doc-link-permanent | Link to a commit or a version and not to a line on main.
doc-api-errors | Each public function documents which errors it raises and whether it blocks.
doc-glossary | Use the terms in docs/glossary.md: a Workspace is not an Account and not a Tenant. | docs/glossary.md
doc-plain-language | Short sentences, active voice, no Latin abbreviations. Most readers are not native speakers.
doc-screenshots-few | Screenshots only where text does not do; they are outdated after each redesign.
doc-pr-description | The description says why, what was considered and how it was tried. The difference itself shows what.
doc-migration-guide | Each breaking change comes with a migration guide: before, after and a search pattern to find uses.
doc-single-source | A setting is explained in one place, everything else links there. Three copies of the retry settings disagreed.
doc-onboarding-issues | Questions asked twice in the channel become a paragraph in the handbook.
doc-docstring-units | Doc comments of numeric parameters state unit, range and what happens outside of it.
doc-config-reference | Each environment variable is listed in docs/configuration.md with default and example. | docs/configuration.md
doc-delete-outdated | Delete outdated pages. A wrong page costs more than a missing one.
doc-runnable-snippets | Commands in the docs can be copied: no dollar sign in front and no invented placeholders without a hint.
doc-deprecated-tag | Mark deprecated functions with the tag and name the replacement and the version of removal.
doc-alt-architecture | The architecture page shows the data flow and trust boundaries, updated with each new external connection.
doc-headings-search | Headings contain the words people search for, the error message included.
`

export const naming = `
name-boolean-question | Booleans read like a question: isActive, hasAccess, shouldRetry. No negated names such as isNotReady.
name-units | Variables with a quantity carry the unit: timeoutMs, sizeBytes.
name-no-abbrev | No abbreviations except id, url, http and those in the glossary. cstmrAddr saves nothing.
name-verb-noun | Functions are a verb and a noun. A getX function must not change anything or call the network.
name-domain-words | Use the word the business uses. If sales say quote, the class is not called PriceProposalEntity.
name-no-manager | Names ending with Manager, Helper, Util or Data say nothing. What does it do?
name-plural-collections | Lists are plural, maps say key and value: ordersByCustomer.
name-symmetry | Opposites match: open and close, start and stop, add and remove. Not open and terminate.
name-early-return | Guard clauses first, then the main path without indentation. More than three levels is a sign to extract.
name-magic-numbers | Numbers with a meaning get a named constant beside their use; 86400 and 7 are not self-explanatory.
name-flag-args | No boolean parameters in public functions: render(true, false). Use two functions or an options object.
name-function-length | A function fits on a screen. Split by steps with names, not by line count.
name-one-abstraction | Keep one level of abstraction per function; business rules and byte handling do not belong next to each other.
name-rule-of-three | Duplicate twice before abstracting. A wrong common function is harder to undo than a copy.
name-no-cleverness | Prefer the boring form. Nested ternaries and bit tricks outside of codecs are refused.
name-file-one-thing | A file is named after what it exports, in kebab-case, and contains one main thing.
name-comment-header | No banners, author tags or change history in file headers.
name-imports-order | Import order is decided by the formatter; do not arrange it by hand or disable it.
name-formatter-wins | What the formatter produces is not discussed. Formatting-only changes come in a separate commit listed in .git-blame-ignore-revs. | .git-blame-ignore-revs
name-const-immutability | Prefer const and new values to reassigning; a variable that means three things in sequence is three variables.
name-small-pr | Pull requests have at most 400 changed lines without generated files. Refactoring and behaviour go in separate ones.
name-commit-message | Commit subjects are imperative and at most 72 characters; the body says why.
name-parameters-four | More than four parameters become an object with named fields.
name-test-files | Test files lie beside the source as name.test.ts, not in a parallel tree.
`

export const performance = `
perf-measure-first | No optimisation without a profile before and a figure after, in the description.
perf-quadratic | A find or includes inside of a loop over the same list is quadratic. Build a Map or Set first.
perf-bundle-budget | The entry bundle stays below 170 kB compressed; size-limit fails the build. | .size-limit.json
perf-lcp-image | The hero image is not lazy-loaded, has fetchpriority=high and is preloaded.
perf-third-party-script | Third-party scripts load after interaction or with defer, and need a budget and an owner.
perf-n-requests | The first screen needs at most three API calls; add a combined endpoint rather than a waterfall.
perf-json-large | Stream or page results over 5 MB. Parsing one big JSON blocked the loop for 800 ms.
perf-string-builder | Build large texts with a builder or join, not with += in a loop.
perf-alloc-hot | In the matching loop nothing is allocated: reuse buffers and check with the allocation benchmark.
perf-benchmark-noise | Compare benchmarks with benchstat over ten runs on the quiet machine. A single run on a laptop proves nothing.
perf-regex-compile | Compile patterns once as constants and not within the function that is called for each row.
perf-connection-reuse | Reuse HTTP clients and keep connections alive. A new TLS handshake for each call took longer than the call.
perf-index-only | Select only what the list shows, so that the index covers it and the heap is not visited.
perf-lazy-startup | Do not load models, templates or large tables at import. Start-up time decides how fast we scale.
perf-precompute | Dashboards read from rollup tables that are updated each minute, not from raw events.
perf-compression | Enable Brotli for text responses above 1 kB at the edge and not in the application.
perf-debounce-scroll | Handlers for scroll, resize and typing are throttled or passive and read layout before they write it.
perf-batch-writes | Collect metrics and audit rows in batches of 500 or one second, whichever is first.
perf-gc-pressure | Avoid boxing and temporary objects in code that runs per pixel, per token or per row.
perf-p99-goal | The goals are p50 and p99 at the stated load and not the average; say which one a change improves.
perf-image-formats | Serve AVIF or WebP in the size that is displayed with srcset. The list downloaded 4000 pixel originals.
perf-copy-large | Pass large structures by reference; copying the routing table on each request used 30 % of the time.
perf-parallel-independent | Start independent calls together and await them afterwards. Three awaits in sequence tripled the latency.
perf-cold-cache | Report figures with a cold and a warm cache. The first visitor counts too.
`

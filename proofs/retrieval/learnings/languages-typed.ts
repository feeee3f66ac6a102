// One Learning a line: slug | text | the file it was written for, if any.

export const javaKotlin = `
jvm-optional-return | Optional is for return values, not for fields or parameters.
jvm-try-resources | Streams from Files.lines, JDBC results and clients are closed with try-with-resources.
jvm-bigdecimal-equals | Compare BigDecimal with compareTo; equals says that 2.0 and 2.00 differ.
jvm-record-dto | Use records for data carriers. No Lombok in new modules.
jvm-constructor-injection | Spring beans take their dependencies in the constructor. No @Autowired on fields.
jvm-transactional-self | @Transactional and @Async do nothing when a method is called from within the same class, because the proxy is bypassed.
jvm-rollback-checked | @Transactional does not roll back for checked exceptions unless rollbackFor says so.
jvm-virtual-threads | With virtual threads do not pool them and do not use synchronized around blocking calls on old runtimes; they pin the carrier.
jvm-kotlin-bang | The !! operator is refused in production code. Use requireNotNull with a message, or model it as non-null.
jvm-coroutine-scope | Launch in a scope that is cancelled with its owner. GlobalScope is forbidden.
jvm-runblocking | runBlocking belongs in main and tests. In a request thread it deadlocked the dispatcher.
jvm-coroutine-cancel-catch | catch (e: Exception) in a suspend function swallows CancellationException. Rethrow it first.
jvm-platform-types | Annotate Java APIs with @Nullable so that Kotlin callers do not get platform types.
jvm-stream-side-effects | No side effects in map or filter of streams; use a loop if something has to be changed.
jvm-parallel-stream | parallelStream shares the common pool with everything else and is not allowed in services.
jvm-string-switch | Replace chains of instanceof by a sealed interface and a switch with patterns, which the compiler checks for completeness.
jvm-simpledateformat | SimpleDateFormat is not thread-safe. Use DateTimeFormatter as a constant.
jvm-equals-hashcode | Objects used as map keys are immutable and implement equals and hashCode together.
jvm-config-properties | Bind settings with @ConfigurationProperties and validation, not with scattered @Value strings. | src/main/java/config/
jvm-test-slices | Prefer plain unit tests and slices such as @WebMvcTest; a @SpringBootTest starts for nine seconds.
jvm-archunit | ArchUnit rules protect the layers; do not add an exception to archunit_ignore_patterns.txt. | src/test/resources/archunit_ignore_patterns.txt
jvm-log-placeholder | Kotlin string templates in log calls are evaluated always. Use placeholders or the lambda form of kotlin-logging.
jvm-data-class-copy | Data classes with private constructors still expose copy, which goes around validation.
jvm-gradle-catalog | Versions live in gradle/libs.versions.toml. No literal coordinates in build.gradle.kts. | gradle/libs.versions.toml
`

export const typescript = `
ts-no-any | any is refused; use unknown and narrow. A cast through unknown needs a comment that says why it is true.
ts-discriminated | Model states as a discriminated union with a kind field rather than as an object of optional fields.
ts-exhaustive-never | End a switch over a union with a never check, so that a new member is a compile error.
ts-satisfies | Use satisfies for constant tables: it checks the shape and keeps the literal types; an annotation widens them.
ts-no-enum | No enum declarations. Use as const objects or unions of literals, as our build strips types only.
ts-branded-ids | Identifiers are branded types (OrderId, UserId), so that one cannot be passed for the other.
ts-zod-infer | Derive the type from the Zod schema with z.infer; do not write an interface next to it that drifts.
ts-readonly-params | Parameters that are not changed are readonly arrays and Readonly objects.
ts-no-non-null | The ! operator hides undefined. Check it, or change the type so that it cannot be.
ts-import-type | Use import type for types; a side-effect import is not removed under verbatimModuleSyntax.
ts-unchecked-index | With noUncheckedIndexedAccess an index may be undefined. Handle it rather than switching the option off in tsconfig.json. | tsconfig.json
ts-promise-return | Functions that return a promise are async or never throw synchronously; mixed ones escape try and catch.
ts-floating-promise | Each promise is awaited, returned or marked with void and a catch. The linter rule no-floating-promises stays on.
ts-object-keys | Object.keys and entries lose key types. Iterate over a constant list of keys instead of casting.
ts-no-namespace | No namespaces and no ambient globals; import what is used.
ts-barrel-files | No index.ts that re-exports a folder: it slows the compiler, breaks tree shaking and makes import cycles.
ts-default-exports | Named exports only, because renames and automatic imports work with them.
ts-optional-vs-undefined | With exactOptionalPropertyTypes a missing key and undefined are different. Omit the key; do not set it to undefined.
ts-type-guards-tested | A hand-written type guard (x is Foo) is believed blindly by the compiler, so it needs a test.
ts-generic-inference | A type parameter that appears only once in the signature is useless; use the type itself.
ts-record-string | Record<string, T> claims that each key exists. Use Map, or a Partial record.
ts-error-unknown | In catch the error is unknown. Use toError(e) before reading message. | src/lib/to-error.ts
ts-module-boundaries | Apps import from packages through their public entry; deep imports such as @acme/ui/src/internal are refused by the linter.
ts-nullish | Use ?? for defaults. || also replaces 0 and the empty text, which made a zero discount disappear.
`

export const cpp = `
cpp-raii | Resources are owned by objects. No naked new and delete; use unique_ptr, or a wrapper with a destructor.
cpp-rule-of-zero | Prefer classes without hand-written destructor and copy operations. If you write one, write or delete all five.
cpp-span-view | Pass string_view and span for reading, never store them beyond the call; a temporary left one dangling.
cpp-no-exceptions-isr | No allocation, locks, logging or exceptions in interrupt handlers. Set a flag or push to the ring buffer.
cpp-volatile-not-atomic | volatile is for memory-mapped registers; between threads use std::atomic.
cpp-static-init-order | No non-trivial globals across translation units, as their order of initialisation is undefined. Use a function-local static.
cpp-narrowing | Initialise with braces so that narrowing is an error. Sensor values were cut from 32 to 16 bits.
cpp-signed-compare | Do not compare signed with unsigned; use std::ssize or std::cmp_less.
cpp-override-final | Virtual functions are marked override, and base classes have a virtual or protected destructor.
cpp-stack-size | Tasks have a stack of 2 kB. Large buffers are static or come from the pool, recursion is forbidden.
cpp-no-heap-after-init | After initialisation no dynamic allocation in the firmware; fragmentation crashed devices after three weeks.
cpp-watchdog | Kick the watchdog only from the supervisor, after all tasks have reported. Not from a timer interrupt.
cpp-endian-wire | Never send a struct by memcpy over the wire. Serialise field by field with a stated byte order.
cpp-hal-mock | Drivers use the HAL interface so that logic is tested on the host; no register access above drivers/. | drivers/
cpp-sanitizers | The host tests run with AddressSanitizer and UBSan. Do not suppress a finding without an issue.
cpp-const-correct | Methods that do not change state are const, and so are references that are not written.
cpp-include-what | Include what you use and do not rely on transitive headers; forward declare in headers where possible.
cpp-iterator-invalid | Do not erase from or push into a vector while iterating over it. Use std::erase_if or indices.
cpp-ota-rollback | Firmware updates write to the inactive slot and are confirmed only after a successful self-test, otherwise the boot loader goes back.
cpp-timer-wrap | Compare ticks by subtraction, now - start > period. The 32-bit millisecond counter wraps after 49 days.
cpp-fixed-point | The motor controller has no FPU: use the Q15 type and no float or double in control/. | firmware/control/
cpp-dma-cache | Buffers for DMA are aligned to cache lines and are flushed before and invalidated after a transfer.
cpp-move-noexcept | Move constructors are noexcept, otherwise vector copies when it grows.
cpp-enum-class | Use enum class, and never cast an integer from outside to it without a range check.
`

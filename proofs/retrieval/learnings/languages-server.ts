// One Learning a line: slug | text | the file it was written for, if any.

export const go = `
go-ctx-first | context.Context is the first parameter and is never stored in a struct.
go-err-wrap | Wrap with fmt.Errorf("load order %s: %w", id, err). Use %w and not %v, otherwise errors.Is stops working.
go-goroutine-owner | Whoever starts a goroutine knows how it ends. Use errgroup with the context; no bare go func in handlers.
go-defer-loop | defer in a loop runs at the end of the function. Files stay open until then; extract the body into a function.
go-nil-interface | Return a literal nil for an error interface. A typed nil pointer is not equal to nil.
go-small-interface | Define interfaces where they are used, with one or two methods. Constructors return concrete types.
go-slice-alias | append on a subslice may overwrite the original. Use slices.Clone or a full slice expression.
go-map-concurrent | Maps are not safe for concurrent writes; the runtime aborts. Guard them with a mutex or use sync.Map for caches.
go-http-body-close | Close response.Body and read it to the end, otherwise connections are not reused.
go-http-default-client | Do not use http.DefaultClient or http.Get, which have no timeout. Take the client from platform/httpx. | platform/httpx/client.go
go-time-after-loop | time.After in a select loop allocates a timer each round; use time.NewTicker and stop it.
go-json-omitempty | omitempty drops false and 0. For three-state fields use a pointer or the Optional type.
go-table-tests | Tests are table-driven with t.Run and names that describe the case; use t.Parallel when nothing is shared.
go-no-init | No work in init() and no package-level clients. Wire dependencies in main.
go-no-panic | Libraries return errors. panic is for impossible states, and recover is only in the top-level middleware.
go-channel-close | Only the sender closes a channel. Closing from the receiver panics the sender.
go-receiver-consistent | A type has either pointer or value receivers, not both. Types with a mutex always use pointers.
go-lint-version | Run golangci-lint run with the pinned version from tools.go; new linters are switched on in their own pull request. | tools/tools.go
go-package-names | Packages are short nouns. No util, common or helpers.
go-embed-mutex | Do not embed sync.Mutex in an exported struct; Lock becomes part of the API.
go-ctx-values | Context values are for request-scoped data such as trace and user, with an unexported key type, never for optional parameters.
go-sql-rows-err | After iterating over rows check rows.Err(), and defer rows.Close() directly after the query.
go-generics-sparing | Reach for generics when the same code exists three times for different types. An interface is often enough.
go-build-tags-int | Integration tests are behind the build tag integration and run with make test-integration.
`

export const rust = `
rust-no-unwrap | unwrap and expect are allowed in tests and for proven invariants with a message that proves it. Otherwise use ?.
rust-thiserror | Libraries define errors with thiserror, binaries use anyhow with context. Do not return Box<dyn Error> from a public function.
rust-clone-why | Cloning to satisfy the borrow checker deserves a second look; take a reference, or Arc for shared ownership.
rust-async-lock | Do not hold a std::sync::Mutex guard across an await. Use a block, or tokio::sync::Mutex if unavoidable.
rust-block-in-async | Blocking calls in async functions stall the runtime. Wrap them in spawn_blocking.
rust-unsafe-safety | Each unsafe block has a SAFETY comment that names the invariants and who upholds them.
rust-newtype | Wrap ids and units in newtypes: UserId(u64) and Millis(u32), so that arguments cannot be swapped.
rust-must-use | Put #[must_use] on builders and on results whose dropping is a bug.
rust-non-exhaustive | Public enums and structs that may grow are #[non_exhaustive].
rust-impl-trait | Accept impl AsRef<Path> or &str in public functions instead of String, and return owned values.
rust-feature-additive | Cargo features are additive. A feature that removes or changes something breaks other crates in the workspace.
rust-select-cancel | In tokio::select! the losing future is dropped at an await point; make sure that it is cancel-safe, read_exact is not.
rust-index-panics | Indexing and slicing panic. Use get() for values that come from input.
rust-overflow | Use checked_ or saturating_ arithmetic for amounts and lengths; release builds wrap silently.
rust-clippy-deny | cargo clippy --all-targets -- -D warnings must be clean. An allow attribute needs a reason in the line above.
rust-derive-debug-secret | Do not derive Debug for types with secrets; implement it by hand without them.
rust-match-wildcard | Avoid the _ arm when matching our own enums, so that a new variant does not compile until it is handled.
rust-iterator-collect | Do not collect into a Vec just to iterate again. Chain, and collect Result<Vec<_>, _> to stop at the first error.
rust-send-sync | Spawned futures must be Send; Rc and RefCell stay out of async state.
rust-doc-examples | Public items have a doc example, which cargo test runs.
rust-workspace-deps | Versions are declared in [workspace.dependencies] and members inherit them. | Cargo.toml
rust-string-bytes | Never slice a str by byte offsets taken from characters; it panics inside of an umlaut. Use char_indices.
rust-drop-order | Fields are dropped in the order of declaration. The connection must be declared before the pool that owns its socket.
rust-msrv | The minimum supported version is 1.85 and is tested; do not use newer std functions in the client crate.
`

export const python = `
py-mutable-default | No mutable default arguments; def f(items=[]) keeps its list between calls. Use None.
py-type-hints | New functions are fully annotated, and mypy --strict passes for the package. Any needs a comment.
py-except-bare | No bare except and no except Exception: pass. KeyboardInterrupt must get through.
py-context-managers | Open files, locks and sessions with a with statement.
py-dataclass-frozen | Value objects are dataclasses with frozen=True and slots=True instead of dictionaries passed around.
py-pathlib | Use pathlib.Path and not os.path with string joins.
py-asyncio-blocking | Do not call requests or time.sleep in a coroutine. Use httpx.AsyncClient and asyncio.sleep.
py-asyncio-task-ref | Keep a reference to the result of asyncio.create_task, or it can be collected in the middle of its work; prefer TaskGroup.
py-late-binding | A lambda or closure made in a loop sees the last value of the variable. Bind it as a default argument.
py-import-side-effects | Importing a module must not connect, read files or parse arguments.
py-is-vs-eq | Compare with is only for None and sentinels. Small integers and interned strings work with is by accident.
py-enumerate-zip | Use zip(strict=True) for sequences that must have the same length.
py-decimal-context | Construct Decimal from a string; Decimal(0.1) carries the error of the float.
py-uv-lock | Dependencies are added with uv add so that uv.lock follows. pip install in a virtual environment is lost for others. | uv.lock
py-ruff-format | ruff check and ruff format decide on style; do not argue about it in review.
py-pydantic-strict | Pydantic models for outside data set extra='forbid' and strict mode, because the text '1' became the number 1.
py-generator-memory | Yield rows rather than building a list of millions.
py-multiprocessing-spawn | Use the spawn start method; fork together with threads deadlocks in the logging lock.
py-pytest-fixtures | Fixtures are explicit and small. autouse only for the isolation of the environment and of time.
py-subprocess-check | subprocess.run gets check=True and a timeout.
py-walrus-clarity | Comprehensions have at most one for and one if. Beyond that write a loop.
py-dunder-all | Public names of a package are listed in __all__; everything else may change without notice.
py-gil-threads | Threads do not speed up pure Python computation. Use processes, numpy or a compiled extension.
py-naive-datetime | datetime.now() and utcnow() without tz are refused; use datetime.now(UTC).
`

// One Learning a line: slug | text | the file it was written for, if any.

export const pipelines = `
pipe-idempotent-runs | Running a day again must give the same result: overwrite the partition, never append.
pipe-late-data | Events arrive up to three days late. Recompute the last three partitions instead of only yesterday's.
pipe-schema-contract | A table that other teams read has a contract in contracts/; a type change there needs their approval. | contracts/
pipe-no-now | No current_date or now() inside of models. Use the logical date of the run, or backfills give today's answer for last year.
pipe-tests-dbt | Each dbt model has unique and not_null tests on its key and a freshness test on its source.
pipe-incremental-full | Incremental models must give the same result as --full-refresh; compare both in the pull request.
pipe-null-joins | Joining on nullable keys drops rows. Count before and after the join and explain the difference.
pipe-fanout-sum | Summing after a one-to-many join counts amounts several times. Aggregate first, then join.
pipe-raw-immutable | The raw zone is append-only and unchanged. Corrections are made in the next layer.
pipe-quarantine | Bad records go to the quarantine table with a reason; neither drop them silently nor stop the whole load for one.
pipe-small-files | Write files of 128 MB at least. Streaming a file a minute created a million objects and planning took longer than reading.
pipe-partition-filter | Queries on events must filter on event_date, otherwise BigQuery scans 40 TB. require_partition_filter stays on.
pipe-airflow-top-level | No queries or API calls at the top level of a DAG file; the scheduler parses it every 30 seconds. | dags/
pipe-sensor-mode | Sensors use mode='reschedule' or deferrable operators; poke occupies a worker slot for hours.
pipe-spark-collect | No collect() or toPandas() on large frames. Aggregate in the cluster and write the result out.
pipe-spark-skew | One key holds 30 % of the rows; salt it or use adaptive query execution before adding executors.
pipe-cdc-deletes | Change data capture delivers deletions as tombstones. Apply them, or removed customers live on in the warehouse.
pipe-dedupe-window | The tracker sends events twice. Deduplicate by event_id within seven days with a deterministic choice.
pipe-units-columns | Column names carry the unit: duration_ms, weight_kg, amount_cents.
pipe-slowly-changing | Customer attributes are historised with valid_from and valid_to. Facts join on the state at their time, not on the latest.
pipe-owner-sla | Each published table states its owner and the hour by which it is ready; a delay alerts the owner and the readers.
pipe-backfill-throttle | Large backfills run in the low-priority pool with at most four parallel days.
pipe-metrics-layer | Revenue and active users are defined once in the semantic layer. A dashboard must not compute them itself.
pipe-timezone-day | The business day is cut in Europe/Berlin; convert before truncating to the day.
`

export const machineLearning = `
ml-leakage-time | Split by time, not at random, when predicting the future; features must be known at the moment of the prediction.
ml-fit-on-train | Fit scalers, encoders and imputers on the training part only, inside of the pipeline object.
ml-seed | Set and record the seeds of Python, numpy and torch, and mention what stays non-deterministic on the GPU.
ml-baseline | Each new model is compared with the trivial baseline and with the one in production on the same slices.
ml-slices | Report quality by country, language and device as well. A better average hid a collapse for Polish.
ml-feature-skew | Compute features for training and serving with the same code from features/. Two implementations drifted apart. | features/
ml-model-registry | Models are loaded from the registry by version and hash, never from a path on somebody's bucket.
ml-threshold-config | The decision threshold is configuration with an owner, not a constant in the code.
ml-eval-frozen | The held-out set is frozen and used only for the final figure. Tuning on it makes the figure worthless.
ml-imbalance-metric | With one percent positives accuracy says nothing. Report precision and recall at the working point, and PR-AUC.
ml-drift-monitor | Each model in service has monitors for input drift, score distribution and delayed ground truth.
ml-shadow-first | A new model runs in shadow for a week before it decides anything.
ml-fallback-rule | If the model or feature store does not answer in 80 ms, the rule-based answer is used and counted.
ml-eval-mode | Call model.eval() and torch.no_grad() for inference; dropout made scores fluctuate.
ml-prompt-version | Prompts live in files with a version, and a change runs the evaluation set before it is merged. | prompts/
ml-llm-output-parse | Output of a language model is untrusted input: validate against the schema, retry once, then fail politely.
ml-prompt-injection | Text fetched from documents or web pages goes into the prompt as data with delimiters, and tools with side effects need confirmation.
ml-token-budget | Count tokens before the call and cut by priority. Silent truncation by the provider removed the instructions.
ml-embedding-version | Vectors of two embedding models are not comparable. Store the model with each vector and rebuild all when it changes.
ml-notebook-out | Notebooks are for exploration. What is scheduled lives in a package with tests, and outputs are stripped before commit.
ml-label-guidelines | Labels come with a guideline, two annotators and their agreement; below 0.7 fix the guideline first.
ml-gpu-memory | Do not keep the loss tensor in a list; loss.item() avoids holding the whole graph in memory.
ml-human-override | Automatic refusals with legal effect can be reviewed by a person, and the reason codes are stored.
ml-batch-inference | Batch requests to the model server with a maximum wait of 10 ms; single calls use a tenth of the GPU.
`

export const search = `
search-analyzer-same | Index and query must use the same analyzer unless a synonym filter says otherwise on purpose.
search-reindex-alias | Change mappings by building a new index and switching the alias. Never change or delete the live index. | search/mappings/
search-refresh | Do not set refresh=true on writes; tests may use wait_for, production accepts one second.
search-deep-paging | from plus size beyond 10,000 fails. Use search_after with a point in time.
search-keyword-vs-text | Fields for filters, sorting and facets are keyword; text fields are for full-text matching. Map both if needed.
search-dynamic-mapping | Dynamic mapping is strict. User-defined attributes as fields exploded the mapping to 50,000 entries; use flattened.
search-relevance-tests | A change of boosts or analyzers shows the judged query list before and after (nDCG@10), not three examples that look good.
search-filter-context | Conditions that do not affect the score go into filter, where they are cached, and not into must.
search-wildcard | Leading wildcards scan the whole index. Use an edge n-gram or the wildcard field type.
search-highlight-escape | Highlights contain HTML from our tags and text from users: escape the text first and then insert the tags.
search-zero-results | An empty result offers spelling suggestions and drops the least selective filter; log the query for the weekly review.
search-consistency | The index is a copy. Load by id from the database before showing a price or a permission.
search-bulk-errors | The bulk API answers 200 even though single items failed. Check errors and items[].error.
search-versioned-writes | Send external versions with each document, so that a late update does not overwrite a newer one.
search-synonyms-query | Apply synonyms at query time; at index time each change means to build the index again.
search-language-fields | Titles are indexed by language in title.de and title.en with stemming, plus an unstemmed field for exact matches.
search-typo-length | Fuzziness AUTO:4,7: no tolerance for short words, or car matches cat and bar.
search-debounce | Suggestions wait 150 ms after the last key, cancel the former request, and ignore answers that arrive out of order.
search-shards | Aim for shards between 10 and 50 GB. Hundreds of tiny ones cost more heap than data.
search-popularity-cap | Popularity as a ranking signal is log-scaled and capped, otherwise bestsellers win for every query.
search-pg-trgm | Below 100,000 rows PostgreSQL with pg_trgm and tsvector is enough. Do not propose a cluster for a settings page.
search-scroll-close | Clear scroll contexts and points in time when done; leaked ones exhausted the limit of 500.
search-vector-filter | Vector queries filter inside of the ANN search; filtering the top 10 afterwards left empty pages.
search-stop-words | Do not remove stop words: 'The Who' and 'to be or not to be' became empty queries.
`

// One Learning a line: slug | text | the file it was written for, if any.

export const logging = `
log-structured | Log with fields, logger.info({ orderId }, 'order placed'), never by interpolating values into the message; otherwise we cannot search.
log-no-secrets | Authorization headers, cookies, tokens and passwords never reach a log line, not even at debug level. Use the redacting serializer.
log-no-bodies | Do not log whole request or response bodies; they hold customer text. Log the size and the route.
log-levels | error means somebody should look today, warn means it may become one, info is for business facts, debug is off in production.
log-request-id | Every line of a request has the request id. Take the logger from the context rather than importing the global one.
log-no-console | console.log and print are forbidden outside of scripts; they bypass levels, fields and redaction.
log-injection | Strip line breaks from user input before it becomes part of a plain-text log line, otherwise entries can be forged.
log-loop | No info line inside of a loop over rows. Write one summary with counts at the end.
log-exception-object | Pass the exception object to the logger as a field. Calling toString on it drops the stack.
log-stable-message | The message is a constant text, so that lines can be grouped and counted; everything variable is a field.
log-audit-apart | The audit trail is not the application log: it is written in the transaction to its own table and never sampled.
log-startup-summary | At start write one line with version, commit and the effective non-secret configuration.
log-sampling | High-volume access lines are sampled at 1 %, failures are kept in full.
log-lazy-format | Use logger.debug('x %s', y) or a lambda and not an f-string: the text is built even when the level is off.
log-timestamps-utc | Log times are RFC 3339 in UTC with milliseconds; a pod with local time makes timelines useless.
log-retention | Logs live 30 days. What must be known longer belongs in a table or a metric.
log-mask-ids | Mask e-mail addresses and phone numbers as a***@domain; support can search by user id.
log-third-party-noise | Set noisy library loggers (org.apache.http, urllib3) to warn in the logging configuration and not by filters in code. | config/logging.yaml
log-stderr-cli | Command line tools write results to stdout and everything else to stderr, so that a pipe stays clean.
log-duration-fields | Durations are fields named duration_ms and numbers, not texts like '3s'.
log-no-emoji | No decorative banners, colours or emoji in server logs; the collector counts them as multi-line garbage.
log-background-context | Jobs log job id, attempt and queue name. There is no request to look at afterwards.
log-warn-deprecated | Warn about a deprecated option once per process, not on each call.
log-flush-exit | Flush the asynchronous appender before process.exit; the last lines before a crash are the ones we need.
`

export const observability = `
metric-cardinality | No user ids, URLs with ids, or e-mail addresses as metric labels. Use the route template.
metric-histogram | Measure latency with a histogram, not with an average or a gauge. Averages hide the slow one percent.
metric-naming | Names are base unit suffixed: http_request_duration_seconds, queue_size_bytes, …_total for counters.
metric-counter-reset | Look at rate() of a counter and never at its raw value; it begins at zero after each restart.
metric-red | Each new endpoint or consumer has rate, errors and duration from the common middleware before it goes live.
metric-business | Also count business outcomes, such as checkouts completed. All technical graphs were green while nobody could pay.
metric-slo-alert | Alerts come from burn rate of the SLO, not from CPU or memory of a single pod.
trace-propagate | Forward the traceparent header over HTTP and in message headers, or the trace ends at our door.
trace-span-names | Span names are low-cardinality: SELECT orders or GET /orders/{id}; details go to attributes.
trace-no-pii | Attributes of spans are exported to a vendor. No names, mails, statement parameters or bodies.
trace-sampling-errors | Tail sampling keeps all traces with an error or over two seconds, and one percent of the rest. Do not decide in application code.
trace-async-context | A span has to be ended in finally, also on the error path; unended spans never show up.
metric-gauge-callback | Export queue depth with an observable gauge callback; setting it on each change drifts when a process dies.
metric-buckets | Choose histogram buckets around the objective (100, 200, 300 ms). The library defaults end at ten seconds and tell us nothing.
metric-dashboard-code | Dashboards live in monitoring/dashboards as code. Edits in the web interface are overwritten at night. | monitoring/dashboards/
metric-both-outcomes | Count successes and failures with the same metric and an outcome label; two differently named counters cannot be divided safely.
metric-batch-jobs | A batch job pushes its last success time. Alert when that is older than two periods, since a job that never starts reports no failures.
metric-client-side | Real user monitoring decides about front-end performance; a synthetic check from one data centre does not.
metric-exemplars | Attach trace ids as exemplars to latency histograms so that one can jump from a spike to a trace.
metric-delete-unused | Remove a metric when its last dashboard and alert are gone. We pay by active series.
metric-label-consistency | The same thing has the same label everywhere: service, env, region. Not svc in one place and app in another.
metric-init-zero | Initialise counters with zero for known label values, so that the first failure is an increase instead of a new series.
trace-db-comments | Add the traceparent to SQL as a comment with sqlcommenter; the slow query log then leads to the request.
health-liveness-simple | The liveness endpoint checks only that the process responds. If it checks the database, an outage restarts all pods at once.
`

export const onCall = `
oncall-runbook-link | Each alert has a runbook link that says what it means, how to verify it and the first three steps.
oncall-page-actionable | Page only for what a person has to act on now. Everything else becomes a ticket.
oncall-symptom-alerts | Alert on what users notice, such as failing checkouts, rather than on possible causes.
oncall-kill-switch | A feature that calls a new external provider ships with a switch that on-call can turn without deploying.
oncall-postmortem-blameless | Post-mortems name systems and decisions, not people, and each action item has an owner and a date.
oncall-dashboards-first | The first panel of a service dashboard answers whether users are affected; details come below.
oncall-no-friday | No releases of the billing service from Friday noon until Monday, except for fixes of an ongoing incident.
oncall-rollback-first | During an incident roll back first and debug afterwards. A forward fix under pressure made it worse twice.
oncall-status-page | Incidents visible to customers for more than ten minutes are put on the status page by the incident lead.
oncall-alert-tested | Trigger a new alert once in staging and show the notification. The last one had a typo in the label matcher.
oncall-silence-expiry | Silences have an end and a ticket. One without end hid a full disk for six weeks.
oncall-manual-steps | Manual repair commands become scripts in ops/repair with a dry run as the default. | ops/repair/
oncall-owner-file | Each service has an owner in service.yaml with an escalation channel. A service without one is not deployed. | service.yaml
oncall-capacity-headroom | Keep 40 % headroom on the primary database; ask before adding a job that scans it in business hours.
oncall-change-log | Every production change, including configuration and flags, appears in the change channel. It is the first thing we look at.
oncall-production-shell | No ad-hoc writes in a production console. Write a script, have it reviewed, run it with a second person.
oncall-handover | The weekly handover lists open risks, muted alerts and running migrations.
oncall-gameday | A new dependency gets a game day: switch it off in staging and watch what the product does.
oncall-timeouts-page | An alert needs a for: duration of at least five minutes, unless money is being lost, to avoid paging for a blip.
oncall-backup-restore | A backup counts only if a restore of it was tried this quarter; the restore job reports its duration.
oncall-cert-expiry | Certificates and signing keys are monitored for expiry 30 days ahead, also the ones held by partners.
oncall-disk-full | Predict disk usage with predict_linear and alert four hours ahead, not at 95 %.
oncall-feature-docs | Before launch, on-call gets a page: what it does, who uses it, how it fails, how to switch it off.
oncall-log-query | Put the log query that you used into the incident document; screenshots cannot be repeated.
`

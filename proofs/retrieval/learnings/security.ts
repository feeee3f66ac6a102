// One Learning a line: slug | text | the file it was written for, if any.

export const authentication = `
auth-argon2 | Passwords are hashed with argon2id using the parameters in security/hash. No bcrypt for new code and never a plain SHA. | security/hash.py
auth-constant-time | Compare tokens, signatures and codes with a constant-time function such as crypto.timingSafeEqual, not with ===.
auth-same-answer | Login and password reset answer the same text in the same time whether the account exists or not.
auth-session-rotate | Issue a new session id after login and after a change of privileges, or a fixed session can be planted.
auth-cookie-flags | Session cookies are HttpOnly, Secure, SameSite=Lax and use the __Host- prefix.
auth-jwt-alg | Verify JWTs with a fixed list of algorithms, issuer and audience. Never take the algorithm from the token header.
auth-jwt-short | Access tokens live for 15 minutes; anything that must be revocable at once is checked against the session table.
auth-refresh-rotation | Refresh tokens are single use. If an old one is presented again, revoke the whole family.
auth-no-localstorage | Tokens are not kept in localStorage, where any injected script reads them.
auth-oauth-state | The OAuth callback verifies state and uses PKCE, also for confidential clients.
auth-redirect-allowlist | Redirect targets after login are relative paths or from the allowlist; next=https://evil.example is a phishing gift.
auth-mfa-recovery | Recovery codes are hashed like passwords, shown once, and each works a single time.
auth-step-up | Changing e-mail, password or payout account asks for the password or second factor again, however fresh the session is.
auth-logout-server | Logout deletes the session on the server. Clearing the cookie alone leaves a stolen copy valid.
auth-reset-token | Reset links are random, stored hashed, valid for 30 minutes and void after use or after a password change.
auth-invalidate-all | After a password change end all other sessions and refresh tokens, and say so to the user.
auth-email-verify-link | An address counts as verified only after the link sent to it was opened by a signed-in session of the same account; social login with an unverified address must not merge.
auth-api-key-prefix | API keys have a recognisable prefix, are shown once and stored as a hash with the last four characters.
auth-service-identity | Services authenticate with workload identity or mTLS. No shared header with a fixed value between internal services.
auth-csrf | State-changing form posts that rely on cookies need a CSRF token; SameSite does not cover subdomains.
auth-saml-signature | In SAML check that the signed element is the assertion you read. Use the library's verified result and not an XPath of your own.
auth-password-rules | At least 12 characters and a check against the breached list. No composition rules and no forced rotation.
auth-captcha-threshold | Show a challenge after five failures; lock nothing for good, or anyone can lock out anyone.
auth-middleware-default | Routes require a signed-in user by default; public ones are marked with @public and listed in public-routes.txt. | public-routes.txt
`

export const authorization = `
authz-object-level | After loading a record by id from the path, check that it belongs to the caller. Being signed in says nothing about this invoice.
authz-in-query | Put ownership into the WHERE clause rather than comparing after the fetch, so that forgetting it returns nothing.
authz-deny-default | A policy with no matching rule denies. New roles begin with no rights.
authz-no-role-names | Check permissions (can('invoice:void')), not role names; if user.role === 'admin' has to be changed with each new role.
authz-server-side | Hidden menu entries are comfort. Each endpoint checks on its own.
authz-mass-assignment | Never spread the request body into a model. List the writable fields, or somebody sends is_admin: true.
authz-policy-tests | Each policy has a table test: role × action × own or foreign resource, with the expected verdict.
authz-field-level | Some fields, such as salary and notes, are visible to HR only. Choose the serializer by viewer and do not delete fields afterwards.
authz-bulk-each | Bulk actions check each element; the list of ids may mix own and foreign ones.
authz-indirect-refs | Also check ids inside the body, such as a project_id to which something is moved.
authz-revocation-live | A member who was removed loses access to open websockets and running exports too, not just at the next login.
authz-scope-tokens | API tokens carry scopes, and an endpoint states the one it needs. A token without scopes can do nothing.
authz-admin-separate | Admin functions are a separate application on another host with its own login; do not add admin routes to the public API.
authz-graph-edges | Filter related objects by the viewer's rights as well; the comments of a public task may belong to a private team.
authz-ownership-transfer | Handing over ownership requires consent of the receiver and leaves the former owner without rights.
authz-last-admin | The last administrator of an organization cannot be removed or demoted.
authz-opa-bundle | Rego policies live in policies/ and are tested with opa test. Do not repeat them as if statements in services. | policies/
authz-cache-user-change | Rights in the session are refreshed when the membership changes; do not copy roles into a token that lives for a day.
authz-share-links | Share links hold an unguessable token, can be revoked and expire; they give access to one object and read only.
authz-explain-denied | Write which rule denied into the audit event. To the caller say only that it is not permitted.
authz-filter-counts | Totals and facets are computed after the permission filter. A count of 1 for a hidden project is a leak.
authz-internal-callers | An internal call on behalf of a user passes the user's token along; a service account must not widen what that user may do.
authz-two-person | Payouts above 10,000 need approval by a second person, who must not be the requester.
authz-download-urls | A presigned link is created only after the check and lives for five minutes; it does not know who uses it.
`

export const secrets = `
secret-no-repo | No credentials in the repository, not in tests, examples or history. If one got in, rotate it first and clean up afterwards.
secret-vault-path | Secrets come from Vault under secret/<service>/<env>. Do not add them to values.yaml or ConfigMaps.
secret-env-leak | Do not print process.env or the whole configuration object; crash reporters send it to a third party.
secret-rotation-two | Code that verifies signatures accepts the current and the previous key, so that rotation needs no outage.
secret-cli-args | Do not pass passwords as command line arguments, where every process on the machine sees them. Use stdin, a file or the environment.
secret-frontend-none | Everything in the bundle is public. NEXT_PUBLIC_ or VITE_ variables must never hold a private key.
secret-fake-in-tests | Fixtures use obviously fake values such as test-key-not-real, so that scanners need no exceptions.
secret-scoped | One credential a service and an environment, with only the rights it needs. No shared root password.
secret-docker-build | Use RUN --mount=type=secret in Dockerfiles. ARG and ENV stay readable in the image layers.
secret-kms-envelope | Customer credentials that we keep are encrypted with envelope keys from KMS; the plain value lives only in memory.
secret-type-wrapper | Wrap secrets in the Secret type, whose string form is [redacted], so that a careless log shows nothing. | lib/secret.ts
secret-webhook-verify | Verify the signature of incoming webhooks over the raw body before parsing, and reject those older than five minutes.
secret-expiry-dates | Each credential with an expiry has an entry in the calendar with its owner, because nobody knew who renews the Apple push key.
secret-terraform-state | Secrets must not appear in Terraform state; let the provider generate them in the secret manager and read them at run time.
secret-screenshots | Redact keys in screenshots and recordings attached to tickets as well.
secret-personal-tokens | Automation uses a machine account or app installation. Personal access tokens stop working when the person leaves.
secret-cache-files | Do not write tokens to a predictable file in /tmp. Use the keyring or a file with mode 0600 in the user's configuration folder.
secret-url-params | Never put tokens into query strings; proxies, browser history and referrers keep them.
secret-scan-hook | The pre-commit hook runs gitleaks; do not bypass it with --no-verify. False positives go into .gitleaksignore with a reason. | .gitleaksignore
secret-break-glass | The break-glass account is used only in an incident with a second person, and its password is changed afterwards.
secret-random-source | Generate tokens with secrets.token_urlsafe, crypto.randomBytes or SecureRandom. Math.random and rand() are predictable.
secret-read-at-use | Read database passwords at each new connection, since Vault rotates them hourly; a value kept from the start fails after an hour.
secret-shared-channel | Hand over credentials through the vault's one-time link, not by chat or mail.
secret-backups-encrypted | Dumps and backups are encrypted with a key kept in another account.
`

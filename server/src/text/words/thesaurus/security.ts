/** Who may do what, attacks and defences, secrets, privacy. */
export const security = `
auth authentication authenticate login signin logon oauth sso saml oidc | credential password identity session user token single_sign
logout signout | session login end
authorization authorize permission privilege entitlement rbac acl access_control | role grant allow policy admin owner access
unauthorized forbidden 401 403 | permission authentication deny access
role admin administrator superuser root sudo | privilege permission operator
mfa 2fa totp otp two_factor multi_factor | authentication code login phone
credential password passphrase passcode passwd pwd | secret login user
secret api_key apikey private_key credential token access_key | vault key password leak env confidential
vault keychain keystore secret_manager kms hsm | secret key encryption store
jwt bearer access_token session_token refresh_token token | authentication claim signature expire cookie session
session cookie session_id | login user state browser
csrf xsrf cross_site request_forgery | forgery token cookie form attack samesite
xss cross_site script_injection dangerouslysetinnerhtml innerhtml | escape sanitize html markup injection browser attack script untrusted
sql_injection sqli injection | parameter query concatenate placeholder prepared escape untrusted attack interpolate
prepared_statement parameterized placeholder bind_parameter | query sql injection bind
ssrf server_side | request internal url host metadata fetch attack
rce remote_code eval exec | execute arbitrary code command untrusted shell
path_traversal directory_traversal zip_slip | path file escape parent folder upload
command_injection shell_injection | shell execute argument escape process subprocess
deserialization deserialize unserialize unpickle pickle unmarshal | untrusted object payload parse
clickjacking frame_ancestor iframe | embed frame header
csp content_security | header script inline policy nonce
cors cross_origin preflight origin | header browser domain allow
encryption encrypt cipher aes rsa cryptography crypto encrypted | decrypt key secure algorithm rest
decrypt decryption | key cipher encryption plaintext
tls ssl https certificate mtls x509 | encryption handshake trust ca transport secure expire
hash digest sha256 sha1 md5 sha512 checksum fingerprint hmac | integrity collision algorithm sum
bcrypt argon2 scrypt pbkdf2 password_hash | hash salt password slow
salt nonce iv initialization_vector | random hash unique encryption
random csprng entropy randomness prng securerandom unpredictable | secure generator seed number guess
timing_attack constant_time side_channel | compare secret equality
signature sign verify_signature signed | verify key webhook integrity tamper
vulnerability cve exploit security_hole weakness | security patch dependency attack advisory
attack attacker adversary malicious hostile hacker threat | exploit security abuse
untrusted user_input tainted | validate sanitize external attacker
sanitize escape cleanse purify encode_output | html input untrusted special character
redact mask scrub obfuscate anonymize pseudonymize censor conceal | log personal sensitive hide secret
pii personal_data personal_information gdpr privacy ccpa sensitive_data hipaa | personal user consent email name phone private redact erase
consent opt_in opt_out | privacy tracking cookie user permission
retention data_retention purge erasure | delete expire period old keep privacy
audit audit_log audit_trail traceability | log record who change history compliance
compliance regulation regulatory soc2 pci iso27001 | audit law policy legal
bot captcha recaptcha spam | abuse automated human
brute_force credential_stuffing | login attempt lockout password guess
lockout account_lock | attempt login block
allowlist whitelist safelist | permit allow list denylist
denylist blacklist blocklist | block deny list allowlist
sandbox isolate isolation confinement jail | container separate untrusted secure
tenant multi_tenant multitenancy tenancy tenant_isolation | organization customer isolation row scope account workspace
idor object_reference | authorization id owner access other resource
impersonate impersonation masquerade act_as | user admin identity support
firewall waf security_group ingress egress | network traffic port rule block
expire expiry expiration ttl lifetime time_to_live stale | invalidate renew old cache token
revoke revocation invalidate blacklist_token | token key access session expire
rotate rotation key_rotation | key secret credential renew periodic
least_privilege minimal_permission | permission scope role narrow
leak disclosure exposure expose leakage | secret information memory public sensitive
open_redirect redirect_url | redirect url untrusted login host
xxe xml_external | xml parser entity
regex_dos redos catastrophic_backtracking | regex backtrack slow hostile
denial_of_service dos ddos | flood overload limit exhaust attack
supply_chain sbom provenance typosquat | dependency package signature
license licensing gpl mit apache copyleft | legal dependency open_source attribution
`

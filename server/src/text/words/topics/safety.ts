/** Security, privacy, tenants, money, law. Each line is one subject that guidance is given on, and the words around it. */
export const safety = `
login signin authentication authenticate credential password user account session sso oauth oidc saml identity logon remember account_lock
password hash bcrypt argon2 scrypt pbkdf2 md5 sha1 salt plaintext plain_text store rainbow crack slow_hash stolen database_dump credential
brute_force login attempt lockout guess try rate_limit password endless throttle captcha credential_stuffing attacker dictionary per_account
mfa 2fa totp otp second_factor two_factor authenticator sms code backup_code phone login
jwt token bearer claim expire expiry signature verify issuer audience refresh_token access_token algorithm none decode
session cookie httponly secure samesite javascript steal hijack fixation logout expire invalidate sign_in browser flag
authorization permission role rbac admin privilege check guard policy allow deny forbidden access owner middleware decorator endpoint open everybody restrict public
least_privilege role grant minimal scope service_account wildcard iam admin owner narrow broad smallest policy permission star rights
idor object_reference guess id url another_user other_user somebody ownership belong enumerate resource access authorization foreign
tenant multi_tenant isolation organization company customer workspace filter row scope leak cross_tenant foreign different_customer row_level query where account
exist_leak 404 403 not_found forbidden enumerate reveal stranger hide existence disclose guess response
sql_injection query concatenate string interpolate glue parameter placeholder bind prepared_statement escape quote user_input where_clause raw untrusted sql format
xss script html escape innerhtml dangerouslysetinnerhtml sanitize markup dompurify untrusted template render v_html inject browser comment rich_text
csrf forgery token form cookie cross_site samesite origin state_changing post double_submit
csp content_security header inline script nonce policy unsafe_inline browser
ssrf url fetch internal metadata private_network host allowlist redirect user_supplied server request localhost webhook_url
open_redirect redirect target url host return_to next query_string login external phishing relative own_domain
command_injection shell exec spawn system subprocess argument interpolate escape untrusted branch_name filename popen backtick
path_traversal path filename dot_dot parent folder directory normalize resolve root upload arbitrary_file read outside leave escape join
deserialization pickle unpickle yaml_load unserialize object untrusted gadget java json_instead arbitrary class
eval dynamic_code exec function_constructor arbitrary code_execution plugin script template
xxe xml parser entity external dtd disable
zip_bomb decompress archive extract size ratio gzip disk fill expand zip_slip entry
file_upload size type mime extension virus_scan limit huge multipart store rename attachment malware image megabyte anybody
secret api_key commit repository git vault env hardcode source credential leak checked_in config_file private_key password rotate history environment
secret_log token password log print debug output redact mask header credential leak console sensitive trace
rotation key certificate secret renew expire ninety_day old periodic years compromised same_since
encryption encrypt rest disk transit aes gcm cipher mode ecb iv key kms plaintext column sensitive
tls https certificate verify insecure verify_false self_signed http plaintext handshake hostname trust disable_verification pinning mtls
random securerandom crypto token predictable math_random guess seed csprng uuid secret entropy generate session_id reset
constant_time compare timing secret equality hmac signature token equal string_compare side_channel early_exit
webhook signature verify hmac payload sender origin trust callback replay timestamp incoming raw_body shared_secret third_party authentic unverified
cors origin wildcard allow_origin credential header preflight cross_origin domain star
clickjacking iframe frame x_frame embed header
security_header hsts nosniff referrer header response helmet
dependency_vulnerability cve audit outdated patch npm_audit advisory scan upgrade library known_vulnerability supply_chain
dependency_pin commit_hash github_action third_party tag moving sha mutable supply_chain version workflow action compromised
redos regex backtrack catastrophic quantifier nested input hang freeze bounded repetition cpu pattern exponential
denial_of_service limit size body payload huge depth nested flood resource_exhaust memory cpu abuse unbounded malicious request
rate_limit quota throttle 429 per_client burst abuse bucket window retry_after api request flood hammer
bot captcha spam scrape abuse form automated
pii personal_data privacy email name phone address gdpr export mask redact anonymize minimal log customer birthday identify people_data
consent cookie_banner tracking analytics script agree opt_in before_load visitor marketing third_party gdpr
retention erase delete_account right forget gdpr purge period expire old_data customer request export subject
log_privacy log pii email ip_address mask redact user_data body request_body sensitive customer trace
audit_trail audit who change record history permission admin immutable append_only later find_out accountability compliance
impersonate support admin act user banner audit session
health_data hipaa patient medical phi encrypt access
payment_card pci card number cvv store tokenize stripe checkout never_store
money integer_cent decimal float double round price amount currency minor_unit precision cent total fraction binary bigdecimal
currency code dollar euro iso_4217 amount convert exchange_rate mix sum different_currency symbol
rounding round half_even total line tax distribute remainder cent allocation sum invoice
tax vat rate compute invoice country decimal jurisdiction
refund payment partial amount idempotent ledger charge reverse money_back
double_charge idempotency_key payment twice click duplicate retry charge order submit again card button
subscription plan upgrade downgrade prorate billing trial renew cancel invoice
ledger double_entry balance append immutable transaction accounting debit credit
license gpl copyleft mit proprietary legal library attribution open_source dependency check
email_verification reset_password link token expire single_use account recovery
password_reset token expire one_time link guess mail user
logout invalidate session token revoke server_side all_devices
invite signup register account enumeration email exist message
prompt_injection llm model prompt untrusted output ai assistant instruction tool customer_data
llm_output validate parse json hallucinate model response schema trust ai generated
smart_contract reentrancy solidity transfer call checks_effects gas overflow wallet
mobile_storage keychain keystore token secure_storage shared_preferences plaintext device root jailbreak
deep_link url_scheme intent validate parameter screen external app link exported activity
certificate_pin mobile tls man_middle proxy app
sandbox untrusted plugin isolate container wasm permission user_code
fraud abuse suspicious velocity risk check
gdpr_region data_residency region eu store country transfer
children minor parental age consent account
`

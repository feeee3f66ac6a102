// GENERATED from openapi.json by `npm run generate`. Do not edit.

export interface paths {
    "/v1/organizations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List organizations
         * @description Returns the active organizations that the key can see, ordered by ID: for an organization, user or agentic key the one it is bound to, for a workspace token all of the workspace, for an instance key those it is authorized for.
         *
         *     Accepts organization, user, workspace, instance and agentic keys. Rejects legacy keys with 410 `LEGACY_API_KEY`. Requires the Enterprise plan with an active subscription and the permission `organization_management:read`. Rate limit: 10 requests per 60 seconds.
         */
        get: operations["listOrganizations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations/{organization_id}/repositories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List repositories of an organization
         * @description Returns the active repositories of one organization that the key can see, ordered by ID.
         *
         *     Accepts organization, user, workspace, instance and agentic keys. Rejects legacy keys with 410 `LEGACY_API_KEY`. Requires the Enterprise plan with an active subscription and the permission `repository_management:read`. Rate limit: 10 requests per 60 seconds.
         */
        get: operations["listRepositories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/metrics/reviews": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List review metrics of pull requests
         * @description Returns one record per pull request that was merged or closed in the window, with or without findings: its times, estimates, and counts of findings by severity and category. The day of a pull request is its merge day or its close day; if that is unknown, the day of its event; `counted_on` returns it. Pages are in write order: later writes and rewrites are on later pages. Join records of different metrics by `pr_url`.
         *
         *     Accepts organization, user, workspace, instance and legacy keys. Rejects agentic keys with 403 `KEY_KIND_NOT_ALLOWED`. Requires the Enterprise plan with an active subscription and the permission `metrics:read`. Rate limit: 10 requests per 60 seconds, shared with `GET /v1/metrics/review-comments`, `GET /v1/metrics/review-comments/changes`, `GET /v1/metrics/mcp`, `GET /v1/metrics/summary`, `GET /v1/metrics/reviews/summary`, `GET /v1/metrics/mcp/summary`, `GET /v1/metrics/findings`, `GET /v1/metrics/reviewers`, `GET /v1/metrics/reviewers/overlap` and `GET /v1/learnings`.
         */
        get: operations["listReviews"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/metrics/review-comments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List review comment metrics of merged pull requests
         * @description Returns the findings of pull requests merged in the window, one entry per pull request. Comment text is never returned. Pages are in write order, not in merge order: later writes are on later pages. `next_cursor` of the last page is null; to follow later writes and outcomes, use `/v1/metrics/review-comments/changes`. With `Accept: application/x-ndjson` the response has one entry per line and no size limit; its last line is `{"next_cursor":…}`.
         *
         *     Accepts organization, user, workspace, instance and legacy keys. Rejects agentic keys with 403 `KEY_KIND_NOT_ALLOWED`. Requires the Enterprise plan with an active subscription and the permission `metrics:read`. Rate limit: 10 requests per 60 seconds, shared with `GET /v1/metrics/reviews`, `GET /v1/metrics/review-comments/changes`, `GET /v1/metrics/mcp`, `GET /v1/metrics/summary`, `GET /v1/metrics/reviews/summary`, `GET /v1/metrics/mcp/summary`, `GET /v1/metrics/findings`, `GET /v1/metrics/reviewers`, `GET /v1/metrics/reviewers/overlap` and `GET /v1/learnings`.
         */
        get: operations["listReviewComments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/metrics/review-comments/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List changes of review comment metrics
         * @description Returns every write, rewrite, removal and outcome change, in order. Without a cursor it starts with the oldest change. A cursor is always returned. A copy that applies the changes in order, one request at a time, keyed by `pull_request_key`, stays exact and can rebuild the summary. With `Accept: application/x-ndjson` the response has one change per line and no size limit; its last line is `{"next_cursor":…,"has_more":…}`.
         *
         *     Accepts organization, user, workspace, instance and legacy keys. Rejects agentic keys with 403 `KEY_KIND_NOT_ALLOWED`. Requires the Enterprise plan with an active subscription and the permission `metrics:read`. Rate limit: 10 requests per 60 seconds, shared with `GET /v1/metrics/reviews`, `GET /v1/metrics/review-comments`, `GET /v1/metrics/mcp`, `GET /v1/metrics/summary`, `GET /v1/metrics/reviews/summary`, `GET /v1/metrics/mcp/summary`, `GET /v1/metrics/findings`, `GET /v1/metrics/reviewers`, `GET /v1/metrics/reviewers/overlap` and `GET /v1/learnings`.
         */
        get: operations["listReviewCommentChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/metrics/mcp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List MCP servers and tools used in merged pull requests
         * @description Returns one record per pull request that was merged in the window and has reported use of MCP servers. Counts are best effort: every received event is counted once. Pages are in write order: a pull request that is rewritten or whose usage grows moves to the end, so you can store a cursor and continue with it the next day to get the newest counts. Join records of different metrics by `pr_url`.
         *
         *     Accepts organization, user, workspace, instance and legacy keys. Rejects agentic keys with 403 `KEY_KIND_NOT_ALLOWED`. Requires the Enterprise plan with an active subscription and the permission `metrics:read`. Rate limit: 10 requests per 60 seconds, shared with `GET /v1/metrics/reviews`, `GET /v1/metrics/review-comments`, `GET /v1/metrics/review-comments/changes`, `GET /v1/metrics/summary`, `GET /v1/metrics/reviews/summary`, `GET /v1/metrics/mcp/summary`, `GET /v1/metrics/findings`, `GET /v1/metrics/reviewers`, `GET /v1/metrics/reviewers/overlap` and `GET /v1/learnings`.
         */
        get: operations["listMcpUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/metrics/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Summarize the acceptance of findings
         * @description Returns counts and acceptance rates of the findings of pull requests merged in the window, grouped by the keys in `group_by`. Findings without a known outcome count as unknown: `rate` covers the other findings, `rate_low` and `rate_high` are its bounds if none or all of the unknown findings were accepted. The counts match `/v1/metrics/review-comments`. Groups are sorted by week, organization, repository, author, reviewer, severity and category, unknown values last.
         *
         *     Accepts organization, user, workspace, instance and legacy keys. Rejects agentic keys with 403 `KEY_KIND_NOT_ALLOWED`. Requires the Enterprise plan with an active subscription and the permission `metrics:read`. Rate limit: 10 requests per 60 seconds, shared with `GET /v1/metrics/reviews`, `GET /v1/metrics/review-comments`, `GET /v1/metrics/review-comments/changes`, `GET /v1/metrics/mcp`, `GET /v1/metrics/reviews/summary`, `GET /v1/metrics/mcp/summary`, `GET /v1/metrics/findings`, `GET /v1/metrics/reviewers`, `GET /v1/metrics/reviewers/overlap` and `GET /v1/learnings`.
         */
        get: operations["summarizeFindings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/metrics/reviews/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Summarize how long pull requests took
         * @description Returns counts and times of pull requests that were merged or closed in the window, grouped by the keys in `group_by`. The counts match `/v1/metrics/reviews` with the same filters, where `status` is merged unless you send another. Times begin when a pull request is ready for review or, if that is unknown, when it was created. Groups are sorted by week and repository.
         *
         *     Accepts organization, user, workspace, instance and legacy keys. Rejects agentic keys with 403 `KEY_KIND_NOT_ALLOWED`. Requires the Enterprise plan with an active subscription and the permission `metrics:read`. Rate limit: 10 requests per 60 seconds, shared with `GET /v1/metrics/reviews`, `GET /v1/metrics/review-comments`, `GET /v1/metrics/review-comments/changes`, `GET /v1/metrics/mcp`, `GET /v1/metrics/summary`, `GET /v1/metrics/mcp/summary`, `GET /v1/metrics/findings`, `GET /v1/metrics/reviewers`, `GET /v1/metrics/reviewers/overlap` and `GET /v1/learnings`.
         */
        get: operations["summarizeReviews"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/metrics/mcp/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the calls of MCP servers and tools
         * @description Returns how often MCP servers and tools were called in pull requests that were merged in the window, grouped by the keys in `group_by`. The counts match `/v1/metrics/mcp` with the same filters, and are best effort as there. Groups are sorted by week, server and tool.
         *
         *     Accepts organization, user, workspace, instance and legacy keys. Rejects agentic keys with 403 `KEY_KIND_NOT_ALLOWED`. Requires the Enterprise plan with an active subscription and the permission `metrics:read`. Rate limit: 10 requests per 60 seconds, shared with `GET /v1/metrics/reviews`, `GET /v1/metrics/review-comments`, `GET /v1/metrics/review-comments/changes`, `GET /v1/metrics/mcp`, `GET /v1/metrics/summary`, `GET /v1/metrics/reviews/summary`, `GET /v1/metrics/findings`, `GET /v1/metrics/reviewers`, `GET /v1/metrics/reviewers/overlap` and `GET /v1/learnings`.
         */
        get: operations["summarizeMcpUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/metrics/findings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List findings with their outcomes and evidence
         * @description Returns the findings of pull requests merged in the window, one by one: who made them, where, what became of them, and who or what decided that. Pages are in write order, as those of `/v1/metrics/review-comments`. Text and code are never returned.
         *
         *     Accepts organization, user, workspace and instance keys. Rejects legacy keys with 410 `LEGACY_API_KEY`. Rejects agentic keys with 403 `KEY_KIND_NOT_ALLOWED`. Requires the Enterprise plan with an active subscription and the permission `metrics:read`. Rate limit: 10 requests per 60 seconds, shared with `GET /v1/metrics/reviews`, `GET /v1/metrics/review-comments`, `GET /v1/metrics/review-comments/changes`, `GET /v1/metrics/mcp`, `GET /v1/metrics/summary`, `GET /v1/metrics/reviews/summary`, `GET /v1/metrics/mcp/summary`, `GET /v1/metrics/reviewers`, `GET /v1/metrics/reviewers/overlap` and `GET /v1/learnings`.
         */
        get: operations["listFindings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/metrics/findings/{id}/outcome": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Overrule the outcome of a finding
         * @description Records what a person says about a finding. It counts before the outcomes of the Git provider and of detectors, until it is withdrawn with `accepted: null`. The change is audited at once and shows in the metrics shortly after.
         *
         *     Accepts user keys. Rejects legacy keys with 410 `LEGACY_API_KEY`. Rejects organization, workspace, instance and agentic keys with 403 `KEY_KIND_NOT_ALLOWED`. Requires the Enterprise plan with an active subscription and the permission `metrics:write`. Rate limit: 60 requests per 60 seconds.
         */
        put: operations["setFindingOutcome"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/metrics/reviewers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare reviewers
         * @description Returns what each reviewer found on pull requests merged in the window, and what became of it. `rate` covers findings with a known outcome; `rate_low` and `rate_high` are its bounds if none or all of the unknown ones were accepted; `interval_low` and `interval_high` are the 95% Wilson interval of `rate`. Do not rank reviewers whose intervals overlap. Two findings are the same if they are in the same file, at most 3 lines apart and of similar content; each is compared with one of another reviewer at most. Sorted by reviewer.
         *
         *     Accepts organization, user, workspace and instance keys. Rejects legacy keys with 410 `LEGACY_API_KEY`. Rejects agentic keys with 403 `KEY_KIND_NOT_ALLOWED`. Requires the Enterprise plan with an active subscription and the permission `metrics:read`. Rate limit: 10 requests per 60 seconds, shared with `GET /v1/metrics/reviews`, `GET /v1/metrics/review-comments`, `GET /v1/metrics/review-comments/changes`, `GET /v1/metrics/mcp`, `GET /v1/metrics/summary`, `GET /v1/metrics/reviews/summary`, `GET /v1/metrics/mcp/summary`, `GET /v1/metrics/findings`, `GET /v1/metrics/reviewers/overlap` and `GET /v1/learnings`.
         */
        get: operations["summarizeReviewers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/metrics/reviewers/overlap": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare findings of two reviewers
         * @description Returns, for every two reviewers, how many findings both made and how many only one of them, on merged pull requests that both reviewed. Findings are the same as in `GET /v1/metrics/reviewers`. Findings without a location or a sketch are not the same as any other. Sorted by both names.
         *
         *     Accepts organization, user, workspace and instance keys. Rejects legacy keys with 410 `LEGACY_API_KEY`. Rejects agentic keys with 403 `KEY_KIND_NOT_ALLOWED`. Requires the Enterprise plan with an active subscription and the permission `metrics:read`. Rate limit: 10 requests per 60 seconds, shared with `GET /v1/metrics/reviews`, `GET /v1/metrics/review-comments`, `GET /v1/metrics/review-comments/changes`, `GET /v1/metrics/mcp`, `GET /v1/metrics/summary`, `GET /v1/metrics/reviews/summary`, `GET /v1/metrics/mcp/summary`, `GET /v1/metrics/findings`, `GET /v1/metrics/reviewers` and `GET /v1/learnings`.
         */
        get: operations["compareReviewers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List users
         * @description Returns users of the organization with their seats, roles and last activity, ordered by account ID. An instance key uses its home organization. A workspace token without org_id lists the people of the whole workspace instead, each with all accounts, by cr_user_id.
         *
         *     Accepts organization, user, workspace and instance keys. Rejects legacy keys with 410 `LEGACY_API_KEY`. Rejects agentic keys with 403 `KEY_KIND_NOT_ALLOWED`. Requires the Enterprise plan with an active subscription, the Admin role and the permission `user_management:read`. Rate limit: 10 requests per 60 seconds.
         */
        get: operations["listUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/seats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Assign or unassign seats
         * @description Assigns or unassigns seats of users of the organization. An instance key uses its home organization; a workspace token names people of the whole workspace. Seats belong to the tenant: a person has one seat, shown on all of their accounts. Assigning a seat to a user who has one, and unassigning one from a user without, succeed. Check `status` and `failed`.
         *
         *     Accepts organization, user, workspace and instance keys. Rejects legacy keys with 410 `LEGACY_API_KEY`. Rejects agentic keys with 403 `KEY_KIND_NOT_ALLOWED`. Requires the Enterprise plan with an active subscription, the Admin role and the permission `user_management:write`. Rate limit: 10 requests per 60 seconds, at most 3 concurrent, shared with `POST /v1/users/offboarding` and `DELETE /v1/users/{cr_user_id}/sessions`.
         */
        post: operations["manageSeats"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/seats/assignment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set the seat assignment mode
         * @description Sets how developers of a self-hosted organization get a seat. An instance key sets it for every organization that it is authorized for. GET /v1/users returns the current mode.
         *
         *     Accepts organization, user and instance keys. Rejects legacy keys with 410 `LEGACY_API_KEY`. Rejects workspace and agentic keys with 403 `KEY_KIND_NOT_ALLOWED`. Requires the Enterprise plan with an active subscription, the Admin role and the permission `user_management:write`. Rate limit: 10 requests per 60 seconds.
         */
        post: operations["setSeatAssignmentMode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/offboarding": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Offboard a person
         * @description Ends everything that a person can use, on their next request: sessions, keys, the seat, roles and memberships; and deactivates the person. Without `dry_run: false` it returns what would end. With a workspace token, or in a tenant of a single organization, that is everything in the tenant. With other keys, or with org_id, only the membership of the organization and the keys bound to it end. Keys are revoked permanently. The receipt names the rows of the audit log and the head of its chain.
         *
         *     Accepts organization, user, workspace and instance keys. Rejects legacy keys with 410 `LEGACY_API_KEY`. Rejects agentic keys with 403 `KEY_KIND_NOT_ALLOWED`. Requires the Enterprise plan with an active subscription, the Admin role and the permission `user_management:write`. Rate limit: 10 requests per 60 seconds, at most 3 concurrent, shared with `POST /v1/users/seats` and `DELETE /v1/users/{cr_user_id}/sessions`. With `dry_run`: 60 requests per 60 seconds, counted apart.
         */
        post: operations["offboardPerson"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/{cr_user_id}/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End all sessions of a person
         * @description Signs the person out of all browsers, on their next request. A workspace token names people of the whole workspace, other keys members of their organization. A session belongs to the tenant, so it ends for all organizations of the person; those of a workspace admin only with a workspace token. Keys stay, and the person can sign in again: to take that away, offboard the person.
         *
         *     Accepts organization, user, workspace and instance keys. Rejects legacy keys with 410 `LEGACY_API_KEY`. Rejects agentic keys with 403 `KEY_KIND_NOT_ALLOWED`. Requires the Enterprise plan with an active subscription, the Admin role and the permission `user_management:write`. Rate limit: 10 requests per 60 seconds, at most 3 concurrent, shared with `POST /v1/users/seats` and `POST /v1/users/offboarding`.
         */
        delete: operations["endSessionsOfPerson"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/roles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change roles of users
         * @description Makes users of an organization admins or members. It takes effect on their next request. The role of billing admins cannot be changed, and an organization always has an admin. An instance key with `ALL` changes every active organization that it is authorized for, one after the other; a user succeeds if the change succeeds in all organizations they are a member of. The change continues if the connection is lost: repeat the request with the same Idempotency-Key to wait for its result, also after a 503. Check `status` and `failed`.
         *
         *     Accepts organization, user, workspace and instance keys. Rejects legacy keys with 410 `LEGACY_API_KEY`. Rejects agentic keys with 403 `KEY_KIND_NOT_ALLOWED`. Requires the Enterprise plan with an active subscription, the Admin role and the permission `user_management:write`. Rate limit: 10 requests per 60 seconds, at most 3 concurrent, shared with `POST /v1/roles/{role_id}/members`.
         */
        post: operations["changeUserRoles"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/roles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List roles
         * @description Returns the system roles and the custom roles of an organization.
         *
         *     Accepts organization, user, workspace and instance keys. Rejects legacy keys with 410 `LEGACY_API_KEY`. Rejects agentic keys with 403 `KEY_KIND_NOT_ALLOWED`. Requires the Enterprise plan with an active subscription, the Admin role and the permission `role_management:read`. Rate limit: 10 requests per 60 seconds, shared with `POST /v1/roles`, `GET /v1/roles/permissions`, `GET /v1/roles/{role_id}`, `PATCH /v1/roles/{role_id}` and `DELETE /v1/roles/{role_id}`.
         */
        get: operations["listRoles"];
        put?: never;
        /**
         * Create a custom role
         * @description Creates a role with the given permissions or with those of another role. Without either it is a copy of `cr_member`.
         *
         *     Accepts organization, user, workspace and instance keys. Rejects legacy keys with 410 `LEGACY_API_KEY`. Rejects agentic keys with 403 `KEY_KIND_NOT_ALLOWED`. Requires the Enterprise plan with an active subscription, the Admin role and the permission `role_management:write`. Rate limit: 10 requests per 60 seconds, shared with `GET /v1/roles`, `GET /v1/roles/permissions`, `GET /v1/roles/{role_id}`, `PATCH /v1/roles/{role_id}` and `DELETE /v1/roles/{role_id}`.
         */
        post: operations["createRole"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/roles/permissions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List permissions of roles
         * @description Returns the resources and access types that permissions combine.
         *
         *     Accepts organization, user, workspace and instance keys. Rejects legacy keys with 410 `LEGACY_API_KEY`. Rejects agentic keys with 403 `KEY_KIND_NOT_ALLOWED`. Requires the Enterprise plan with an active subscription, the Admin role and the permission `role_management:read`. Rate limit: 10 requests per 60 seconds, shared with `GET /v1/roles`, `POST /v1/roles`, `GET /v1/roles/{role_id}`, `PATCH /v1/roles/{role_id}` and `DELETE /v1/roles/{role_id}`.
         */
        get: operations["listRolePermissions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/roles/{role_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a role
         * @description Returns one role with its permissions.
         *
         *     Accepts organization, user, workspace and instance keys. Rejects legacy keys with 410 `LEGACY_API_KEY`. Rejects agentic keys with 403 `KEY_KIND_NOT_ALLOWED`. Requires the Enterprise plan with an active subscription, the Admin role and the permission `role_management:read`. Rate limit: 10 requests per 60 seconds, shared with `GET /v1/roles`, `POST /v1/roles`, `GET /v1/roles/permissions`, `PATCH /v1/roles/{role_id}` and `DELETE /v1/roles/{role_id}`.
         */
        get: operations["getRole"];
        put?: never;
        post?: never;
        /**
         * Delete a custom role
         * @description A role that is assigned to users cannot be deleted. Give them another role first.
         *
         *     Accepts organization, user, workspace and instance keys. Rejects legacy keys with 410 `LEGACY_API_KEY`. Rejects agentic keys with 403 `KEY_KIND_NOT_ALLOWED`. Requires the Enterprise plan with an active subscription, the Admin role and the permission `role_management:delete`. Rate limit: 10 requests per 60 seconds, shared with `GET /v1/roles`, `POST /v1/roles`, `GET /v1/roles/permissions`, `GET /v1/roles/{role_id}` and `PATCH /v1/roles/{role_id}`.
         */
        delete: operations["deleteRole"];
        options?: never;
        head?: never;
        /**
         * Change a custom role
         * @description Takes effect on the next request of every user with the role. System roles cannot be changed.
         *
         *     Accepts organization, user, workspace and instance keys. Rejects legacy keys with 410 `LEGACY_API_KEY`. Rejects agentic keys with 403 `KEY_KIND_NOT_ALLOWED`. Requires the Enterprise plan with an active subscription, the Admin role and the permission `role_management:write`. Rate limit: 10 requests per 60 seconds, shared with `GET /v1/roles`, `POST /v1/roles`, `GET /v1/roles/permissions`, `GET /v1/roles/{role_id}` and `DELETE /v1/roles/{role_id}`.
         */
        patch: operations["updateRole"];
        trace?: never;
    };
    "/v1/roles/{role_id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give users a role
         * @description Gives users of an organization a custom role, `cr_admin` or `cr_member`, instead of the role they have. It takes effect on their next request. The role of billing admins cannot be changed, and an organization always has an admin. Check `status` and `failed`.
         *
         *     Accepts organization, user, workspace and instance keys. Rejects legacy keys with 410 `LEGACY_API_KEY`. Rejects agentic keys with 403 `KEY_KIND_NOT_ALLOWED`. Requires the Enterprise plan with an active subscription, the Admin role and the permission `user_management:write`. Rate limit: 10 requests per 60 seconds, at most 3 concurrent, shared with `POST /v1/users/roles`.
         */
        post: operations["assignRole"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get settings
         * @description Returns the settings of an organization or of one of its repositories, and which of them are inherited.
         *
         *     Accepts organization, user, workspace and instance keys. Rejects legacy keys with 410 `LEGACY_API_KEY`. Rejects agentic keys with 403 `KEY_KIND_NOT_ALLOWED`. Requires the Admin role and the permission `organization_management:read`. Rate limit: 60 requests per 60 seconds, shared with `PATCH /v1/settings`.
         */
        get: operations["getSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change settings
         * @description Changes the given settings of an organization or of one of its repositories. Existing Learnings do not change. Prices of reviewers and their currency belong to the organization. `metrics.enabled` cannot be changed here: ask the operator.
         *
         *     Accepts organization, user, workspace and instance keys. Rejects legacy keys with 410 `LEGACY_API_KEY`. Rejects agentic keys with 403 `KEY_KIND_NOT_ALLOWED`. Requires the Admin role and the permission `organization_management:write`. Rate limit: 60 requests per 60 seconds, shared with `GET /v1/settings`.
         */
        patch: operations["updateSettings"];
        trace?: never;
    };
    "/v1/connectors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List connectors
         * @description Returns the connectors of the organization with their progress and errors, without their secrets.
         *
         *     Accepts user keys. Rejects legacy keys with 410 `LEGACY_API_KEY`. Rejects organization, workspace, instance and agentic keys with 403 `KEY_KIND_NOT_ALLOWED`. Requires the Admin role and the permission `organization_management:write`. Rate limit: 60 requests per 60 seconds, shared with `POST /v1/connectors` and `DELETE /v1/connectors/{connector_id}`.
         */
        get: operations["listConnectors"];
        put?: never;
        /**
         * Connect an organization
         * @description Connects the organization to GitHub or GitLab. A worker then reads its repositories, members and pull requests of the last year, and follows changes. Read the connector again to see its progress and errors.
         *
         *     Accepts user keys. Rejects legacy keys with 410 `LEGACY_API_KEY`. Rejects organization, workspace, instance and agentic keys with 403 `KEY_KIND_NOT_ALLOWED`. Requires the Admin role and the permission `organization_management:write`. Rate limit: 60 requests per 60 seconds, shared with `GET /v1/connectors` and `DELETE /v1/connectors/{connector_id}`.
         */
        post: operations["createConnector"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/connectors/{connector_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a connector
         * @description Deletes a connector with its secrets. What it reported stays. Revoke its credential at the Git provider too.
         *
         *     Accepts user keys. Rejects legacy keys with 410 `LEGACY_API_KEY`. Rejects organization, workspace, instance and agentic keys with 403 `KEY_KIND_NOT_ALLOWED`. Requires the Admin role and the permission `organization_management:write`. Rate limit: 60 requests per 60 seconds, shared with `GET /v1/connectors` and `POST /v1/connectors`.
         */
        delete: operations["deleteConnector"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ingest/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the status of events
         * @description Says whether events arrive and are processed: of the whole workspace for workspace tokens without org_id, otherwise of one organization. The response can be two seconds old. 503 means that the event queue does not respond.
         *
         *     Accepts organization, user, workspace and instance keys. Rejects legacy keys with 410 `LEGACY_API_KEY`. Rejects agentic keys with 403 `KEY_KIND_NOT_ALLOWED`. Requires the Admin role and the permission `user_management:read`. Rate limit: 60 requests per 60 seconds.
         */
        get: operations["getTenantIngestStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit-logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the audit log
         * @description Lists changes and refused requests with their actors. Numbered pages start with the newest row. To poll, use a cursor instead: it returns rows in write order, never skips a row and does not expire. A workspace token without org_id reads the whole workspace, including rows that belong to no organization.
         *
         *     Accepts organization, user, workspace and instance keys. Rejects legacy keys with 410 `LEGACY_API_KEY`. Rejects agentic keys with 403 `KEY_KIND_NOT_ALLOWED`. Requires the Enterprise plan with an active subscription and the permission `audit_log:read`. Rate limit: 60 requests per 60 seconds, shared with `GET /v1/audit-logs/chain`.
         */
        get: operations["listAuditLogs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit-logs/chain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the hash chain of the audit log
         * @description Returns position, digest and hash of all rows of the tenant root, also of those that the key cannot read, with the signed heads of these positions and the public keys. With them a caller verifies the rows of `GET /v1/audit-logs`: the digest is the SHA-256 of `content`, and the hash the SHA-256 of the previous hash (32 zero bytes before row 1), the position (8 bytes, big-endian) and the digest. To read on, pass the last position as `after`.
         *
         *     Accepts organization, user, workspace and instance keys. Rejects legacy keys with 410 `LEGACY_API_KEY`. Rejects agentic keys with 403 `KEY_KIND_NOT_ALLOWED`. Requires the Enterprise plan with an active subscription and the permission `audit_log:read`. Rate limit: 60 requests per 60 seconds, shared with `GET /v1/audit-logs`.
         */
        get: operations["readAuditChain"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/security/scans/code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List or download the findings of security scans
         * @description Returns findings of code scans as JSON pages in write order, or as one file. A finding keeps its ID when its lines move or its file is renamed. A finding that changes, for example its state, moves to the end of the order, so that a reader of later pages gets it again; a finding that is only seen again does not move. SARIF files have one run per tool and repository, plain text only, and a fingerprint that does not change when lines move.
         *
         *     Accepts organization, user, workspace and instance keys. Rejects legacy keys with 410 `LEGACY_API_KEY`. Rejects agentic keys with 403 `KEY_KIND_NOT_ALLOWED`. Requires the permission `security:read`. Rate limit: 60 requests per 60 seconds, shared with `GET /v1/security/summary`.
         */
        get: operations["listSecurityFindings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/security/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the findings of security scans
         * @description Returns how many findings there are and when the oldest of them was first seen, grouped by the keys in `group_by`. The counts match `/v1/security/scans/code` with the same filters. Groups are sorted by severity, state, repository and age.
         *
         *     Accepts organization, user, workspace and instance keys. Rejects legacy keys with 410 `LEGACY_API_KEY`. Rejects agentic keys with 403 `KEY_KIND_NOT_ALLOWED`. Requires the permission `security:read`. Rate limit: 60 requests per 60 seconds, shared with `GET /v1/security/scans/code`.
         */
        get: operations["summarizeSecurityFindings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List keys
         * @description Returns active keys without their values. A user key lists the keys bound to its organization; a workspace token lists all keys of the workspace, including workspace tokens.
         *
         *     Accepts user and workspace keys. Rejects legacy keys with 410 `LEGACY_API_KEY`. Rejects organization, instance and agentic keys with 403 `KEY_KIND_NOT_ALLOWED`. Requires the Admin role and the permission `api_key:read`. Rate limit: 10 requests per 60 seconds, shared with `POST /v1/keys`, `GET /v1/keys/self`, `POST /v1/keys/{key_id}/rotate` and `DELETE /v1/keys/{key_id}`.
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Create a key
         * @description The new key acts for the owner of the calling key. It cannot have more permissions, a wider scope or a later expiry than the calling key. Its value is returned only once.
         *
         *     Accepts user and workspace keys. Rejects legacy keys with 410 `LEGACY_API_KEY`. Rejects organization, instance and agentic keys with 403 `KEY_KIND_NOT_ALLOWED`. Requires the Admin role and the permission `api_key:write`. Rate limit: 10 requests per 60 seconds, shared with `GET /v1/keys`, `GET /v1/keys/self`, `POST /v1/keys/{key_id}/rotate` and `DELETE /v1/keys/{key_id}`.
         */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys/self": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the calling key and its access
         * @description Returns what the calling key or session is, for whom it acts, which organizations it sees and, for every endpoint, whether a valid request is allowed or which error code it returns. The request is assumed to name an organization only where one is required. It can still be refused for what it names: an unreadable repository or an unknown ID.
         *
         *     Accepts organization, user, workspace, instance, legacy and agentic keys. Available on every plan. Rate limit: 10 requests per 60 seconds, shared with `GET /v1/keys`, `POST /v1/keys`, `POST /v1/keys/{key_id}/rotate` and `DELETE /v1/keys/{key_id}`.
         */
        get: operations["getKeySelf"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys/{key_id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate a key
         * @description Creates a key with the scope, owner and permissions of the old key, which stays valid for the overlap. A legacy key is replaced by a user key. Only the owner can rotate a key, and the calling key must have all of its permissions.
         *
         *     Accepts user and workspace keys. Rejects legacy keys with 410 `LEGACY_API_KEY`. Rejects organization, instance and agentic keys with 403 `KEY_KIND_NOT_ALLOWED`. Requires the Admin role and the permission `api_key:write`. Rate limit: 10 requests per 60 seconds, shared with `GET /v1/keys`, `POST /v1/keys`, `GET /v1/keys/self` and `DELETE /v1/keys/{key_id}`.
         */
        post: operations["rotateKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys/{key_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a key
         * @description Revokes a key immediately on every node. A key can delete itself.
         *
         *     Accepts user and workspace keys. Rejects legacy keys with 410 `LEGACY_API_KEY`. Rejects organization, instance and agentic keys with 403 `KEY_KIND_NOT_ALLOWED`. Requires the Admin role and the permission `api_key:delete`. Rate limit: 10 requests per 60 seconds, shared with `GET /v1/keys`, `POST /v1/keys`, `GET /v1/keys/self` and `POST /v1/keys/{key_id}/rotate`.
         */
        delete: operations["deleteKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/learnings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export and search Learnings
         * @description Returns shared Learnings in the order in which they were shared. Learnings that are shared during an export appear on a later page, so an export neither skips nor repeats one. With `search`, the response is one page, best match first. With `repository_name`, the owner of the key must have verified read access to that repository.
         *
         *     Accepts organization, user, workspace, instance and legacy keys. Rejects agentic keys with 403 `KEY_KIND_NOT_ALLOWED`. Requires the Enterprise plan with an active subscription and the permission `learning:read`. Rate limit: 10 requests per 60 seconds, shared with `GET /v1/metrics/reviews`, `GET /v1/metrics/review-comments`, `GET /v1/metrics/review-comments/changes`, `GET /v1/metrics/mcp`, `GET /v1/metrics/summary`, `GET /v1/metrics/reviews/summary`, `GET /v1/metrics/mcp/summary`, `GET /v1/metrics/findings`, `GET /v1/metrics/reviewers` and `GET /v1/metrics/reviewers/overlap`.
         */
        get: operations["listLearnings"];
        put?: never;
        /**
         * Create Learnings
         * @description Creates 1 to 100 Learnings in one ordered batch and indexes them for future reviews. The response is 200 even if items fail: check `status` and every result. The id derives from organization, repository and redacted text, so a retry with the same items is safe; it also repairs an index that failed. If a private or pending Learning has the same text, it is shared and no second one is created. A Learning whose text was changed since is not changed back: the item is a `duplicate` with `matched`. With `import`, a text that has a flag is pending until an Admin decides. The server sets author and repository ownership.
         *
         *     Accepts organization, user and workspace keys. Rejects legacy keys with 410 `LEGACY_API_KEY`. Rejects instance and agentic keys with 403 `KEY_KIND_NOT_ALLOWED`. Requires the Enterprise plan with an active subscription and the permission `learning:write`. Rate limit: 10 requests per 60 seconds, shared with `PATCH /v1/learnings/{learning_id}`, `DELETE /v1/learnings/{learning_id}`, `POST /v1/learnings/{learning_id}/approval` and `POST /v1/learnings/approvals`. With `dry_run`: 60 requests per 60 seconds, counted apart.
         */
        post: operations["createLearnings"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/learnings/{learning_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a Learning
         * @description Deletes a Learning in any state. Deleting a Learning that does not exist also returns 204, so retries are safe. Creating the same text later returns the same id, with usage counters reset. The text of a disapproved Learning stays rejected until an Admin approves its id.
         *
         *     Accepts organization, user and workspace keys. Rejects legacy keys with 410 `LEGACY_API_KEY`. Rejects instance and agentic keys with 403 `KEY_KIND_NOT_ALLOWED`. Requires the Enterprise plan with an active subscription and the permission `learning:write`. Rate limit: 10 requests per 60 seconds, shared with `POST /v1/learnings`, `PATCH /v1/learnings/{learning_id}`, `POST /v1/learnings/{learning_id}/approval` and `POST /v1/learnings/approvals`.
         */
        delete: operations["deleteLearning"];
        options?: never;
        head?: never;
        /**
         * Replace the text of a Learning
         * @description Replaces the text and, if the Learning is shared, rebuilds its review index. The id does not change. After a 503 `INDEX_FAILED` the text has been replaced: repeat the same request to rebuild the index.
         *
         *     Accepts organization, user and workspace keys. Rejects legacy keys with 410 `LEGACY_API_KEY`. Rejects instance and agentic keys with 403 `KEY_KIND_NOT_ALLOWED`. Requires the Enterprise plan with an active subscription and the permission `learning:write`. Rate limit: 10 requests per 60 seconds, shared with `POST /v1/learnings`, `DELETE /v1/learnings/{learning_id}`, `POST /v1/learnings/{learning_id}/approval` and `POST /v1/learnings/approvals`.
         */
        patch: operations["updateLearning"];
        trace?: never;
    };
    "/v1/learnings/pending": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List pending Learnings
         * @description Returns the Learnings that wait for approval, oldest proposal first, each with the shared Learnings that are close to it. Decide on them with `POST /v1/learnings/approvals`.
         *
         *     Accepts organization, user and workspace keys. Rejects legacy keys with 410 `LEGACY_API_KEY`. Rejects instance and agentic keys with 403 `KEY_KIND_NOT_ALLOWED`. Requires the Enterprise plan with an active subscription, the Admin role and the permission `learning:write`. Rate limit: 60 requests per 60 seconds.
         */
        get: operations["listPendingLearnings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/learnings/{learning_id}/approval": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve or disapprove a Learning
         * @description Approves or disapproves a pending Learning. An approved Learning is shared immediately. After a disapproval, the server rejects new Learnings with the same text, also after the Learning was deleted. Approving a disapproved Learning lifts that: it is shared, or, if it was deleted, its text can be created again. Repeating a decision on a Learning returns the same response.
         *
         *     Accepts organization, user and workspace keys. Rejects legacy keys with 410 `LEGACY_API_KEY`. Rejects instance and agentic keys with 403 `KEY_KIND_NOT_ALLOWED`. Requires the Enterprise plan with an active subscription, the Admin role and the permission `learning:write`. Rate limit: 10 requests per 60 seconds, shared with `POST /v1/learnings`, `PATCH /v1/learnings/{learning_id}`, `DELETE /v1/learnings/{learning_id}` and `POST /v1/learnings/approvals`.
         */
        post: operations["decideOnLearning"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/learnings/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve or disapprove many Learnings
         * @description Applies 1 to 100 decisions in their order, each as `POST /v1/learnings/{learning_id}/approval` does. The response is 200 even if decisions fail: check `status` and every result. Repeating the request returns the same results.
         *
         *     Accepts organization, user and workspace keys. Rejects legacy keys with 410 `LEGACY_API_KEY`. Rejects instance and agentic keys with 403 `KEY_KIND_NOT_ALLOWED`. Requires the Enterprise plan with an active subscription, the Admin role and the permission `learning:write`. Rate limit: 10 requests per 60 seconds, shared with `POST /v1/learnings`, `PATCH /v1/learnings/{learning_id}`, `DELETE /v1/learnings/{learning_id}` and `POST /v1/learnings/{learning_id}/approval`.
         */
        post: operations["decideOnLearnings"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/review-context": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find the Learnings for a review
         * @description Returns the Learnings that apply to a change, best match first, each with the reason why it matches. Send `text`, `diff` or `files`, or several of them. A setting determines whether a repository receives its own Learnings or those of the whole organization; by default, a public repository receives only its own. Only what matches is returned, so the list may be empty. Learnings with a strong match count as used unless `record_use` is false.
         *
         *     Accepts organization, user, workspace and agentic keys. Rejects legacy keys with 410 `LEGACY_API_KEY`. Rejects instance keys with 403 `KEY_KIND_NOT_ALLOWED`. Requires the Enterprise plan with an active subscription and the permission `learning:read`. Rate limit: 600 requests per 60 seconds.
         */
        post: operations["findReviewContext"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get your session
         * @description Returns who is signed in, the organizations to choose from, and until when. For the session cookie of a browser only; API keys use GET /v1/keys/self.
         *
         *     Rejects legacy keys with 410 `LEGACY_API_KEY`. Rejects organization, user, workspace, instance and agentic keys with 403 `KEY_KIND_NOT_ALLOWED`. Available on every plan. Rate limit: 120 requests per 60 seconds, shared with `GET /v1/sessions` and `DELETE /v1/sessions/{session_id}`.
         */
        get: operations["getSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your sessions
         * @description Returns your own open sessions, of all browsers.
         *
         *     Rejects legacy keys with 410 `LEGACY_API_KEY`. Rejects organization, user, workspace, instance and agentic keys with 403 `KEY_KIND_NOT_ALLOWED`. Available on every plan. Rate limit: 120 requests per 60 seconds, shared with `GET /v1/session` and `DELETE /v1/sessions/{session_id}`.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End one of your sessions
         * @description Signs a browser out. It takes effect on the next request, on every node.
         *
         *     Rejects legacy keys with 410 `LEGACY_API_KEY`. Rejects organization, user, workspace, instance and agentic keys with 403 `KEY_KIND_NOT_ALLOWED`. Available on every plan. Rate limit: 120 requests per 60 seconds, shared with `GET /v1/session` and `GET /v1/sessions`.
         */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ingest/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send events
         * @description For reviewers and self-hosted deployments. The body is an array of events, or one event per line. Each event is accepted or rejected on its own. Accepted events are stored durably before the response is sent and are processed shortly after. You can send an event again at any time, for example after a 503 or a lost response: its `id` makes it count once. `/events.schema.json` has the schemas of all events.
         *
         *     Accepts ingest credentials; every kind of API key gets 401 `UNAUTHORIZED`. A credential that sends more than 50 requests per second to a node, and a tenant root that has filled its share of the queue, get 429 `RATE_LIMIT_EXCEEDED`. The endpoint returns 503 `OVERLOADED` while the queue is full or unavailable.
         */
        post: operations["ingestEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ingest/v1/sarif": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload a SARIF file
         * @description Uploads findings of security tools in a repository as a SARIF 2.1.0 file of at most 25 MiB (uncompressed) and 50,000 results. Runs with the same tool and category form one scan. The findings are stored, without credentials and code, before the response is sent, and are compared with earlier scans shortly after.
         *
         *     Accepts ingest credentials; every kind of API key gets 401 `UNAUTHORIZED`. A credential that sends more than 50 requests per second to a node, and a tenant root that has filled its share of the queue, get 429 `RATE_LIMIT_EXCEEDED`. The endpoint returns 503 `OVERLOADED` while the queue is full or unavailable.
         */
        post: operations["uploadSarif"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ingest/v1/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the status of your events
         * @description Says what became of the events that were sent with this credential, and of no others: which wait, for example because their organization or repository is unknown, how many messages are dead letters, and how far processing is behind. The response can be two seconds old.
         *
         *     Accepts ingest credentials; every kind of API key gets 401 `UNAUTHORIZED`. It counts in the 50 requests per second of the credential, and works while a share of the tenant root is full.
         */
        get: operations["getIngestStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ingest/v1/events/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get the status of events by ID
         * @description Says which events were stored, so that a sender can keep its events until then and send them again if they were lost with the queue. Only events that were sent with this credential in the last 7 days are known.
         *
         *     Accepts ingest credentials; every kind of API key gets 401 `UNAUTHORIZED`. Rate limit of the credential: 600 requests per 60 seconds.
         */
        post: operations["getEventStatuses"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description The error body of most endpoints. */
        Error: {
            error: {
                /**
                 * @description Stable error code, for programs.
                 * @enum {string}
                 */
                code: "INVALID_REQUEST" | "INVALID_CURSOR" | "ORG_ID_REQUIRED" | "ORG_ID_AMBIGUOUS" | "BATCH_SIZE_EXCEEDED" | "UNAUTHORIZED" | "NO_ACTIVE_SUBSCRIPTION" | "ENTERPRISE_REQUIRED" | "KEY_KIND_NOT_ALLOWED" | "OWNER_NOT_ADMIN" | "PERMISSION_DENIED" | "NOT_ADMIN" | "SELF_HOSTED_ONLY" | "ORGANIZATION_OUT_OF_SCOPE" | "METRICS_UNAVAILABLE" | "REPOSITORY_ACCESS_REQUIRED" | "REAUTHENTICATION_REQUIRED" | "CROSS_SITE_REQUEST" | "NOT_FOUND" | "ORGANIZATION_NOT_FOUND" | "METHOD_NOT_ALLOWED" | "ROLE_IN_USE" | "ROLE_NAME_TAKEN" | "LEARNING_EXISTS" | "PROTECTED_ROLE" | "LAST_ADMIN" | "KEY_IN_USE" | "CONNECTOR_EXISTS" | "IDEMPOTENCY_KEY_REUSED" | "LEGACY_API_KEY" | "RESPONSE_TOO_LARGE" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMIT_EXCEEDED" | "INTERNAL_ERROR" | "METRICS_PREPARING" | "METRICS_TEMPORARILY_UNAVAILABLE" | "OVERLOADED" | "INDEX_FAILED";
                /** @description Explanation for people. The wording can change. */
                message: string;
            };
        };
        /** @description The error body of the endpoints under `/v1/learnings`. */
        Errors: {
            errors: {
                /**
                 * @description Stable error code, for programs.
                 * @enum {string}
                 */
                code: "INVALID_REQUEST" | "INVALID_CURSOR" | "ORG_ID_REQUIRED" | "ORG_ID_AMBIGUOUS" | "BATCH_SIZE_EXCEEDED" | "UNAUTHORIZED" | "NO_ACTIVE_SUBSCRIPTION" | "ENTERPRISE_REQUIRED" | "KEY_KIND_NOT_ALLOWED" | "OWNER_NOT_ADMIN" | "PERMISSION_DENIED" | "NOT_ADMIN" | "SELF_HOSTED_ONLY" | "ORGANIZATION_OUT_OF_SCOPE" | "METRICS_UNAVAILABLE" | "REPOSITORY_ACCESS_REQUIRED" | "REAUTHENTICATION_REQUIRED" | "CROSS_SITE_REQUEST" | "NOT_FOUND" | "ORGANIZATION_NOT_FOUND" | "METHOD_NOT_ALLOWED" | "ROLE_IN_USE" | "ROLE_NAME_TAKEN" | "LEARNING_EXISTS" | "PROTECTED_ROLE" | "LAST_ADMIN" | "KEY_IN_USE" | "CONNECTOR_EXISTS" | "IDEMPOTENCY_KEY_REUSED" | "LEGACY_API_KEY" | "RESPONSE_TOO_LARGE" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMIT_EXCEEDED" | "INTERNAL_ERROR" | "METRICS_PREPARING" | "METRICS_TEMPORARILY_UNAVAILABLE" | "OVERLOADED" | "INDEX_FAILED";
                /** @description Explanation for people. The wording can change. */
                message: string;
            }[];
        };
        /** @description Organizations, repositories, accounts, memberships and repository access as reported by a Git provider. */
        "inventory.changed.v1": {
            /** @description ID of the event, unique in its organization. It counts once for at least 30 days: a second event with the same ID is ignored. */
            id: string;
            /** @constant */
            type: "inventory.changed";
            /** @constant */
            version: 1;
            /**
             * Format: date-time
             * @description Time of the event. A time more than 5 minutes in the future is replaced by the current time.
             */
            occurred_at: string;
            payload: {
                /** @description Organizations with their current values. */
                organizations?: {
                    /** @description Git provider, for example github or gitlab. */
                    provider: string;
                    /** @description Host of the Git provider. Default: the provider’s cloud host. */
                    host?: string;
                    /** @description ID of the organization, assigned by the Git provider. */
                    id: string;
                    /** @description Name of the organization. */
                    name: string;
                    /** @description Default true. If false, it is inactive and not returned. */
                    active?: boolean;
                }[];
                /** @description Repositories with their current values. */
                repositories?: {
                    /** @description The organization, by provider, host and ID. */
                    organization: {
                        /** @description Git provider, for example github or gitlab. */
                        provider: string;
                        /** @description Host of the Git provider. Default: the provider’s cloud host. */
                        host?: string;
                        /** @description ID of the organization, assigned by the Git provider. */
                        id: string;
                    };
                    /** @description ID of the repository, assigned by the Git provider. */
                    id: string;
                    /** @description Name of the repository. */
                    name: string;
                    /** @description Whether the repository is private. Default true. */
                    private?: boolean;
                    /** @description Default true. If false, it is inactive and not returned. */
                    active?: boolean;
                }[];
                /** @description Accounts at the Git provider with their current values. */
                accounts?: {
                    /** @description Git provider, for example github or gitlab. */
                    provider: string;
                    /** @description Host of the Git provider. Default: the provider’s cloud host. */
                    host?: string;
                    /** @description ID of the account, assigned by the Git provider. */
                    id: string;
                    /** @description Username at the Git provider. */
                    username: string;
                    /** @description E-mail address, stored in lower case. Accounts with the same address belong to one person. If the Git provider does not show it, omit it or send null: a new account is then a person of its own, and a stored address stays. */
                    email?: string | null;
                    /** @description Name of the person. */
                    name: string;
                }[];
                /** @description Accounts that joined or left an organization. */
                memberships?: {
                    /** @description The organization, by provider, host and ID. */
                    organization: {
                        /** @description Git provider, for example github or gitlab. */
                        provider: string;
                        /** @description Host of the Git provider. Default: the provider’s cloud host. */
                        host?: string;
                        /** @description ID of the organization, assigned by the Git provider. */
                        id: string;
                    };
                    /** @description ID of the account, assigned by the Git provider of the organization. */
                    account_id: string;
                    /** @description Default true: the account joins. false: it leaves. */
                    active?: boolean;
                }[];
                /** @description Accounts that can read a repository, or no longer can. */
                repository_access?: {
                    /** @description The organization, by provider, host and ID. */
                    organization: {
                        /** @description Git provider, for example github or gitlab. */
                        provider: string;
                        /** @description Host of the Git provider. Default: the provider’s cloud host. */
                        host?: string;
                        /** @description ID of the organization, assigned by the Git provider. */
                        id: string;
                    };
                    /** @description ID of the repository, assigned by the Git provider. */
                    repository_id: string;
                    /** @description ID of the account, assigned by the Git provider of the organization. */
                    account_id: string;
                    /** @description true: the member can read the repository as of `occurred_at`. false: no longer. */
                    granted: boolean;
                }[];
            };
        };
        /** @description A pull request was merged or closed. Carries its metadata and its findings without their text. */
        "pull_request.finalized.v1": {
            /** @description ID of the event, unique in its organization. It counts once for at least 30 days: a second event with the same ID is ignored. */
            id: string;
            /** @constant */
            type: "pull_request.finalized";
            /** @constant */
            version: 1;
            /**
             * Format: date-time
             * @description Time of the event. A time more than 5 minutes in the future is replaced by the current time.
             */
            occurred_at: string;
            payload: {
                organization: {
                    provider: string;
                    /** @description Host of the Git provider. Default: the cloud of the provider. */
                    host?: string;
                    id: string;
                    name?: string | null;
                };
                repository: {
                    id: string;
                    name?: string | null;
                };
                number: number;
                url: string;
                status: "merged" | "closed";
                author?: {
                    id: string;
                    username?: string | null;
                } | null;
                created_at?: string | null;
                ready_for_review_at?: string | null;
                first_human_review_at?: string | null;
                last_commit_at?: string | null;
                merged_at?: string | null;
                closed_at?: string | null;
                review_iterations?: number | null;
                estimated_complexity?: number | null;
                estimated_review_minutes?: number | null;
                /** @description If several findings have the same id, the last one is stored. */
                findings: {
                    id: string;
                    url: string;
                    severity?: string | null;
                    category?: string | null;
                    reviewer?: string | null;
                    file?: string | null;
                    start_line?: number | null;
                    end_line?: number | null;
                    commit?: string | null;
                    posted_at?: string | null;
                    posted_as?: string | null;
                    raw_severity?: string | null;
                    bot_key?: string | null;
                    parser?: string | null;
                    sketch?: number[] | null;
                }[];
                reviewers?: string[] | null;
            };
        };
        /** @description The outcome of a finding at the time of the event: accepted, not accepted or unknown. It may arrive before its pull request. */
        "finding.outcome.v1": {
            /** @description ID of the event, unique in its organization. It counts once for at least 30 days: a second event with the same ID is ignored. */
            id: string;
            /** @constant */
            type: "finding.outcome";
            /** @constant */
            version: 1;
            /**
             * Format: date-time
             * @description Time of the event. A time more than 5 minutes in the future is replaced by the current time.
             */
            occurred_at: string;
            payload: {
                organization: {
                    provider: string;
                    /** @description Host of the Git provider. Default: the cloud of the provider. */
                    host?: string;
                    id: string;
                };
                repository: {
                    id: string;
                };
                number: number;
                finding_id: string;
                accepted: boolean | null;
                /** @description A person counts before the provider, the provider before a detector; of one source the latest event counts. With `accepted: null` a source withdraws what it said before. */
                source: "detector" | "person" | "provider";
                rule?: string | null;
                evidence?: {
                    kind: string;
                    at?: string | null;
                }[] | null;
            };
        };
        /** @description A review of a pull request called tools of MCP servers. It may arrive before its pull request. */
        "mcp.used.v1": {
            /** @description ID of the event, unique in its organization. It counts once for at least 30 days: a second event with the same ID is ignored. */
            id: string;
            /** @constant */
            type: "mcp.used";
            /** @constant */
            version: 1;
            /**
             * Format: date-time
             * @description Time of the event. A time more than 5 minutes in the future is replaced by the current time.
             */
            occurred_at: string;
            payload: {
                organization: {
                    provider: string;
                    /** @description Host of the Git provider. Default: the cloud of the provider. */
                    host?: string;
                    id: string;
                };
                repository: {
                    id: string;
                };
                number: number;
                /** @description If a tool is listed several times, its calls are summed. */
                servers: {
                    /** @description Credentials are redacted before it is stored. */
                    name: string;
                    tools: {
                        /** @description Credentials are redacted before it is stored. */
                        name: string;
                        /**
                         * @description Calls since the previous event.
                         * @default 1
                         */
                        calls: number;
                        /**
                         * @description Number of calls that failed.
                         * @default 0
                         */
                        errors: number;
                    }[];
                }[];
            };
        };
        /** @description A Learning was proposed in a chat or a review, by an agent or by a connector. */
        "learning.proposed.v1": {
            /** @description ID of the event, unique in its organization. It counts once for at least 30 days: a second event with the same ID is ignored. */
            id: string;
            /** @constant */
            type: "learning.proposed";
            /** @constant */
            version: 1;
            /**
             * Format: date-time
             * @description Time of the event. A time more than 5 minutes in the future is replaced by the current time.
             */
            occurred_at: string;
            payload: {
                organization: {
                    provider: string;
                    /** @description Host of the Git provider. Default: the cloud of the provider. */
                    host?: string;
                    id: string;
                };
                repository_id: string;
                /** @description 1 to 10000 code points after trimming. Recognized credentials are redacted before the text is stored. */
                learning: string;
                file?: string | null;
                source_url?: string | null;
                author?: {
                    id: string;
                    username?: string | null;
                } | null;
                /** @description A proposal from an agent or a connector is pending until a person approves it. */
                source: "chat" | "review" | "agent" | "connector";
                pull_request?: {
                    number: number;
                } | null;
            };
        };
        /** @description A pull request was merged or closed. Learnings proposed from it are shared on merge and deleted on close. */
        "pull_request.closed.v1": {
            /** @description ID of the event, unique in its organization. It counts once for at least 30 days: a second event with the same ID is ignored. */
            id: string;
            /** @constant */
            type: "pull_request.closed";
            /** @constant */
            version: 1;
            /**
             * Format: date-time
             * @description Time of the event. A time more than 5 minutes in the future is replaced by the current time.
             */
            occurred_at: string;
            payload: {
                organization: {
                    provider: string;
                    /** @description Host of the Git provider. Default: the cloud of the provider. */
                    host?: string;
                    id: string;
                };
                repository_id: string;
                number: number;
                merged: boolean;
                closed_at?: string | null;
            };
        };
        /** @description A review used Learnings. */
        "learning.used.v1": {
            /** @description ID of the event, unique in its organization. It counts once for at least 30 days: a second event with the same ID is ignored. */
            id: string;
            /** @constant */
            type: "learning.used";
            /** @constant */
            version: 1;
            /**
             * Format: date-time
             * @description Time of the event. A time more than 5 minutes in the future is replaced by the current time.
             */
            occurred_at: string;
            payload: {
                organization: {
                    provider: string;
                    /** @description Host of the Git provider. Default: the cloud of the provider. */
                    host?: string;
                    id: string;
                };
                /** @description Each id counts once. Unknown ids are ignored. */
                learning_ids: string[];
                used_at?: string | null;
            };
        };
        /** @description A developer tagged the reviewer and thereby requests a seat. */
        "reviewer.tagged.v1": {
            /** @description ID of the event, unique in its organization. It counts once for at least 30 days: a second event with the same ID is ignored. */
            id: string;
            /** @constant */
            type: "reviewer.tagged";
            /** @constant */
            version: 1;
            /**
             * Format: date-time
             * @description Time of the event. A time more than 5 minutes in the future is replaced by the current time.
             */
            occurred_at: string;
            payload: {
                organization: {
                    /** @description Kind of Git provider, for example github or gitlab. */
                    provider: string;
                    /** @description Host of the Git provider. Default: the cloud host of the provider. */
                    host?: string;
                    /** @description ID of the organization, assigned by the Git provider. */
                    id: string;
                };
                author: {
                    /** @description ID of the account that tagged the reviewer, assigned by the Git provider. */
                    id: string;
                };
            };
        };
        /** @description A tool scanned a repository or a part of it and reports its findings. */
        "security_scan.completed.v1": {
            /** @description ID of the event, unique in its organization. It counts once for at least 30 days: a second event with the same ID is ignored. */
            id: string;
            /** @constant */
            type: "security_scan.completed";
            /** @constant */
            version: 1;
            /**
             * Format: date-time
             * @description Time of the event. A time more than 5 minutes in the future is replaced by the current time.
             */
            occurred_at: string;
            payload: {
                organization: {
                    provider: string;
                    /** @description Host of the Git provider. Default: the cloud of the provider. */
                    host?: string;
                    id: string;
                };
                repository: {
                    id: string;
                    name?: string | null;
                };
                /** @description ID of the scan, unique per repository and tool. */
                scan_id: string;
                tool: string;
                category?: string | null;
                branch?: string | null;
                commit?: string | null;
                /** @description true: the scan covers everything, so that missing findings are fixed on this branch. false: the scan is partial. */
                complete: boolean;
                scanned_at?: string | null;
                /** @description Findings of the scan. Send larger scans as SARIF files to /ingest/v1/sarif. */
                findings: {
                    rule_id: string;
                    severity: "critical" | "high" | "medium" | "low" | "info";
                    cwe?: string | null;
                    title: string;
                    description?: string | null;
                    file_path?: string | null;
                    start_line?: number | null;
                    end_line?: number | null;
                    snippet?: string | null;
                    context?: string | null;
                    fingerprint?: string | null;
                    suppressed?: {
                        reason?: "false_positive" | "wont_fix" | "used_in_tests" | "other";
                        comment?: string | null;
                    } | null;
                }[];
            };
        };
        /** @description A finding was dismissed or reopened. */
        "security_finding.dismissed.v1": {
            /** @description ID of the event, unique in its organization. It counts once for at least 30 days: a second event with the same ID is ignored. */
            id: string;
            /** @constant */
            type: "security_finding.dismissed";
            /** @constant */
            version: 1;
            /**
             * Format: date-time
             * @description Time of the event. A time more than 5 minutes in the future is replaced by the current time.
             */
            occurred_at: string;
            payload: {
                organization: {
                    provider: string;
                    /** @description Host of the Git provider. Default: the cloud of the provider. */
                    host?: string;
                    id: string;
                };
                /** Format: uuid */
                finding_id: string;
                /**
                 * @description false reopens the finding.
                 * @default true
                 */
                dismissed: boolean;
                reason?: "false_positive" | "wont_fix" | "used_in_tests" | "other";
                comment?: string | null;
                by?: {
                    id: string;
                    username?: string | null;
                } | null;
            };
        };
    };
    responses: never;
    parameters: {
        /** @description For 24 hours, the same request with the same key returns the first response and changes nothing again. Keys belong to the selected or bound organization. */
        IdempotencyKey: string;
    };
    requestBodies: never;
    headers: {
        /** @description The id of the request in the logs: the one that the caller sent, or a new one. */
        "x-request-id": string;
        /** @description The rate limit: its name, the quota `q` and the length `w` of the window in seconds. Absent if the request was refused before it was counted. */
        "RateLimit-Policy": string;
        /** @description The remaining quota: `r` requests now, and more after `t` seconds. */
        RateLimit: string;
        /** @description Seconds to wait before retrying the request. */
        "Retry-After": number;
        /** @description The cursor of the next page of a CSV response. Absent on the last page. */
        "x-next-cursor": string;
        /** @description Only in a CSV response: the name of the file. */
        "content-disposition": string;
        /** @description Only in the CSV response to a search: what `ranked_by` of a JSON response says. */
        "x-ranked-by": "meaning" | "words";
        /** @description Present if the response is a stored one. */
        "Idempotency-Replayed": "true";
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listOrganizations: {
        parameters: {
            query?: {
                /** @description Entries per page. Default 100. Pages read with a cursor use the limit of the first page. */
                limit?: number;
                /** @description next_cursor of the previous page, unchanged. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of organizations. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        organizations: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                            /** @description Kind of Git provider, for example github or gitlab. */
                            provider: string;
                            /** @description ID assigned by the Git provider. Other endpoints call it org_id. */
                            provider_organization_id: string;
                        }[];
                        /** @description null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `INVALID_CURSOR` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ENTERPRISE_REQUIRED`, `KEY_KIND_NOT_ALLOWED`, `OWNER_NOT_ADMIN`, `PERMISSION_DENIED` */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `LEGACY_API_KEY` */
            410: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED` */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `OVERLOADED` */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listRepositories: {
        parameters: {
            query?: {
                /** @description Entries per page. Default 100. Pages read with a cursor use the limit of the first page. */
                limit?: number;
                /** @description next_cursor of the previous page, unchanged. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description UUID of the organization in this service: `id` of GET /v1/organizations, not the ID assigned by the Git provider. */
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of repositories. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        repositories: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                            provider: string;
                            /** @description ID assigned by the Git provider. Other endpoints call it repository_id. */
                            provider_repository_id: string;
                            private: boolean;
                        }[];
                        /** @description null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `INVALID_CURSOR` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ENTERPRISE_REQUIRED`, `KEY_KIND_NOT_ALLOWED`, `OWNER_NOT_ADMIN`, `PERMISSION_DENIED` */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ORGANIZATION_NOT_FOUND` */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `LEGACY_API_KEY` */
            410: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED` */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `OVERLOADED` */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listReviews: {
        parameters: {
            query: {
                /** @description Workspace tokens only: ID of one organization, assigned by the Git provider. Ignored for other keys. */
                org_id?: string;
                /** @description First merge or close day, UTC, inclusive. */
                start_date: string;
                /** @description Last merge or close day, UTC, inclusive. */
                end_date: string;
                /** @description Repository IDs assigned by the Git provider, comma-separated, at most 10. */
                repository_ids?: string[];
                /** @description IDs of pull request authors assigned by the Git provider, comma-separated, at most 10. */
                user_ids?: string[];
                /** @description Self-hosted instance keys only: organization IDs assigned by the Git provider, comma-separated, at most 10. */
                organization_ids?: string[];
                /** @description Returns pull requests with this status. */
                status?: "merged" | "closed" | "all";
                /** @description Pull requests per page. */
                limit?: number;
                /** @description `next_cursor` of the previous page, unchanged. */
                cursor?: string;
                /** @description `csv` returns a table; its next cursor is in the `x-next-cursor` header. */
                format?: "json" | "csv";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of pull requests. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "x-next-cursor": components["headers"]["x-next-cursor"];
                    "content-disposition": components["headers"]["content-disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /**
                             * Format: date
                             * @description The day that windows use, UTC.
                             */
                            counted_on: string;
                            pr_url: string;
                            /** @description ID assigned by the Git provider. */
                            author_id: string | null;
                            author_username: string | null;
                            /** @description ID assigned by the Git provider. */
                            organization_id: string;
                            /** @description Name at the time of the write. */
                            organization_name: string;
                            /** @description ID assigned by the Git provider. */
                            repository_id: string;
                            repository_name: string | null;
                            /** @enum {string} */
                            status: "merged" | "closed";
                            created_at: string | null;
                            ready_for_review_at: string | null;
                            first_human_review_at: string | null;
                            last_commit_at: string | null;
                            merged_at: string | null;
                            closed_at: string | null;
                            review_iterations: number | null;
                            estimated_complexity: number | null;
                            estimated_review_minutes: number | null;
                            /** @description Counts of findings. A finding of unknown severity or category is counted only in the total. */
                            coderabbit_comments: {
                                total: {
                                    posted: number;
                                    /** @description Findings known to be accepted. */
                                    accepted: number;
                                };
                                severity: {
                                    critical: {
                                        posted: number;
                                        /** @description Findings known to be accepted. */
                                        accepted: number;
                                    };
                                    major: {
                                        posted: number;
                                        /** @description Findings known to be accepted. */
                                        accepted: number;
                                    };
                                    minor: {
                                        posted: number;
                                        /** @description Findings known to be accepted. */
                                        accepted: number;
                                    };
                                    trivial: {
                                        posted: number;
                                        /** @description Findings known to be accepted. */
                                        accepted: number;
                                    };
                                    info: {
                                        posted: number;
                                        /** @description Findings known to be accepted. */
                                        accepted: number;
                                    };
                                };
                                category: {
                                    data_integrity_and_integration: {
                                        posted: number;
                                        /** @description Findings known to be accepted. */
                                        accepted: number;
                                    };
                                    functional_correctness: {
                                        posted: number;
                                        /** @description Findings known to be accepted. */
                                        accepted: number;
                                    };
                                    maintainability_and_code_quality: {
                                        posted: number;
                                        /** @description Findings known to be accepted. */
                                        accepted: number;
                                    };
                                    performance_and_scalability: {
                                        posted: number;
                                        /** @description Findings known to be accepted. */
                                        accepted: number;
                                    };
                                    security_and_privacy: {
                                        posted: number;
                                        /** @description Findings known to be accepted. */
                                        accepted: number;
                                    };
                                    stability_and_availability: {
                                        posted: number;
                                        /** @description Findings known to be accepted. */
                                        accepted: number;
                                    };
                                };
                            };
                        }[];
                        /** @description null when no pull requests remain. */
                        next_cursor: string | null;
                    };
                    "text/csv": string;
                };
            };
            /** @description `INVALID_REQUEST`, `INVALID_CURSOR`, `ORG_ID_AMBIGUOUS` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ENTERPRISE_REQUIRED`, `KEY_KIND_NOT_ALLOWED`, `OWNER_NOT_ADMIN`, `PERMISSION_DENIED`, `ORGANIZATION_OUT_OF_SCOPE`, `METRICS_UNAVAILABLE` */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ORGANIZATION_NOT_FOUND` */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RESPONSE_TOO_LARGE` */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED` */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METRICS_PREPARING`, `METRICS_TEMPORARILY_UNAVAILABLE`, `OVERLOADED` */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listReviewComments: {
        parameters: {
            query: {
                /** @description Workspace tokens only: ID of one organization, assigned by the Git provider. Ignored for other keys. */
                org_id?: string;
                /** @description First merge day, UTC, inclusive. */
                start_date: string;
                /** @description Last merge day, UTC, inclusive. */
                end_date: string;
                /** @description Repository IDs assigned by the Git provider, comma-separated, at most 10. */
                repository_ids?: string[];
                /** @description IDs of pull request authors assigned by the Git provider, comma-separated, at most 10. */
                user_ids?: string[];
                /** @description Self-hosted instance keys only: organization IDs assigned by the Git provider, comma-separated, at most 10. */
                organization_ids?: string[];
                /** @description Pull requests per page. Up to 100,000 with `Accept: application/x-ndjson`. */
                limit?: number;
                /** @description `next_cursor` of the previous page, unchanged. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of pull requests. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            pr_url: string;
                            /** @description ID assigned by the Git provider. */
                            organization_id: string;
                            /** @description ID assigned by the Git provider. */
                            repository_id: string;
                            /** @description ID assigned by the Git provider. */
                            author_id: string | null;
                            merged_at: string | null;
                            coderabbit_comments: {
                                /** @description URL of the posted comment. Several findings may share one comment. */
                                url: string;
                                /**
                                 * @description null when absent or unknown.
                                 * @enum {string|null}
                                 */
                                severity: "critical" | "major" | "minor" | "trivial" | "info" | null;
                                /**
                                 * @description Subject of the finding; null when absent or unknown.
                                 * @enum {string|null}
                                 */
                                category: "data_integrity_and_integration" | "functional_correctness" | "maintainability_and_code_quality" | "performance_and_scalability" | "security_and_privacy" | "stability_and_availability" | null;
                                /** @description Stored outcome: false does not prove rejection, null is unknown. It can change later. */
                                accepted: boolean | null;
                            }[];
                        }[];
                        /** @description null when no pull requests remain. */
                        next_cursor: string | null;
                    };
                    "application/x-ndjson": string;
                };
            };
            /** @description `INVALID_REQUEST`, `INVALID_CURSOR`, `ORG_ID_AMBIGUOUS` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ENTERPRISE_REQUIRED`, `KEY_KIND_NOT_ALLOWED`, `OWNER_NOT_ADMIN`, `PERMISSION_DENIED`, `ORGANIZATION_OUT_OF_SCOPE`, `METRICS_UNAVAILABLE` */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ORGANIZATION_NOT_FOUND` */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RESPONSE_TOO_LARGE` */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED` */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METRICS_PREPARING`, `METRICS_TEMPORARILY_UNAVAILABLE`, `OVERLOADED` */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listReviewCommentChanges: {
        parameters: {
            query?: {
                /** @description Workspace tokens only: ID of one organization, assigned by the Git provider. Ignored for other keys. */
                org_id?: string;
                /** @description Returns only `written` records that count on this day (`counted_on`) or later; the other kinds are not filtered. Ignore records of keys that you do not have. */
                counted_from?: string;
                /** @description Changes per page. Up to 100,000 with `Accept: application/x-ndjson`. */
                limit?: number;
                /** @description `next_cursor` of the previous page, unchanged. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of changes. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @description Identifies the pull request in your tenant, also after its repository is transferred or its URL changes. Key your copy by it: two organizations may send one URL. null only on `removed` records that are older than this field. */
                            pull_request_key: string | null;
                            /** @description Increases with every change of a tenant. Gaps have no meaning. */
                            position: number;
                            /**
                             * @description `written`: a pull request was written or rewritten. `outcome`: the outcome of a finding changed. `removed`: the pull request is no longer an entry, or moves to another organization, URL or day; a `written` record follows if it moves.
                             * @enum {string}
                             */
                            kind: "written" | "outcome" | "removed";
                            pr_url: string;
                            /** @description ID assigned by the Git provider. */
                            organization_id: string;
                            /** @description With `written`: name at the time of the write. */
                            organization_name?: string;
                            /** @description ID assigned by the Git provider. */
                            repository_id: string;
                            /** @description With `written`: name at the time of the write. */
                            repository_name?: string | null;
                            /** @description With `written`: number of the pull request. */
                            number?: number;
                            author_id?: string | null;
                            merged_at?: string | null;
                            /**
                             * Format: date
                             * @description With `written`: the day that windows and the summary use, UTC.
                             */
                            counted_on?: string;
                            /** @description With `written`: the current findings of the pull request. */
                            findings?: {
                                finding_id: string;
                                /** @description URL of the posted comment. Several findings may share one comment. */
                                url: string;
                                /**
                                 * @description null when absent or unknown.
                                 * @enum {string|null}
                                 */
                                severity: "critical" | "major" | "minor" | "trivial" | "info" | null;
                                /**
                                 * @description Subject of the finding; null when absent or unknown.
                                 * @enum {string|null}
                                 */
                                category: "data_integrity_and_integration" | "functional_correctness" | "maintainability_and_code_quality" | "performance_and_scalability" | "security_and_privacy" | "stability_and_availability" | null;
                                /** @description Stored outcome: false does not prove rejection, null is unknown. It can change later. */
                                accepted: boolean | null;
                                reviewer: string | null;
                            }[];
                            /** @description With `outcome`. */
                            finding_id?: string;
                            /** @description With `outcome`: the new outcome. */
                            accepted?: boolean | null;
                            /**
                             * @description With `removed`: the pull request is older than the operator stores metrics. Absent when an event removed it.
                             * @enum {string}
                             */
                            reason?: "expired";
                            /** Format: date-time */
                            at: string;
                        }[];
                        /** @description Always returned. Store it and send it with the next request. */
                        next_cursor: string;
                        has_more: boolean;
                    };
                    "application/x-ndjson": string;
                };
            };
            /** @description `INVALID_REQUEST`, `INVALID_CURSOR`, `ORG_ID_AMBIGUOUS` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ENTERPRISE_REQUIRED`, `KEY_KIND_NOT_ALLOWED`, `OWNER_NOT_ADMIN`, `PERMISSION_DENIED`, `ORGANIZATION_OUT_OF_SCOPE`, `METRICS_UNAVAILABLE` */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ORGANIZATION_NOT_FOUND` */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RESPONSE_TOO_LARGE` */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED` */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METRICS_PREPARING`, `METRICS_TEMPORARILY_UNAVAILABLE`, `OVERLOADED` */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listMcpUsage: {
        parameters: {
            query: {
                /** @description Workspace tokens only: ID of one organization, assigned by the Git provider. Ignored for other keys. */
                org_id?: string;
                /** @description First merge day, UTC, inclusive. */
                start_date: string;
                /** @description Last merge day, UTC, inclusive. */
                end_date: string;
                /** @description Repository IDs assigned by the Git provider, comma-separated, at most 10. */
                repository_ids?: string[];
                /** @description IDs of pull request authors assigned by the Git provider, comma-separated, at most 10. */
                user_ids?: string[];
                /** @description Self-hosted instance keys only: organization IDs assigned by the Git provider, comma-separated, at most 10. */
                organization_ids?: string[];
                /** @description Pull requests per page. */
                limit?: number;
                /** @description `next_cursor` of the previous page, unchanged. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of pull requests. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            pr_url: string;
                            /** @description ID assigned by the Git provider. */
                            organization_id: string;
                            /** @description ID assigned by the Git provider. */
                            repository_id: string;
                            /** @description ID assigned by the Git provider. */
                            author_id: string | null;
                            merged_at: string | null;
                            /** @description Sorted by name. */
                            servers: {
                                name: string;
                                /** @description Calls of all its tools. */
                                calls: number;
                                /** @description Sorted by name. */
                                tools: {
                                    name: string;
                                    calls: number;
                                    /** @description Number of calls that failed. */
                                    errors: number;
                                }[];
                            }[];
                            /**
                             * @description Every received event is counted once. Usage that was not reported is missing.
                             * @constant
                             */
                            completeness: "best_effort";
                        }[];
                        /** @description null when no pull requests remain. */
                        next_cursor: string | null;
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `INVALID_CURSOR`, `ORG_ID_AMBIGUOUS` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ENTERPRISE_REQUIRED`, `KEY_KIND_NOT_ALLOWED`, `OWNER_NOT_ADMIN`, `PERMISSION_DENIED`, `ORGANIZATION_OUT_OF_SCOPE`, `METRICS_UNAVAILABLE` */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ORGANIZATION_NOT_FOUND` */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RESPONSE_TOO_LARGE` */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED` */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METRICS_PREPARING`, `METRICS_TEMPORARILY_UNAVAILABLE`, `OVERLOADED` */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    summarizeFindings: {
        parameters: {
            query: {
                /** @description Workspace tokens only: ID of one organization, assigned by the Git provider. Ignored for other keys. */
                org_id?: string;
                /** @description First merge day, UTC, inclusive. */
                start_date: string;
                /** @description Last merge day, UTC, inclusive. */
                end_date: string;
                /** @description Repository IDs assigned by the Git provider, comma-separated, at most 10. */
                repository_ids?: string[];
                /** @description IDs of pull request authors assigned by the Git provider, comma-separated, at most 10. */
                user_ids?: string[];
                /** @description Self-hosted instance keys only: organization IDs assigned by the Git provider, comma-separated, at most 10. */
                organization_ids?: string[];
                /** @description Keys to group findings by, comma-separated: any of week, organization, repository, author, reviewer, severity, category. Without it the response has one total. */
                group_by?: ("week" | "organization" | "repository" | "author" | "reviewer" | "severity" | "category")[];
                /** @description `csv` returns a table with one line per group. */
                format?: "json" | "csv";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All groups with findings; one total without `group_by`. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @description The keys of `group_by`, in this order. Groups without findings are not returned. */
                            group: {
                                /**
                                 * Format: date
                                 * @description Monday of the week. Only days within the window are counted.
                                 */
                                week?: string;
                                /** @description ID assigned by the Git provider. */
                                organization?: string | null;
                                /** @description ID assigned by the Git provider. */
                                repository?: string | null;
                                /** @description ID assigned by the Git provider; null when the author is unknown. */
                                author?: string | null;
                                /** @description Reviewer that made the finding; null when unknown. */
                                reviewer?: string | null;
                                /**
                                 * @description null when absent or unknown.
                                 * @enum {string|null}
                                 */
                                severity?: "critical" | "major" | "minor" | "trivial" | "info" | null;
                                /**
                                 * @description null when absent or unknown.
                                 * @enum {string|null}
                                 */
                                category?: "data_integrity_and_integration" | "functional_correctness" | "maintainability_and_code_quality" | "performance_and_scalability" | "security_and_privacy" | "stability_and_availability" | null;
                                /** @description With `repository`: its current name; null when the inventory does not have it, or two Git providers use the ID. It does not affect grouping. */
                                repository_name?: string | null;
                                /** @description With `author`: the current username; null when the inventory does not have it, or two Git providers use the ID. It does not affect grouping. */
                                author_username?: string | null;
                            };
                            /** @description Findings of merged pull requests. */
                            posted: number;
                            /** @description Findings known to be accepted. */
                            accepted: number;
                            /** @description Findings known not to be accepted. */
                            not_accepted: number;
                            /** @description Findings without a known outcome. */
                            unknown: number;
                            /** @description accepted ÷ (accepted + not_accepted); null when no outcome is known. */
                            rate: number | null;
                            /** @description accepted ÷ posted: the rate if no unknown finding was accepted. */
                            rate_low: number | null;
                            /** @description (accepted + unknown) ÷ posted: the rate if all unknown findings were accepted. */
                            rate_high: number | null;
                            /** @description Lower bound of the 95% Wilson interval of `rate`. */
                            interval_low: number | null;
                            /** @description Upper bound of the 95% Wilson interval of `rate`. */
                            interval_high: number | null;
                        }[];
                        /** @description ID of the definition of these figures in the metric dictionary (docs/metrics.md). */
                        definition_id: string;
                    };
                    "text/csv": string;
                };
            };
            /** @description `INVALID_REQUEST`, `ORG_ID_AMBIGUOUS` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ENTERPRISE_REQUIRED`, `KEY_KIND_NOT_ALLOWED`, `OWNER_NOT_ADMIN`, `PERMISSION_DENIED`, `ORGANIZATION_OUT_OF_SCOPE`, `METRICS_UNAVAILABLE` */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ORGANIZATION_NOT_FOUND` */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RESPONSE_TOO_LARGE` */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED` */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METRICS_PREPARING`, `METRICS_TEMPORARILY_UNAVAILABLE`, `OVERLOADED` */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    summarizeReviews: {
        parameters: {
            query: {
                /** @description Workspace tokens only: ID of one organization, assigned by the Git provider. Ignored for other keys. */
                org_id?: string;
                /** @description First merge or close day, UTC, inclusive. */
                start_date: string;
                /** @description Last merge or close day, UTC, inclusive. */
                end_date: string;
                /** @description Repository IDs assigned by the Git provider, comma-separated, at most 10. */
                repository_ids?: string[];
                /** @description IDs of pull request authors assigned by the Git provider, comma-separated, at most 10. */
                user_ids?: string[];
                /** @description Self-hosted instance keys only: organization IDs assigned by the Git provider, comma-separated, at most 10. */
                organization_ids?: string[];
                /** @description Returns pull requests with this status. */
                status?: "merged" | "closed" | "all";
                /** @description Keys to group pull requests by, comma-separated: any of week, repository. Without it the response has one total. */
                group_by?: ("week" | "repository")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All groups with pull requests; one total without `group_by`. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @description The keys of `group_by`, in this order. Groups without pull requests are not returned. */
                            group: {
                                /**
                                 * Format: date
                                 * @description Monday of the week. Only days within the window are counted.
                                 */
                                week?: string;
                                /** @description ID assigned by the Git provider. */
                                repository?: string;
                                /** @description With `repository`: its current name; null when the inventory does not have it, or two Git providers use the ID. It does not affect grouping. */
                                repository_name?: string | null;
                            };
                            /** @description Pull requests of the group. */
                            pull_requests: number;
                            /** @description Those of them that were merged. */
                            merged: number;
                            /** @description Those of them that were closed without a merge. */
                            closed: number;
                            /** @description Median time from ready for review, or else from creation, to the first review by a person; null when none is known. */
                            median_minutes_to_first_human_review: number | null;
                            /** @description Median time from ready for review, or else from creation, to the merge; null when none is known. */
                            median_minutes_to_merge: number | null;
                            /** @description 90th percentile of the same times. */
                            p90_minutes_to_merge: number | null;
                            /** @description Mean of `review_iterations`; null when none is known. */
                            mean_review_iterations: number | null;
                        }[];
                        /** @description ID of the definition of these figures in the metric dictionary (docs/metrics.md). */
                        definition_id: string;
                        /** @description Always false: every figure is exact. */
                        approximate: boolean;
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `ORG_ID_AMBIGUOUS` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ENTERPRISE_REQUIRED`, `KEY_KIND_NOT_ALLOWED`, `OWNER_NOT_ADMIN`, `PERMISSION_DENIED`, `ORGANIZATION_OUT_OF_SCOPE`, `METRICS_UNAVAILABLE` */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ORGANIZATION_NOT_FOUND` */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RESPONSE_TOO_LARGE` */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED` */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METRICS_PREPARING`, `METRICS_TEMPORARILY_UNAVAILABLE`, `OVERLOADED` */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    summarizeMcpUsage: {
        parameters: {
            query: {
                /** @description Workspace tokens only: ID of one organization, assigned by the Git provider. Ignored for other keys. */
                org_id?: string;
                /** @description First merge day, UTC, inclusive. */
                start_date: string;
                /** @description Last merge day, UTC, inclusive. */
                end_date: string;
                /** @description Repository IDs assigned by the Git provider, comma-separated, at most 10. */
                repository_ids?: string[];
                /** @description IDs of pull request authors assigned by the Git provider, comma-separated, at most 10. */
                user_ids?: string[];
                /** @description Self-hosted instance keys only: organization IDs assigned by the Git provider, comma-separated, at most 10. */
                organization_ids?: string[];
                /** @description Keys to group calls by, comma-separated: any of week, server, tool. Without it the response has one total. */
                group_by?: ("week" | "server" | "tool")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All groups with calls; one total without `group_by`. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @description The keys of `group_by`, in this order. Groups without calls are not returned. */
                            group: {
                                /**
                                 * Format: date
                                 * @description Monday of the week. Only days within the window are counted.
                                 */
                                week?: string;
                                /** @description Name of the MCP server. */
                                server?: string;
                                /** @description Name of the tool. Without `server`, tools of the same name are one group. */
                                tool?: string;
                            };
                            /** @description Pull requests with calls of the group. One that is in several groups counts in each. */
                            pull_requests: number;
                            /** @description Calls of tools. */
                            calls: number;
                            /** @description Number of calls that failed. */
                            errors: number;
                        }[];
                        /**
                         * @description Every received event is counted once. Usage that was not reported is missing.
                         * @constant
                         */
                        completeness: "best_effort";
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `ORG_ID_AMBIGUOUS` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ENTERPRISE_REQUIRED`, `KEY_KIND_NOT_ALLOWED`, `OWNER_NOT_ADMIN`, `PERMISSION_DENIED`, `ORGANIZATION_OUT_OF_SCOPE`, `METRICS_UNAVAILABLE` */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ORGANIZATION_NOT_FOUND` */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RESPONSE_TOO_LARGE` */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED` */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METRICS_PREPARING`, `METRICS_TEMPORARILY_UNAVAILABLE`, `OVERLOADED` */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listFindings: {
        parameters: {
            query: {
                /** @description Workspace tokens only: ID of one organization, assigned by the Git provider. Ignored for other keys. */
                org_id?: string;
                /** @description First merge day, UTC, inclusive. */
                start_date: string;
                /** @description Last merge day, UTC, inclusive. */
                end_date: string;
                /** @description Repository IDs assigned by the Git provider, comma-separated, at most 10. */
                repository_ids?: string[];
                /** @description IDs of pull request authors assigned by the Git provider, comma-separated, at most 10. */
                user_ids?: string[];
                /** @description Self-hosted instance keys only: organization IDs assigned by the Git provider, comma-separated, at most 10. */
                organization_ids?: string[];
                /** @description Only findings of this reviewer. */
                reviewer?: string;
                /** @description Only findings with this outcome. */
                outcome?: "accepted" | "not_accepted" | "unknown";
                /** @description Findings per page. */
                limit?: number;
                /** @description `next_cursor` of the previous page, unchanged. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of findings. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /**
                             * Format: uuid
                             * @description Identifies the finding in your tenant. `PUT /v1/metrics/findings/{id}/outcome` takes it.
                             */
                            id: string;
                            /** @description ID that the sender gave; unique in the pull request. */
                            finding_id: string;
                            /** Format: uuid */
                            pull_request_key: string;
                            /**
                             * Format: date
                             * @description Day that windows and the summary use, UTC.
                             */
                            counted_on: string;
                            pr_url: string;
                            /** @description ID assigned by the Git provider. */
                            organization_id: string;
                            /** @description ID assigned by the Git provider. */
                            repository_id: string;
                            /** @description Reviewer that made the finding; null when unknown. */
                            reviewer: string | null;
                            /**
                             * @description null when absent or unknown.
                             * @enum {string|null}
                             */
                            severity: "critical" | "major" | "minor" | "trivial" | "info" | null;
                            /**
                             * @description null when absent or unknown.
                             * @enum {string|null}
                             */
                            category: "data_integrity_and_integration" | "functional_correctness" | "maintainability_and_code_quality" | "performance_and_scalability" | "security_and_privacy" | "stability_and_availability" | null;
                            /** @description null is unknown. */
                            accepted: boolean | null;
                            /**
                             * @description Who decided the outcome. null when nobody did, or when it was decided before sources were returned.
                             * @enum {string|null}
                             */
                            source: "person" | "provider" | "detector" | null;
                            /** @description Rule that decided the outcome. */
                            rule: string | null;
                            /** @description What the outcome was decided on. */
                            evidence: {
                                kind: string;
                                /** @description null when the time is unknown. */
                                at: string | null;
                            }[];
                            /** @description Path in the repository, with secrets redacted. */
                            file: string | null;
                            /** @description First line of the finding. */
                            start_line: number | null;
                            /** @description Last line of the finding. */
                            end_line: number | null;
                            /** @description When the reviewer posted the finding. */
                            posted_at: string | null;
                            /** @description Several findings may share one comment. */
                            comment_url: string;
                            /**
                             * @description Where the reviewer posted the finding.
                             * @enum {string|null}
                             */
                            posted_as: "inline" | "body" | "suppressed" | "annotation" | null;
                        }[];
                        /** @description null when no findings remain. A page can have fewer findings than `limit`, even none, before that. */
                        next_cursor: string | null;
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `INVALID_CURSOR`, `ORG_ID_AMBIGUOUS` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ENTERPRISE_REQUIRED`, `KEY_KIND_NOT_ALLOWED`, `OWNER_NOT_ADMIN`, `PERMISSION_DENIED`, `ORGANIZATION_OUT_OF_SCOPE`, `METRICS_UNAVAILABLE` */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ORGANIZATION_NOT_FOUND` */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `LEGACY_API_KEY` */
            410: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RESPONSE_TOO_LARGE` */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED` */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METRICS_PREPARING`, `METRICS_TEMPORARILY_UNAVAILABLE`, `OVERLOADED` */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    setFindingOutcome: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key returns the first response and changes nothing again. Keys belong to the selected or bound organization. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description `id` of `GET /v1/metrics/findings`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Ignored: a user key acts on its own organization. */
                    org_id?: string;
                    /** @description Whether the finding was accepted. null withdraws what a person said before. */
                    accepted: boolean | null;
                };
            };
        };
        responses: {
            /** @description The outcome is recorded. */
            202: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        finding_id: string;
                        /** Format: uuid */
                        pull_request_key: string;
                        /** @description As sent. null: withdrawn. */
                        accepted: boolean | null;
                        /** @constant */
                        source: "person";
                    };
                };
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ENTERPRISE_REQUIRED`, `KEY_KIND_NOT_ALLOWED`, `PERMISSION_DENIED`, `METRICS_UNAVAILABLE`, `CROSS_SITE_REQUEST` */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND`, `ORGANIZATION_NOT_FOUND` */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INVALID_REQUEST`: the body arrives too slowly. Send it again. */
            408: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `IDEMPOTENCY_KEY_REUSED` */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `LEGACY_API_KEY` */
            410: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RESPONSE_TOO_LARGE`, `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED` */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METRICS_PREPARING`, `METRICS_TEMPORARILY_UNAVAILABLE`, `OVERLOADED` */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    summarizeReviewers: {
        parameters: {
            query: {
                /** @description Workspace tokens only: ID of one organization, assigned by the Git provider. Ignored for other keys. */
                org_id?: string;
                /** @description First merge day, UTC, inclusive. */
                start_date: string;
                /** @description Last merge day, UTC, inclusive. */
                end_date: string;
                /** @description Repository IDs assigned by the Git provider, comma-separated, at most 10. */
                repository_ids?: string[];
                /** @description IDs of pull request authors assigned by the Git provider, comma-separated, at most 10. */
                user_ids?: string[];
                /** @description Self-hosted instance keys only: organization IDs assigned by the Git provider, comma-separated, at most 10. */
                organization_ids?: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All reviewers of the window. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @description null: findings whose reviewer is unknown. */
                            reviewer: string | null;
                            /** @description Merged pull requests that it reviewed, also those without findings if the sender lists them. */
                            pull_requests: number;
                            /** @description Findings of merged pull requests. */
                            findings: number;
                            /** @description Findings known to be accepted. */
                            accepted: number;
                            /** @description Findings known not to be accepted. */
                            not_accepted: number;
                            /** @description Findings without a known outcome. */
                            unknown: number;
                            /** @description accepted ÷ (accepted + not_accepted); null when no outcome is known. */
                            rate: number | null;
                            /** @description accepted ÷ posted: the rate if no unknown finding was accepted. */
                            rate_low: number | null;
                            /** @description (accepted + unknown) ÷ posted: the rate if all unknown findings were accepted. */
                            rate_high: number | null;
                            /** @description Lower bound of the 95% Wilson interval of `rate`. */
                            interval_low: number | null;
                            /** @description Upper bound of the 95% Wilson interval of `rate`. */
                            interval_high: number | null;
                            /** @description Median time from `posted_at` of an accepted finding to the first commit in its evidence; null when none is known. Above 50,000 such findings it is within 2 % of the exact figure. */
                            median_minutes_to_fix: number | null;
                            /** @description Accepted findings that no other reviewer made, on pull requests that another reviewer reviewed too; null when there are no such pull requests. */
                            unique_accepted: number | null;
                            /** @description Price per month × days ÷ 30.4 ÷ findings accepted on those days, in `currency`. The days are those of the window from `since` of the price on, or from the first finding of the reviewer if the price has no `since`. null without a price or an accepted finding, when the request covers several organizations, and with `repository_ids` or `user_ids`: a price is that of a whole organization. */
                            cost_per_accepted: number | null;
                        }[];
                        /** @description Currency of the costs, `settings.currency` of the organization; null where no cost can be stated. */
                        currency: string | null;
                        /** @description ID of the definition of these figures in the metric dictionary (docs/metrics.md). */
                        definition_id: string;
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `ORG_ID_AMBIGUOUS` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ENTERPRISE_REQUIRED`, `KEY_KIND_NOT_ALLOWED`, `OWNER_NOT_ADMIN`, `PERMISSION_DENIED`, `ORGANIZATION_OUT_OF_SCOPE`, `METRICS_UNAVAILABLE` */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ORGANIZATION_NOT_FOUND` */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `LEGACY_API_KEY` */
            410: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RESPONSE_TOO_LARGE` */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED` */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METRICS_PREPARING`, `METRICS_TEMPORARILY_UNAVAILABLE`, `OVERLOADED` */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    compareReviewers: {
        parameters: {
            query: {
                /** @description Workspace tokens only: ID of one organization, assigned by the Git provider. Ignored for other keys. */
                org_id?: string;
                /** @description First merge day, UTC, inclusive. */
                start_date: string;
                /** @description Last merge day, UTC, inclusive. */
                end_date: string;
                /** @description Repository IDs assigned by the Git provider, comma-separated, at most 10. */
                repository_ids?: string[];
                /** @description IDs of pull request authors assigned by the Git provider, comma-separated, at most 10. */
                user_ids?: string[];
                /** @description Self-hosted instance keys only: organization IDs assigned by the Git provider, comma-separated, at most 10. */
                organization_ids?: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All pairs of reviewers with a common pull request. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @description One reviewer; its name sorts before that of `b`. */
                            a: string;
                            /** @description The other reviewer. */
                            b: string;
                            /** @description Merged pull requests that both reviewed. Only they are compared. */
                            common_pull_requests: number;
                            /** @description Findings that both made. */
                            both: number;
                            /** @description Findings of `a` that `b` did not make. */
                            only_a: number;
                            /** @description Findings of `b` that `a` did not make. */
                            only_b: number;
                            /** @description Findings that both made and that were accepted of both. */
                            both_accepted: number;
                        }[];
                        /** @description ID of the definition of these figures in the metric dictionary (docs/metrics.md). */
                        definition_id: string;
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `ORG_ID_AMBIGUOUS` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ENTERPRISE_REQUIRED`, `KEY_KIND_NOT_ALLOWED`, `OWNER_NOT_ADMIN`, `PERMISSION_DENIED`, `ORGANIZATION_OUT_OF_SCOPE`, `METRICS_UNAVAILABLE` */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ORGANIZATION_NOT_FOUND` */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `LEGACY_API_KEY` */
            410: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RESPONSE_TOO_LARGE` */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED` */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METRICS_PREPARING`, `METRICS_TEMPORARILY_UNAVAILABLE`, `OVERLOADED` */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listUsers: {
        parameters: {
            query?: {
                /** @description Workspace tokens only: ID of an organization, assigned by the Git provider. Default: people of the whole workspace. Other keys ignore it. */
                org_id?: string;
                /** @description Returns users with or without a seat. Default all. */
                seat_filter?: "all" | "assigned" | "unassigned";
                /** @description admin: users with `cr_admin` and workspace admins. member: all other users. Default all. */
                role_filter?: "all" | "member" | "admin";
                /** @description Users per page. Default 100. */
                limit?: number;
                /** @description next_cursor of the previous page, unchanged. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of users, and the seats of the tenant. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Seats of the tenant, independent of filters. */
                        seats_purchased: number;
                        /** @description Seats of the tenant, independent of filters. */
                        seats_assigned: number;
                        seat_assignment_mode: "automatic" | "manual";
                        users: {
                            /** @description Account at the Git provider. */
                            user_id: string;
                            /** @description False for a deactivated person, whose keys are refused. Such a person gets no seat and no Admin role. */
                            active: boolean;
                            seat_assigned: boolean;
                            /** @description Effective role: `cr_admin` also for workspace admins, `cr_member` also for custom roles. */
                            role: "cr_admin" | "cr_member" | "cr_billing_admin";
                            /** @description Name of the assigned role. */
                            role_name: string;
                            role_type: "system" | "custom";
                            name: string;
                            /** @description At the Git provider. */
                            username: string | null;
                            /** @description null if no Git provider or administrator has named one. */
                            email: string | null;
                            /** @description When the user asked for the seat that nobody has given or refused yet. */
                            seat_requested_at: string | null;
                            /** @description Latest sign-in, use of an owned key, or merge or close of an authored pull request; null if there was none. While metrics are unavailable or disabled, pull requests are left out. */
                            last_active_at: string | null;
                        }[];
                        /** @description null on the last page. A filtered page can contain fewer users than the limit, or none, and still have a next page. */
                        next_cursor: string | null;
                    } | {
                        /** @description Seats of the tenant, independent of filters. */
                        seats_purchased: number;
                        /** @description Seats of the tenant, independent of filters. */
                        seats_assigned: number;
                        users: {
                            /** Format: uuid */
                            cr_user_id: string;
                            /** @description null if no Git provider or administrator has named one. */
                            email: string | null;
                            name: string;
                            /** @description False for a deactivated person, whose keys are refused. Such a person gets no seat and no Admin role. */
                            active: boolean;
                            seat_assigned: boolean;
                            /** @description One for each active organization, ordered by org_id. */
                            accounts: {
                                /** @description ID of the organization, assigned by the Git provider. */
                                org_id: string;
                                provider: string;
                                user_id: string;
                                username: string | null;
                                /** @description Effective role: `cr_admin` also for workspace admins, `cr_member` also for custom roles. */
                                role: "cr_admin" | "cr_member" | "cr_billing_admin";
                                /** @description Name of the assigned role. */
                                role_name: string;
                            }[];
                        }[];
                        /** @description null on the last page. A filtered page can contain fewer users than the limit, or none, and still have a next page. */
                        next_cursor: string | null;
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `INVALID_CURSOR`, `ORG_ID_AMBIGUOUS` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ENTERPRISE_REQUIRED`, `KEY_KIND_NOT_ALLOWED`, `OWNER_NOT_ADMIN`, `PERMISSION_DENIED`, `NOT_ADMIN` */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ORGANIZATION_NOT_FOUND` */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `LEGACY_API_KEY` */
            410: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RESPONSE_TOO_LARGE` */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED` */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `OVERLOADED` */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    manageSeats: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key returns the first response and changes nothing again. Keys belong to the selected or bound organization. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    action: "assign" | "unassign";
                    /** @description Accounts at the Git provider, 1 to 500. Required; not accepted with workspace tokens. */
                    user_ids?: string[];
                    /** @description People of the workspace, 1 to 500. Required with workspace tokens; not accepted with other keys. */
                    members?: ({
                        /** @description Not case-sensitive. */
                        email: string;
                    } | {
                        /**
                         * Format: uuid
                         * @description `cr_user_id` of GET /v1/users.
                         */
                        cr_user_id: string;
                    })[];
                    /** @description Not accepted with workspace tokens, which manage the seats of the whole workspace. Other keys ignore it. */
                    org_id?: string;
                };
            };
        };
        responses: {
            /** @description Result for each user, in the order of the request. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        status: "success" | "partial_success" | "failure";
                        /** @description Users as passed, in the order of the request, without duplicates. */
                        succeeded: string[];
                        failed: {
                            /** @description The user as passed: account, e-mail or cr_user_id. */
                            user_id: string;
                            /** @description Same as user_id. */
                            id: string;
                            code: "USER_NOT_FOUND" | "USER_INACTIVE" | "NO_SEATS_AVAILABLE" | "PROTECTED_ROLE" | "LAST_ADMIN" | "INTERNAL_ERROR";
                            message: string;
                        }[];
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `ORG_ID_AMBIGUOUS`, `BATCH_SIZE_EXCEEDED` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NO_ACTIVE_SUBSCRIPTION` */
            402: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ENTERPRISE_REQUIRED`, `KEY_KIND_NOT_ALLOWED`, `OWNER_NOT_ADMIN`, `PERMISSION_DENIED`, `NOT_ADMIN`, `CROSS_SITE_REQUEST` */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ORGANIZATION_NOT_FOUND` */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INVALID_REQUEST`: the body arrives too slowly. Send it again. */
            408: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `IDEMPOTENCY_KEY_REUSED` */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `LEGACY_API_KEY` */
            410: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED` */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `OVERLOADED` */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    setSeatAssignmentMode: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key returns the first response and changes nothing again. Keys belong to the selected or bound organization. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description automatic: developers who tag the reviewer get a seat while seats are free. manual: an admin assigns seats. */
                    mode: "automatic" | "manual";
                };
            };
        };
        responses: {
            /** @description The new mode. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description automatic: developers who tag the reviewer get a seat while seats are free. manual: an admin assigns seats. */
                        mode: "automatic" | "manual";
                    };
                };
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NO_ACTIVE_SUBSCRIPTION` */
            402: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ENTERPRISE_REQUIRED`, `KEY_KIND_NOT_ALLOWED`, `PERMISSION_DENIED`, `NOT_ADMIN`, `SELF_HOSTED_ONLY`, `CROSS_SITE_REQUEST` */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ORGANIZATION_NOT_FOUND` */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INVALID_REQUEST`: the body arrives too slowly. Send it again. */
            408: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `IDEMPOTENCY_KEY_REUSED` */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `LEGACY_API_KEY` */
            410: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED` */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `OVERLOADED` */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    offboardPerson: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key returns the first response and changes nothing again. Keys belong to the selected or bound organization. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The person to offboard. */
                    member: {
                        /** @description Not case-sensitive. */
                        email: string;
                    } | {
                        /**
                         * Format: uuid
                         * @description `cr_user_id` of GET /v1/users.
                         */
                        cr_user_id: string;
                    } | {
                        /** @description Account at the Git provider, `user_id` of GET /v1/users. A workspace token must also pass org_id. */
                        user_id: string;
                    };
                    /** @description Workspace tokens only: ID of an organization, assigned by the Git provider. Only the membership of this organization and the keys bound to it end. Default: everything in the workspace. Other keys ignore it. */
                    org_id?: string;
                    /**
                     * @description Default true: returns what would end, and changes nothing. Pass false to offboard.
                     * @default true
                     */
                    dry_run?: boolean;
                    /** @description Ids of keys that may end although they were used within 7 days. Without them the request fails with `KEY_IN_USE`. A dry run does not need them. */
                    confirm_keys?: string[];
                };
            };
        };
        responses: {
            /** @description What ends, or has ended. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        person: {
                            /** Format: uuid */
                            cr_user_id: string;
                            name: string;
                            email: string | null;
                            /** @description False once the person is offboarded from the whole tenant. */
                            active: boolean;
                        };
                        /** @description Sessions that end. 0 if the request is limited to one organization. */
                        sessions: number;
                        /** @description Keys of the person that are neither revoked nor expired. */
                        keys: {
                            /** Format: uuid */
                            id: string;
                            kind: string;
                            name: string;
                            /** @description Stored at most a minute late. null if the key was never used. */
                            last_used_at: string | null;
                            /** @description Whether the key is revoked. False only for keys that are not bound to the organization of org_id. */
                            ends: boolean;
                        }[];
                        /** @description Seats that become free. 0 if the request is limited to one organization. */
                        seats: number;
                        /** @description Memberships and roles that end. */
                        roles: {
                            /** @description ID of the organization, assigned by the Git provider. null for the role of a workspace admin. */
                            organization_id: string | null;
                            organization: {
                                /**
                                 * Format: uuid
                                 * @description As in GET /v1/organizations.
                                 */
                                id: string;
                            } | null;
                            organization_name: string | null;
                            user_id: string | null;
                            role_name: string;
                            role_type: "system" | "custom" | "workspace";
                        }[];
                        /** @description Learnings that the person proposed and that wait. They stay, and can be approved. */
                        pending_learnings: number;
                        /** @description False in a dry run. */
                        executed: boolean;
                        receipt: {
                            /**
                             * Format: uuid
                             * @description The tenant, as signed heads of its chain name it.
                             */
                            root_id: string;
                            /** Format: date-time */
                            at: string;
                            /** @description The hash of the chain before the first row. */
                            previous_hash: string;
                            /** @description The rows of the audit log that this request wrote, in the order of the chain. */
                            rows: {
                                /**
                                 * Format: uuid
                                 * @description `id` in GET /v1/audit-logs.
                                 */
                                id: string;
                                action: string;
                                position: number;
                                /** @description SHA-256 of the `content` of the row. */
                                digest: string;
                                /** @description SHA-256 of the hash before, the position in eight bytes, and the digest. */
                                hash: string;
                            }[];
                            /** @description The end of the chain after this request. */
                            head: {
                                position: number;
                                /** @description The hash of the last row. */
                                hash: string;
                            };
                        } | null;
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `ORG_ID_REQUIRED`, `ORG_ID_AMBIGUOUS` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ENTERPRISE_REQUIRED`, `KEY_KIND_NOT_ALLOWED`, `OWNER_NOT_ADMIN`, `PERMISSION_DENIED`, `NOT_ADMIN`, `REAUTHENTICATION_REQUIRED`, `CROSS_SITE_REQUEST` */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND`, `ORGANIZATION_NOT_FOUND` */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INVALID_REQUEST`: the body arrives too slowly. Send it again. */
            408: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PROTECTED_ROLE`, `LAST_ADMIN`, `KEY_IN_USE`, `IDEMPOTENCY_KEY_REUSED` */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `LEGACY_API_KEY` */
            410: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED` */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `OVERLOADED` */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    endSessionsOfPerson: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key returns the first response and changes nothing again. Keys belong to the selected or bound organization. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description `cr_user_id` of GET /v1/users with a workspace token, or of an offboarding. */
                cr_user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How many sessions ended. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Number of sessions that ended. */
                        ended: number;
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `ORG_ID_AMBIGUOUS` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ENTERPRISE_REQUIRED`, `KEY_KIND_NOT_ALLOWED`, `OWNER_NOT_ADMIN`, `PERMISSION_DENIED`, `NOT_ADMIN`, `REAUTHENTICATION_REQUIRED`, `CROSS_SITE_REQUEST` */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND`, `ORGANIZATION_NOT_FOUND` */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PROTECTED_ROLE`, `IDEMPOTENCY_KEY_REUSED` */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `LEGACY_API_KEY` */
            410: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED` */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `OVERLOADED` */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    changeUserRoles: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key returns the first response and changes nothing again. Keys belong to the selected or bound organization. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description New role of each user. It also replaces a custom role. */
                    role: "cr_admin" | "cr_member";
                    /** @description Accounts at the Git provider, 1 to 500. */
                    user_ids: string[];
                    /** @description ID of the organization, assigned by the Git provider. Required with workspace tokens. Instance keys can pass one organization, or `ALL` (not case-sensitive) for every active organization they are authorized for; the default is their home organization. Other keys ignore it, except that `ALL` returns 400. */
                    org_id?: string;
                };
            };
        };
        responses: {
            /** @description Result for each user, in the order of the request. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        status: "success" | "partial_success" | "failure";
                        /** @description Users as passed, in the order of the request, without duplicates. */
                        succeeded: string[];
                        failed: {
                            /** @description The user as passed. */
                            user_id: string;
                            /** @description Same as user_id. */
                            id: string;
                            code: "USER_NOT_FOUND" | "USER_INACTIVE" | "PROTECTED_ROLE" | "LAST_ADMIN" | "INTERNAL_ERROR";
                            message: string;
                        }[];
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `ORG_ID_REQUIRED`, `ORG_ID_AMBIGUOUS`, `BATCH_SIZE_EXCEEDED` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ENTERPRISE_REQUIRED`, `KEY_KIND_NOT_ALLOWED`, `OWNER_NOT_ADMIN`, `PERMISSION_DENIED`, `NOT_ADMIN`, `ORGANIZATION_OUT_OF_SCOPE`, `REAUTHENTICATION_REQUIRED`, `CROSS_SITE_REQUEST` */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ORGANIZATION_NOT_FOUND` */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INVALID_REQUEST`: the body arrives too slowly. Send it again. */
            408: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `IDEMPOTENCY_KEY_REUSED` */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `LEGACY_API_KEY` */
            410: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED` */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `OVERLOADED` */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listRoles: {
        parameters: {
            query?: {
                /** @description ID of the organization, assigned by the Git provider. Required with workspace tokens. Other keys ignore it; an instance key uses its home organization. */
                org_id?: string;
                /** @description Type of roles to return. Default all. */
                role_type?: "all" | "system" | "custom";
                /** @description Includes the permissions of each role. Default false. */
                include_permissions?: boolean;
                /** @description Includes the number of users with each role. Default true. */
                include_user_count?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The roles of the organization. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description System roles first, then custom roles by name. */
                        roles: {
                            /** @description UUID of a custom role, or name of a system role. */
                            id: string;
                            name: string;
                            description: string;
                            type: "system" | "custom";
                            /** @description Whether new members get this role. True for exactly one role of an organization. */
                            is_default: boolean;
                            user_count?: number;
                            permissions?: {
                                resource_id: "organization_management" | "repository_management" | "user_management" | "role_management" | "learning" | "metrics" | "security" | "audit_log" | "api_key" | "billing";
                                access_type: "read" | "write" | "delete";
                            }[];
                        }[];
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `ORG_ID_REQUIRED`, `ORG_ID_AMBIGUOUS` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ENTERPRISE_REQUIRED`, `KEY_KIND_NOT_ALLOWED`, `OWNER_NOT_ADMIN`, `PERMISSION_DENIED`, `NOT_ADMIN` */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ORGANIZATION_NOT_FOUND` */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `LEGACY_API_KEY` */
            410: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED` */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `OVERLOADED` */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createRole: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key returns the first response and changes nothing again. Keys belong to the selected or bound organization. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description ID of the organization, assigned by the Git provider. Required with workspace tokens. Other keys ignore it; an instance key uses its home organization. */
                    org_id?: string;
                    /** @description 1 to 100 characters, unique in the organization. Names that begin with cr_ are reserved. */
                    name: string;
                    description?: string;
                    /** @description Makes this the role of new members, instead of the current default role. */
                    is_default?: boolean;
                    /** @description Role of the organization whose permissions are copied. Cannot be combined with permissions. Without either, cr_member is copied. */
                    duplicate_from?: string | "cr_admin" | "cr_member" | "cr_billing_admin";
                    /** @description All permissions of the role. */
                    permissions?: {
                        resource_id: "organization_management" | "repository_management" | "user_management" | "role_management" | "learning" | "metrics" | "security" | "audit_log" | "api_key" | "billing";
                        access_type: "read" | "write" | "delete";
                    }[];
                };
            };
        };
        responses: {
            /** @description The new role. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description UUID of a custom role, or name of a system role. */
                        id: string;
                        name: string;
                        description: string;
                        type: "system" | "custom";
                        /** @description Whether new members get this role. True for exactly one role of an organization. */
                        is_default: boolean;
                        user_count?: number;
                        permissions?: {
                            resource_id: "organization_management" | "repository_management" | "user_management" | "role_management" | "learning" | "metrics" | "security" | "audit_log" | "api_key" | "billing";
                            access_type: "read" | "write" | "delete";
                        }[];
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `ORG_ID_REQUIRED`, `ORG_ID_AMBIGUOUS` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ENTERPRISE_REQUIRED`, `KEY_KIND_NOT_ALLOWED`, `OWNER_NOT_ADMIN`, `PERMISSION_DENIED`, `NOT_ADMIN`, `REAUTHENTICATION_REQUIRED`, `CROSS_SITE_REQUEST` */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND`, `ORGANIZATION_NOT_FOUND` */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INVALID_REQUEST`: the body arrives too slowly. Send it again. */
            408: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ROLE_NAME_TAKEN`, `IDEMPOTENCY_KEY_REUSED` */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `LEGACY_API_KEY` */
            410: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED` */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `OVERLOADED` */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listRolePermissions: {
        parameters: {
            query?: {
                /** @description ID of the organization, assigned by the Git provider. Required with workspace tokens. Other keys ignore it; an instance key uses its home organization. */
                org_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Resources and access types. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description A permission is `resource_id:access_type`. `user_management:write` and `role_management:write` amount to Admin: with them, a caller can make any member an Admin or give a role every permission. Grant them only to keys and roles that may do everything. */
                        resource_ids: string[];
                        access_types: string[];
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `ORG_ID_REQUIRED`, `ORG_ID_AMBIGUOUS` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ENTERPRISE_REQUIRED`, `KEY_KIND_NOT_ALLOWED`, `OWNER_NOT_ADMIN`, `PERMISSION_DENIED`, `NOT_ADMIN` */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ORGANIZATION_NOT_FOUND` */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `LEGACY_API_KEY` */
            410: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED` */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `OVERLOADED` */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getRole: {
        parameters: {
            query?: {
                /** @description ID of the organization, assigned by the Git provider. Required with workspace tokens. Other keys ignore it; an instance key uses its home organization. */
                org_id?: string;
            };
            header?: never;
            path: {
                /** @description UUID of a custom role, or name of a system role. */
                role_id: string | "cr_admin" | "cr_member" | "cr_billing_admin";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The role. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description UUID of a custom role, or name of a system role. */
                        id: string;
                        name: string;
                        description: string;
                        type: "system" | "custom";
                        /** @description Whether new members get this role. True for exactly one role of an organization. */
                        is_default: boolean;
                        user_count?: number;
                        permissions?: {
                            resource_id: "organization_management" | "repository_management" | "user_management" | "role_management" | "learning" | "metrics" | "security" | "audit_log" | "api_key" | "billing";
                            access_type: "read" | "write" | "delete";
                        }[];
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `ORG_ID_REQUIRED`, `ORG_ID_AMBIGUOUS` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ENTERPRISE_REQUIRED`, `KEY_KIND_NOT_ALLOWED`, `OWNER_NOT_ADMIN`, `PERMISSION_DENIED`, `NOT_ADMIN` */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND`, `ORGANIZATION_NOT_FOUND` */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `LEGACY_API_KEY` */
            410: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED` */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `OVERLOADED` */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteRole: {
        parameters: {
            query?: {
                /** @description ID of the organization, assigned by the Git provider. Required with workspace tokens. Other keys ignore it; an instance key uses its home organization. */
                org_id?: string;
            };
            header?: {
                /** @description For 24 hours, the same request with the same key returns the first response and changes nothing again. Keys belong to the selected or bound organization. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description UUID of a custom role, or name of a system role. */
                role_id: string | "cr_admin" | "cr_member" | "cr_billing_admin";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The role is deleted. */
            204: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `INVALID_REQUEST`, `ORG_ID_REQUIRED`, `ORG_ID_AMBIGUOUS` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ENTERPRISE_REQUIRED`, `KEY_KIND_NOT_ALLOWED`, `OWNER_NOT_ADMIN`, `PERMISSION_DENIED`, `NOT_ADMIN`, `REAUTHENTICATION_REQUIRED`, `CROSS_SITE_REQUEST` */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND`, `ORGANIZATION_NOT_FOUND` */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ROLE_IN_USE`, `IDEMPOTENCY_KEY_REUSED` */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `LEGACY_API_KEY` */
            410: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED` */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `OVERLOADED` */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateRole: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key returns the first response and changes nothing again. Keys belong to the selected or bound organization. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description UUID of a custom role, or name of a system role. */
                role_id: string | "cr_admin" | "cr_member" | "cr_billing_admin";
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description ID of the organization, assigned by the Git provider. Required with workspace tokens. Other keys ignore it; an instance key uses its home organization. */
                    org_id?: string;
                    /** @description 1 to 100 characters, unique in the organization. Names that begin with cr_ are reserved. */
                    name?: string;
                    description?: string;
                    /** @description Makes this the role of new members, instead of the current default role. */
                    is_default?: boolean;
                    /** @description All permissions of the role. */
                    permissions?: {
                        resource_id: "organization_management" | "repository_management" | "user_management" | "role_management" | "learning" | "metrics" | "security" | "audit_log" | "api_key" | "billing";
                        access_type: "read" | "write" | "delete";
                    }[];
                };
            };
        };
        responses: {
            /** @description The changed role. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description UUID of a custom role, or name of a system role. */
                        id: string;
                        name: string;
                        description: string;
                        type: "system" | "custom";
                        /** @description Whether new members get this role. True for exactly one role of an organization. */
                        is_default: boolean;
                        user_count?: number;
                        permissions?: {
                            resource_id: "organization_management" | "repository_management" | "user_management" | "role_management" | "learning" | "metrics" | "security" | "audit_log" | "api_key" | "billing";
                            access_type: "read" | "write" | "delete";
                        }[];
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `ORG_ID_REQUIRED`, `ORG_ID_AMBIGUOUS` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ENTERPRISE_REQUIRED`, `KEY_KIND_NOT_ALLOWED`, `OWNER_NOT_ADMIN`, `PERMISSION_DENIED`, `NOT_ADMIN`, `REAUTHENTICATION_REQUIRED`, `CROSS_SITE_REQUEST` */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND`, `ORGANIZATION_NOT_FOUND` */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INVALID_REQUEST`: the body arrives too slowly. Send it again. */
            408: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ROLE_NAME_TAKEN`, `IDEMPOTENCY_KEY_REUSED` */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `LEGACY_API_KEY` */
            410: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED` */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `OVERLOADED` */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    assignRole: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key returns the first response and changes nothing again. Keys belong to the selected or bound organization. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description UUID of a custom role, `cr_admin` or `cr_member`. */
                role_id: string | "cr_admin" | "cr_member";
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Accounts at the Git provider, 1 to 500. */
                    user_ids: string[];
                    /** @description ID of the organization, assigned by the Git provider. Required with workspace tokens. Instance keys can pass one organization; the default is their home organization. Other keys ignore it, except that `ALL` returns 400. */
                    org_id?: string;
                };
            };
        };
        responses: {
            /** @description Result for each user, in the order of the request. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        status: "success" | "partial_success" | "failure";
                        /** @description Users as passed, in the order of the request, without duplicates. */
                        succeeded: string[];
                        failed: {
                            /** @description The user as passed. */
                            user_id: string;
                            /** @description Same as user_id. */
                            id: string;
                            code: "USER_NOT_FOUND" | "USER_INACTIVE" | "PROTECTED_ROLE" | "LAST_ADMIN" | "INTERNAL_ERROR";
                            message: string;
                        }[];
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `ORG_ID_REQUIRED`, `ORG_ID_AMBIGUOUS`, `BATCH_SIZE_EXCEEDED` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ENTERPRISE_REQUIRED`, `KEY_KIND_NOT_ALLOWED`, `OWNER_NOT_ADMIN`, `PERMISSION_DENIED`, `NOT_ADMIN`, `ORGANIZATION_OUT_OF_SCOPE`, `REAUTHENTICATION_REQUIRED`, `CROSS_SITE_REQUEST` */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND`, `ORGANIZATION_NOT_FOUND` */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INVALID_REQUEST`: the body arrives too slowly. Send it again. */
            408: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `IDEMPOTENCY_KEY_REUSED` */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `LEGACY_API_KEY` */
            410: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED` */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `OVERLOADED` */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getSettings: {
        parameters: {
            query?: {
                /** @description ID of the organization, assigned by the Git provider. Required with workspace tokens. Other keys ignore it; an instance key uses its home organization. */
                org_id?: string;
                /** @description ID of a repository, assigned by the Git provider. Default: the organization. */
                repository_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The settings that apply. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description ID of the organization, assigned by the Git provider. */
                        organization_id: string;
                        repository_id: string | null;
                        /** @description The values that apply. */
                        settings: {
                            knowledge_base: {
                                learnings: {
                                    /** @description Which Learnings a review uses: `local`, those of its repository; `global`, those of the organization; `auto`, `local` for a public repository and `global` for a private one. */
                                    scope: "auto" | "global" | "local";
                                    /** @description Days that a Learning from chat waits for approval; 0 for none. */
                                    approval_delay: number;
                                };
                            };
                            metrics: {
                                /** @description Read-only: the operator changes it. */
                                enabled: boolean;
                            };
                            /** @description Currency of the prices, ISO 4217. Prices are not converted when it changes. */
                            currency: string | null;
                            /** @description Prices by reviewer, of the organization. */
                            reviewers: {
                                [key: string]: {
                                    /** @description Price a month for the whole organization, in `currency`. */
                                    price_per_month: number;
                                    /** @description First day of the subscription; null: the day of the first finding of the reviewer. */
                                    since: string | null;
                                };
                            };
                        };
                        /** @description Names of the settings whose value is not set at this level: it comes from the organization or is the default. */
                        inherited: ("knowledge_base.learnings.scope" | "knowledge_base.learnings.approval_delay" | "metrics.enabled" | "currency" | "reviewers")[];
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `ORG_ID_REQUIRED`, `ORG_ID_AMBIGUOUS` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `KEY_KIND_NOT_ALLOWED`, `OWNER_NOT_ADMIN`, `PERMISSION_DENIED`, `NOT_ADMIN` */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND`, `ORGANIZATION_NOT_FOUND` */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `LEGACY_API_KEY` */
            410: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED` */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `OVERLOADED` */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateSettings: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key returns the first response and changes nothing again. Keys belong to the selected or bound organization. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description ID of the organization, assigned by the Git provider. Required with workspace tokens. Other keys ignore it; an instance key uses its home organization. */
                    org_id?: string;
                    /** @description ID of a repository, assigned by the Git provider. Default: the organization. */
                    repository_id?: string;
                    /** @description The settings to change. null removes a value, so that the level above applies. */
                    settings: {
                        knowledge_base?: {
                            learnings?: {
                                scope?: ("auto" | "global" | "local") | null;
                                approval_delay?: number | null;
                            };
                        };
                        /** @description Currency of the prices, ISO 4217. Prices are not converted when it changes. */
                        currency?: string | null;
                        /** @description Prices by reviewer, for `cost_per_accepted` of `GET /v1/metrics/reviewers`. Other reviewers do not change; null removes a price. Not with `repository_id`. */
                        reviewers?: {
                            [key: string]: {
                                /** @description Price a month for the whole organization, in `currency`. */
                                price_per_month: number;
                                /** @description First day of the subscription; null: the day of the first finding of the reviewer. */
                                since?: string | null;
                            } | null;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description The settings that apply now. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description ID of the organization, assigned by the Git provider. */
                        organization_id: string;
                        repository_id: string | null;
                        /** @description The values that apply. */
                        settings: {
                            knowledge_base: {
                                learnings: {
                                    /** @description Which Learnings a review uses: `local`, those of its repository; `global`, those of the organization; `auto`, `local` for a public repository and `global` for a private one. */
                                    scope: "auto" | "global" | "local";
                                    /** @description Days that a Learning from chat waits for approval; 0 for none. */
                                    approval_delay: number;
                                };
                            };
                            metrics: {
                                /** @description Read-only: the operator changes it. */
                                enabled: boolean;
                            };
                            /** @description Currency of the prices, ISO 4217. Prices are not converted when it changes. */
                            currency: string | null;
                            /** @description Prices by reviewer, of the organization. */
                            reviewers: {
                                [key: string]: {
                                    /** @description Price a month for the whole organization, in `currency`. */
                                    price_per_month: number;
                                    /** @description First day of the subscription; null: the day of the first finding of the reviewer. */
                                    since: string | null;
                                };
                            };
                        };
                        /** @description Names of the settings whose value is not set at this level: it comes from the organization or is the default. */
                        inherited: ("knowledge_base.learnings.scope" | "knowledge_base.learnings.approval_delay" | "metrics.enabled" | "currency" | "reviewers")[];
                        /** @description Reviewers of the given prices that have no findings. Their prices are stored. */
                        warnings: {
                            reviewer: string;
                            message: string;
                        }[];
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `ORG_ID_REQUIRED`, `ORG_ID_AMBIGUOUS` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `KEY_KIND_NOT_ALLOWED`, `OWNER_NOT_ADMIN`, `PERMISSION_DENIED`, `NOT_ADMIN`, `CROSS_SITE_REQUEST` */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND`, `ORGANIZATION_NOT_FOUND` */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INVALID_REQUEST`: the body arrives too slowly. Send it again. */
            408: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `IDEMPOTENCY_KEY_REUSED` */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `LEGACY_API_KEY` */
            410: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED` */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `OVERLOADED` */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listConnectors: {
        parameters: {
            query?: {
                /** @description ID of the organization, assigned by the Git provider. User keys ignore it. */
                org_id?: string;
                /** @description Connectors per page. Default 100. */
                limit?: number;
                /** @description next_cursor of the previous page, unchanged. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of connectors. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** Format: uuid */
                            id: string;
                            /** @description The Git provider of the organization. */
                            provider: "github" | "gitlab";
                            host: string;
                            /** @description `hooks`: the provider reports changes to `/hooks/{connector_id}`. `polling`: the connector looks for changes every minute, less often if there are many repositories, so the service needs no public address. Both check every night that nothing was missed. */
                            mode: "hooks" | "polling";
                            /** @description Whether the connector writes to private repositories. */
                            write_back: boolean;
                            /** @description Bots that are not known by their account. */
                            bots: {
                                /** @description Numeric ID of the account at the Git provider. */
                                account_id: string;
                                /** @description The name of the reviewer, as findings carry it. */
                                reviewer: string;
                                /** @description The known bot whose format its comments have. Left out: its findings are comments on lines that start with their severity, such as `**High** The title`. */
                                format?: "coderabbit" | "copilot" | "bugbot" | "codex" | "greptile" | "qodo" | "sourcery" | "claude" | "gemini" | "codeql" | "reviewdog";
                            }[];
                            /** @description `pending`: the provider was not read yet. `backfilling`: earlier pull requests are being read. `active`: it follows changes. `failing`: `error` says why and what to do. */
                            status: "pending" | "backfilling" | "active" | "failing";
                            /** @description What is wrong, and what to do. */
                            error: string | null;
                            /** @description Repositories that the connector reads. */
                            repositories: number;
                            /** @description Progress of reading the pull requests of the last year. */
                            backfill: {
                                done: number;
                                /** @description null while it is not known. */
                                total: number | null;
                                /** @description An estimate from the progress so far; null while there is none. */
                                seconds_left: number | null;
                            };
                            /** @description When the connector last found a change; null = never. */
                            last_event_at: string | null;
                            /** @description How long the oldest known change waits to be read; 0 = none waits. */
                            lag_seconds: number;
                            /** @description Comments of known bots that look like findings, but that no parser understands. */
                            unparsed_comments: number;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `INVALID_CURSOR` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `KEY_KIND_NOT_ALLOWED`, `PERMISSION_DENIED`, `NOT_ADMIN` */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ORGANIZATION_NOT_FOUND` */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `LEGACY_API_KEY` */
            410: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED` */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `OVERLOADED` */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createConnector: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key returns the first response and changes nothing again. Keys belong to the selected or bound organization. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description ID of the organization, assigned by the Git provider. User keys ignore it. */
                    org_id?: string;
                    /** @description The Git provider of the organization. */
                    provider: "github" | "gitlab";
                    /** @description Host of the Git provider. Default: its cloud, such as github.com. */
                    host?: string;
                    /** @description `hooks`: the provider reports changes to `/hooks/{connector_id}`. `polling`: the connector looks for changes every minute, less often if there are many repositories, so the service needs no public address. Both check every night that nothing was missed. */
                    mode: "hooks" | "polling";
                    /** @description Login of the organization at GitHub, or path of the group at GitLab. An organization has one connector for each account. */
                    account: string;
                    /** @description What the connector reads with. Read permissions are enough without `write_back`. */
                    credential: {
                        /** @description ID of the GitHub App. */
                        app_id: string;
                        /** @description ID of the installation of the App in the organization. */
                        installation_id: string;
                        /** @description Private key of the App as PEM. It is encrypted and never returned. */
                        private_key: string;
                    } | {
                        /** @description Group access token with the scopes `read_api` and `read_repository`. It is encrypted and never returned. */
                        token: string;
                    };
                    /** @description Signs hooks. Required with the mode `hooks`, else refused. It is encrypted and never returned. */
                    webhook_secret?: string;
                    /**
                     * @description Whether the connector also writes to private repositories: a check run that lists the Learnings that apply to a pull request, and replies to the comments `/scholiast why` and `/scholiast remember`. Only for GitHub, with an App that may write checks and pull requests.
                     * @default false
                     */
                    write_back?: boolean;
                    /** @description Bots that are not known by their account: of your own, or of a vendor under an account of yours. Known bots need no entry. */
                    bots?: {
                        /** @description Numeric ID of the account at the Git provider. */
                        account_id: string;
                        /** @description The name of the reviewer, as findings carry it. */
                        reviewer: string;
                        /** @description The known bot whose format its comments have. Left out: its findings are comments on lines that start with their severity, such as `**High** The title`. */
                        format?: "coderabbit" | "copilot" | "bugbot" | "codex" | "greptile" | "qodo" | "sourcery" | "claude" | "gemini" | "codeql" | "reviewdog";
                    }[];
                };
            };
        };
        responses: {
            /** @description The new connector. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** @description The Git provider of the organization. */
                        provider: "github" | "gitlab";
                        host: string;
                        /** @description `hooks`: the provider reports changes to `/hooks/{connector_id}`. `polling`: the connector looks for changes every minute, less often if there are many repositories, so the service needs no public address. Both check every night that nothing was missed. */
                        mode: "hooks" | "polling";
                        /** @description Whether the connector writes to private repositories. */
                        write_back: boolean;
                        /** @description Bots that are not known by their account. */
                        bots: {
                            /** @description Numeric ID of the account at the Git provider. */
                            account_id: string;
                            /** @description The name of the reviewer, as findings carry it. */
                            reviewer: string;
                            /** @description The known bot whose format its comments have. Left out: its findings are comments on lines that start with their severity, such as `**High** The title`. */
                            format?: "coderabbit" | "copilot" | "bugbot" | "codex" | "greptile" | "qodo" | "sourcery" | "claude" | "gemini" | "codeql" | "reviewdog";
                        }[];
                        /** @description `pending`: the provider was not read yet. `backfilling`: earlier pull requests are being read. `active`: it follows changes. `failing`: `error` says why and what to do. */
                        status: "pending" | "backfilling" | "active" | "failing";
                        /** @description What is wrong, and what to do. */
                        error: string | null;
                        /** @description Repositories that the connector reads. */
                        repositories: number;
                        /** @description Progress of reading the pull requests of the last year. */
                        backfill: {
                            done: number;
                            /** @description null while it is not known. */
                            total: number | null;
                            /** @description An estimate from the progress so far; null while there is none. */
                            seconds_left: number | null;
                        };
                        /** @description When the connector last found a change; null = never. */
                        last_event_at: string | null;
                        /** @description How long the oldest known change waits to be read; 0 = none waits. */
                        lag_seconds: number;
                        /** @description Comments of known bots that look like findings, but that no parser understands. */
                        unparsed_comments: number;
                    };
                };
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `KEY_KIND_NOT_ALLOWED`, `PERMISSION_DENIED`, `NOT_ADMIN`, `REAUTHENTICATION_REQUIRED`, `CROSS_SITE_REQUEST` */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ORGANIZATION_NOT_FOUND` */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INVALID_REQUEST`: the body arrives too slowly. Send it again. */
            408: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CONNECTOR_EXISTS`, `IDEMPOTENCY_KEY_REUSED` */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `LEGACY_API_KEY` */
            410: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED` */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `OVERLOADED` */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteConnector: {
        parameters: {
            query?: {
                /** @description ID of the organization, assigned by the Git provider. User keys ignore it. */
                org_id?: string;
            };
            header?: {
                /** @description For 24 hours, the same request with the same key returns the first response and changes nothing again. Keys belong to the selected or bound organization. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description ID of the connector, as returned by the list. */
                connector_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The connector is deleted. */
            204: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `KEY_KIND_NOT_ALLOWED`, `PERMISSION_DENIED`, `NOT_ADMIN`, `REAUTHENTICATION_REQUIRED`, `CROSS_SITE_REQUEST` */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND`, `ORGANIZATION_NOT_FOUND` */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `IDEMPOTENCY_KEY_REUSED` */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `LEGACY_API_KEY` */
            410: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED` */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `OVERLOADED` */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getTenantIngestStatus: {
        parameters: {
            query?: {
                /** @description Workspace tokens only: ID of an organization, assigned by the Git provider. Default: the whole workspace. Other keys ignore it. */
                org_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The status of events. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description When the latest event was accepted; null if there was none in the last 30 days. Of one organization: the latest event that names it and is stored. */
                        last_event_at: string | null;
                        /** @description Messages in the queue, each with one or more events, including parked ones. null for one organization. */
                        queued: number | null;
                        /** @description Age of the oldest accepted event that was not processed yet; 0 if all were. null for one organization. */
                        lag_seconds: number | null;
                        /** @description Messages with events that could not be stored yet and are retried for about an hour, for example because their repository is unknown. At most 1,000 are counted. */
                        parked: number;
                        /** @description Messages whose events were given up. The operator can replay them. Of one organization, null if credentials that also send for other organizations have dead letters: it is then unknown whose they are. */
                        dead_letters: number | null;
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `ORG_ID_AMBIGUOUS` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `KEY_KIND_NOT_ALLOWED`, `OWNER_NOT_ADMIN`, `PERMISSION_DENIED`, `NOT_ADMIN` */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ORGANIZATION_NOT_FOUND` */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `LEGACY_API_KEY` */
            410: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED` */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `OVERLOADED` */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listAuditLogs: {
        parameters: {
            query?: {
                /** @description For workspace tokens: ID of one organization, assigned by the Git provider. Ignored for other keys. */
                org_id?: string;
                /** @description Part of the name of the actor, or of the person who owns the key. Case-insensitive. */
                search?: string;
                /** @description Comma-separated values of `filter_options.actions`, at most 50. */
                actions?: string[];
                /** @description Comma-separated values of `filter_options.resource_types`, at most 50. */
                resource_types?: string[];
                /** @description First day (UTC) or start time, inclusive. */
                date_from?: string;
                /** @description Last day (UTC) or end time, inclusive. */
                date_to?: string;
                /** @description Page number. Page 1 has the newest rows. */
                page?: number;
                /** @description Rows per page. page × page_size must not exceed 10,000; use cursor to read further. */
                page_size?: number;
                /** @description Returns rows in write order instead of pages. Pass `next_cursor` of a response, or `start` to begin with the first row. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the audit log. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** Format: uuid */
                            id: string;
                            action: string;
                            actionLabel: string;
                            resourceType: string;
                            resourceTypeLabel: string;
                            /** @description One sentence with current names. A Learning is named by its first words if the key has `learning:read` and the Learning is neither private nor deleted, otherwise by its id. */
                            resourceSummary: string;
                            actor: {
                                /** @description Current name, or a neutral name if the person was erased. */
                                name: string;
                                /** @description E-mail address of a person, or a description of the key or SCIM credential. */
                                subtitle: string | null;
                                /** @description Whether the actor is a key or the service itself. */
                                isBot: boolean;
                                avatarUrl: null;
                                /** @description The person who owns the key. Null if the actor is not a key, or the key has no owner. */
                                owner: {
                                    /** Format: uuid */
                                    id: string;
                                    name: string;
                                } | null;
                            };
                            /** @description IDs and codes that depend on the action, with `resource_id`. In rows of changes, `before` and `after` have the changed fields: a text as its SHA-256, an erased personal value as null. */
                            metadata: {
                                [key: string]: ((string | number | boolean | null) | (string | number | boolean | null)[]) | {
                                    [key: string]: ((string | number | boolean | null) | (string | number | boolean | null)[]) | {
                                        [key: string]: string | number | boolean | null;
                                    };
                                };
                            };
                            /** @description IP address of the request; null if the change was not made by a request. */
                            ipAddress: string | null;
                            /** Format: date-time */
                            createdAt: string;
                            relativeTime: string;
                            /** @description Position in the hash chain of the tenant root. */
                            position: number;
                            /** @description Hash of the row in the chain, in hex. */
                            hash: string;
                            /** @description The JSON text whose SHA-256 is the digest of the row in `GET /v1/audit-logs/chain`. Compare with it before you parse it. */
                            content: string;
                            /** @description Personal values that are not erased. `content` has the SHA-256 of salt and value as `sealed`. */
                            personalValues: {
                                [key: string]: {
                                    salt: string;
                                    value: string;
                                };
                            };
                        }[];
                        /** @description Always returned. Continues after this response; with page, it returns rows that are appended from now on. */
                        next_cursor: string;
                        /** @description With cursor: whether more rows are available now. */
                        has_more?: boolean;
                        /** @description Values of the request that are unknown and match no row. */
                        warnings: {
                            parameter: "actions" | "resource_types";
                            value: string;
                            message: string;
                        }[];
                        pagination?: {
                            page: number;
                            page_size: number;
                            /** @description Number of matching rows. With search, at most 10,000. */
                            total_count: number;
                            total_pages: number;
                            has_next_page: boolean;
                            has_previous_page: boolean;
                        };
                        /** @description Values within the scope and the dates, with their counts. Not returned with cursor. */
                        filter_options?: {
                            actions: {
                                value: string;
                                label: string;
                                count: number;
                            }[];
                            resource_types: {
                                value: string;
                                label: string;
                                count: number;
                            }[];
                        };
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `INVALID_CURSOR`, `ORG_ID_AMBIGUOUS` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ENTERPRISE_REQUIRED`, `KEY_KIND_NOT_ALLOWED`, `OWNER_NOT_ADMIN`, `PERMISSION_DENIED` */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ORGANIZATION_NOT_FOUND` */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `LEGACY_API_KEY` */
            410: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED` */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `OVERLOADED` */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readAuditChain: {
        parameters: {
            query?: {
                /** @description For workspace tokens: ID of one organization, assigned by the Git provider. Ignored for other keys. */
                org_id?: string;
                /** @description Returns rows after this position. */
                after?: number;
                /** @description Rows per response. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A part of the chain. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            position: number;
                            /** @description SHA-256 of the content of the row, in hex. */
                            digest: string;
                            /** @description Hash of the row in the chain, in hex. */
                            hash: string;
                        }[];
                        /** @description Signed heads from position `after` to the last position of `data`. */
                        heads: {
                            /** @description The last row at the time, the last row that retention dropped, or the last row that a restore left. */
                            kind: "head" | "checkpoint" | "restored";
                            /** Format: uuid */
                            root: string;
                            position: number;
                            /** @description Hash of the row at this position. */
                            hash: string;
                            /** Format: date-time */
                            at: string;
                            /** @description ID of the signing key, one of `public_keys`. */
                            key: string;
                            /** @description Ed25519, in base64, of the lines `scholiast audit 1`, kind, root, position, hash, at, key. */
                            signature: string;
                        }[];
                        /** @description Public keys of all signers so far. Compare them with a copy that you keep. */
                        public_keys: {
                            key: string;
                            /** @description PEM. */
                            public_key: string;
                        }[];
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `ORG_ID_AMBIGUOUS` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ENTERPRISE_REQUIRED`, `KEY_KIND_NOT_ALLOWED`, `OWNER_NOT_ADMIN`, `PERMISSION_DENIED` */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ORGANIZATION_NOT_FOUND` */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `LEGACY_API_KEY` */
            410: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED` */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `OVERLOADED` */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listSecurityFindings: {
        parameters: {
            query?: {
                /** @description For workspace tokens: ID of one organization, assigned by the Git provider. Ignored for other keys. */
                org_id?: string;
                /** @description Only findings of this repository. ID assigned by the Git provider. */
                repo_id?: string;
                /** @description Only findings that were last seen by this scan. */
                scan_id?: string;
                /** @description fixed: a later complete scan did not report it. dismissed: dismissed with a reason. */
                state?: "open" | "fixed" | "dismissed" | "all";
                /** @description Findings per page. Only with `format=json`; other formats return all findings. */
                limit?: number;
                /** @description `next_cursor` of the previous page, unchanged. Only with `format=json`. */
                cursor?: string;
                /** @description csv and sarif return one file with all findings, at most 50,000 findings and 16 MiB. */
                format?: "json" | "csv" | "sarif";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of findings, or a file with all findings. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /**
                             * Format: uuid
                             * @description Does not change when the lines move or the file is renamed.
                             */
                            id: string;
                            /** @description The scan that last reported the finding. */
                            scan_id: string;
                            /** @description ID assigned by the Git provider. */
                            organization_id: string;
                            /** @description Name when the finding was last written. */
                            organization_name: string;
                            /** @description ID assigned by the Git provider. */
                            repository_id: string;
                            /** @description Name when the finding was last written. */
                            repository_name: string;
                            /** @enum {string} */
                            severity: "critical" | "high" | "medium" | "low" | "info";
                            /** @enum {string} */
                            state: "open" | "fixed" | "dismissed";
                            /** @description Type of weakness; null if the scanner did not report one. */
                            cwe: string | null;
                            title: string;
                            /** @description Plain text. Recognized credentials are removed. */
                            description: string;
                            /** @description Path relative to the root of the repository. */
                            file_path: string;
                            /** @description First line; null if the finding concerns the whole file. */
                            start_line: number | null;
                            /** @description Last line of the finding. */
                            end_line: number | null;
                            /**
                             * Format: date-time
                             * @description Time of the first scan that reported the finding.
                             */
                            first_seen_at: string;
                            /**
                             * Format: date-time
                             * @description Time of the last scan that reported the finding.
                             */
                            last_seen_at: string;
                        }[];
                        /** @description null if there are no more findings. */
                        next_cursor: string | null;
                    };
                    "text/csv": string;
                    "application/sarif+json": {
                        $schema: string;
                        /** @constant */
                        version: "2.1.0";
                        runs: Record<string, never>[];
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `INVALID_CURSOR`, `ORG_ID_AMBIGUOUS` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `KEY_KIND_NOT_ALLOWED`, `OWNER_NOT_ADMIN`, `PERMISSION_DENIED` */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ORGANIZATION_NOT_FOUND` */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `LEGACY_API_KEY` */
            410: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RESPONSE_TOO_LARGE` */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED` */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `OVERLOADED` */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    summarizeSecurityFindings: {
        parameters: {
            query?: {
                /** @description For workspace tokens: ID of one organization, assigned by the Git provider. Ignored for other keys. */
                org_id?: string;
                /** @description Only findings of this repository. ID assigned by the Git provider. */
                repo_id?: string;
                /** @description fixed: a later complete scan did not report it. dismissed: dismissed with a reason. */
                state?: "open" | "fixed" | "dismissed" | "all";
                /** @description Keys to group findings by, comma-separated: any of severity, state, repository, age. Without it the response has one total. */
                group_by?: ("severity" | "state" | "repository" | "age")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All groups with findings; one total without `group_by`. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @description The keys of `group_by`, in this order. Groups without findings are not returned. */
                            group: {
                                /** @enum {string} */
                                severity?: "critical" | "high" | "medium" | "low" | "info";
                                /** @enum {string} */
                                state?: "open" | "fixed" | "dismissed";
                                /** @description ID assigned by the Git provider. */
                                repository?: string;
                                /**
                                 * @description Whole days since the finding was first seen.
                                 * @enum {string}
                                 */
                                age?: "0-7" | "8-30" | "31-90" | "91+";
                                /** @description With `repository`: the name when its latest finding was written. It does not affect grouping. */
                                repository_name?: string;
                            };
                            /** @description As many as the list returns for the same filters. */
                            findings: number;
                            /** @description When the oldest finding of the group was first seen; null if there is none. */
                            oldest_first_seen_at: string | null;
                        }[];
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `ORG_ID_AMBIGUOUS` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `KEY_KIND_NOT_ALLOWED`, `OWNER_NOT_ADMIN`, `PERMISSION_DENIED` */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ORGANIZATION_NOT_FOUND` */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `LEGACY_API_KEY` */
            410: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RESPONSE_TOO_LARGE` */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED` */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `OVERLOADED` */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listKeys: {
        parameters: {
            query?: {
                /** @description Workspace tokens only: returns keys bound to this organization (ID assigned by the Git provider). Default: all keys of the workspace. Other keys ignore it. */
                org_id?: string;
                /** @description Keys per page. Default 100. */
                limit?: number;
                /** @description next_cursor of the previous page, unchanged. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of keys. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Ordered by ID, which is the order of creation. */
                        data: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                            kind: "organization" | "user" | "workspace" | "instance" | "legacy" | "agentic";
                            /** @description First characters of the key, the same for all keys of a kind. */
                            prefix: string;
                            last_four: string;
                            /** @description Organization that the key is bound to (ID assigned by the Git provider); null if none. */
                            org_id: string | null;
                            /** @description Person who created the key and for whom it acts. Instance keys have none. */
                            owner: {
                                /** Format: uuid */
                                cr_user_id: string;
                                name: string;
                            } | null;
                            /** Format: date-time */
                            created_at: string;
                            /** @description null if the key never expires. */
                            expires_at: string | null;
                            /** @description Up to one minute behind; null if the key was never used. */
                            last_used_at: string | null;
                            /** @description Permissions granted to the key. The role of its owner can limit them further. */
                            permissions: ("organization_management:read" | "organization_management:write" | "organization_management:delete" | "repository_management:read" | "repository_management:write" | "repository_management:delete" | "user_management:read" | "user_management:write" | "user_management:delete" | "role_management:read" | "role_management:write" | "role_management:delete" | "learning:read" | "learning:write" | "learning:delete" | "metrics:read" | "metrics:write" | "metrics:delete" | "security:read" | "security:write" | "security:delete" | "audit_log:read" | "audit_log:write" | "audit_log:delete" | "api_key:read" | "api_key:write" | "api_key:delete" | "billing:read" | "billing:write" | "billing:delete")[];
                        }[];
                        /** @description null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `INVALID_CURSOR`, `ORG_ID_AMBIGUOUS` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `KEY_KIND_NOT_ALLOWED`, `OWNER_NOT_ADMIN`, `PERMISSION_DENIED`, `NOT_ADMIN` */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ORGANIZATION_NOT_FOUND` */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `LEGACY_API_KEY` */
            410: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED` */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `OVERLOADED` */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key returns the first response and changes nothing again. Keys belong to the selected or bound organization. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Only a workspace token can create a workspace token. */
                    kind: "organization" | "user" | "agentic" | "workspace";
                    /** @description Organization that the key is bound to (ID assigned by the Git provider). Required with a workspace token unless the kind is workspace. Other keys ignore it and use their own organization. */
                    org_id?: string;
                    /** @description Purpose of the key, 1 to 100 characters. Required for workspace tokens. */
                    name?: string;
                    /** @description Must be a subset of the permissions of the calling key. Default: all of them. `user_management:write` and `role_management:write` amount to Admin: with them, a caller can make any member an Admin or give a role every permission. Grant them only to keys and roles that may do everything. */
                    permissions?: ("organization_management:read" | "organization_management:write" | "organization_management:delete" | "repository_management:read" | "repository_management:write" | "repository_management:delete" | "user_management:read" | "user_management:write" | "user_management:delete" | "role_management:read" | "role_management:write" | "role_management:delete" | "learning:read" | "learning:write" | "learning:delete" | "metrics:read" | "metrics:write" | "metrics:delete" | "security:read" | "security:write" | "security:delete" | "audit_log:read" | "audit_log:write" | "audit_log:delete" | "api_key:read" | "api_key:write" | "api_key:delete" | "billing:read" | "billing:write" | "billing:delete")[];
                    /**
                     * Format: date-time
                     * @description Must not be later than the expiry of the calling key, which is the default. Required for workspace tokens, in 1 to 366 days.
                     */
                    expires_at?: string;
                };
            };
        };
        responses: {
            /** @description The new key, with its value. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        name: string;
                        kind: "organization" | "user" | "workspace" | "instance" | "legacy" | "agentic";
                        /** @description First characters of the key, the same for all keys of a kind. */
                        prefix: string;
                        last_four: string;
                        /** @description Organization that the key is bound to (ID assigned by the Git provider); null if none. */
                        org_id: string | null;
                        /** @description Person who created the key and for whom it acts. Instance keys have none. */
                        owner: {
                            /** Format: uuid */
                            cr_user_id: string;
                            name: string;
                        } | null;
                        /** Format: date-time */
                        created_at: string;
                        /** @description null if the key never expires. */
                        expires_at: string | null;
                        /** @description Up to one minute behind; null if the key was never used. */
                        last_used_at: string | null;
                        /** @description Permissions granted to the key. The role of its owner can limit them further. */
                        permissions: ("organization_management:read" | "organization_management:write" | "organization_management:delete" | "repository_management:read" | "repository_management:write" | "repository_management:delete" | "user_management:read" | "user_management:write" | "user_management:delete" | "role_management:read" | "role_management:write" | "role_management:delete" | "learning:read" | "learning:write" | "learning:delete" | "metrics:read" | "metrics:write" | "metrics:delete" | "security:read" | "security:write" | "security:delete" | "audit_log:read" | "audit_log:write" | "audit_log:delete" | "api_key:read" | "api_key:write" | "api_key:delete" | "billing:read" | "billing:write" | "billing:delete")[];
                        /** @description The key itself, returned only once. A retry with the same Idempotency-Key returns the same response without it. */
                        value?: string;
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `ORG_ID_REQUIRED`, `ORG_ID_AMBIGUOUS` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `KEY_KIND_NOT_ALLOWED`, `OWNER_NOT_ADMIN`, `PERMISSION_DENIED`, `NOT_ADMIN`, `REAUTHENTICATION_REQUIRED`, `CROSS_SITE_REQUEST` */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ORGANIZATION_NOT_FOUND` */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INVALID_REQUEST`: the body arrives too slowly. Send it again. */
            408: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `IDEMPOTENCY_KEY_REUSED` */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `LEGACY_API_KEY` */
            410: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED` */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `OVERLOADED` */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getKeySelf: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The calling key and its access. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        name: string;
                        kind: "organization" | "user" | "workspace" | "instance" | "legacy" | "agentic";
                        /** @description First characters of the key, the same for all keys of a kind. */
                        prefix: string;
                        last_four: string;
                        /** @description Person who created the key and for whom it acts. Instance keys have none. */
                        owner: {
                            /** Format: uuid */
                            cr_user_id: string;
                            name: string;
                        } | null;
                        /** Format: date-time */
                        created_at: string;
                        /** @description null if the key never expires. */
                        expires_at: string | null;
                        /** @description Up to one minute behind; null if the key was never used. */
                        last_used_at: string | null;
                        /** @description Workspace, self-hosted instance or organization that owns the data. */
                        tenant_root: {
                            /** Format: uuid */
                            id: string;
                            kind: "workspace" | "instance" | "organization";
                            name: string;
                            plan: "free" | "pro" | "enterprise";
                            subscription_active: boolean;
                        };
                        /** @description Active organizations that the key can see. */
                        organizations: {
                            count: number;
                            /** @description The first 100 by ID. GET /v1/organizations returns all. */
                            first: {
                                /** Format: uuid */
                                id: string;
                                name: string;
                                provider: string;
                                provider_organization_id: string;
                            }[];
                        };
                        /** @description Whether the key has admin access. */
                        admin: boolean;
                        /** @description Effective permissions: those granted to the key that the role of its owner also allows. */
                        permissions: ("organization_management:read" | "organization_management:write" | "organization_management:delete" | "repository_management:read" | "repository_management:write" | "repository_management:delete" | "user_management:read" | "user_management:write" | "user_management:delete" | "role_management:read" | "role_management:write" | "role_management:delete" | "learning:read" | "learning:write" | "learning:delete" | "metrics:read" | "metrics:write" | "metrics:delete" | "security:read" | "security:write" | "security:delete" | "audit_log:read" | "audit_log:write" | "audit_log:delete" | "api_key:read" | "api_key:write" | "api_key:delete" | "billing:read" | "billing:write" | "billing:delete")[];
                        endpoints: {
                            method: string;
                            path: string;
                            allowed: boolean;
                            /** @description null if allowed, else the error code that a valid request returns. */
                            code: null | "INVALID_REQUEST" | "INVALID_CURSOR" | "ORG_ID_REQUIRED" | "ORG_ID_AMBIGUOUS" | "BATCH_SIZE_EXCEEDED" | "UNAUTHORIZED" | "NO_ACTIVE_SUBSCRIPTION" | "ENTERPRISE_REQUIRED" | "KEY_KIND_NOT_ALLOWED" | "OWNER_NOT_ADMIN" | "PERMISSION_DENIED" | "NOT_ADMIN" | "SELF_HOSTED_ONLY" | "ORGANIZATION_OUT_OF_SCOPE" | "METRICS_UNAVAILABLE" | "REPOSITORY_ACCESS_REQUIRED" | "REAUTHENTICATION_REQUIRED" | "CROSS_SITE_REQUEST" | "NOT_FOUND" | "ORGANIZATION_NOT_FOUND" | "METHOD_NOT_ALLOWED" | "ROLE_IN_USE" | "ROLE_NAME_TAKEN" | "LEARNING_EXISTS" | "PROTECTED_ROLE" | "LAST_ADMIN" | "KEY_IN_USE" | "CONNECTOR_EXISTS" | "IDEMPOTENCY_KEY_REUSED" | "LEGACY_API_KEY" | "RESPONSE_TOO_LARGE" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMIT_EXCEEDED" | "INTERNAL_ERROR" | "METRICS_PREPARING" | "METRICS_TEMPORARILY_UNAVAILABLE" | "OVERLOADED" | "INDEX_FAILED";
                        }[];
                        /** @description Tools for agents at /mcp. */
                        tools: {
                            name: string;
                            allowed: boolean;
                            /** @description null if allowed, else the error code that a valid request returns. */
                            code: null | "INVALID_REQUEST" | "INVALID_CURSOR" | "ORG_ID_REQUIRED" | "ORG_ID_AMBIGUOUS" | "BATCH_SIZE_EXCEEDED" | "UNAUTHORIZED" | "NO_ACTIVE_SUBSCRIPTION" | "ENTERPRISE_REQUIRED" | "KEY_KIND_NOT_ALLOWED" | "OWNER_NOT_ADMIN" | "PERMISSION_DENIED" | "NOT_ADMIN" | "SELF_HOSTED_ONLY" | "ORGANIZATION_OUT_OF_SCOPE" | "METRICS_UNAVAILABLE" | "REPOSITORY_ACCESS_REQUIRED" | "REAUTHENTICATION_REQUIRED" | "CROSS_SITE_REQUEST" | "NOT_FOUND" | "ORGANIZATION_NOT_FOUND" | "METHOD_NOT_ALLOWED" | "ROLE_IN_USE" | "ROLE_NAME_TAKEN" | "LEARNING_EXISTS" | "PROTECTED_ROLE" | "LAST_ADMIN" | "KEY_IN_USE" | "CONNECTOR_EXISTS" | "IDEMPOTENCY_KEY_REUSED" | "LEGACY_API_KEY" | "RESPONSE_TOO_LARGE" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMIT_EXCEEDED" | "INTERNAL_ERROR" | "METRICS_PREPARING" | "METRICS_TEMPORARILY_UNAVAILABLE" | "OVERLOADED" | "INDEX_FAILED";
                        }[];
                    };
                };
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `KEY_KIND_NOT_ALLOWED`, `OWNER_NOT_ADMIN` */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED` */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `OVERLOADED` */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    rotateKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key returns the first response and changes nothing again. Keys belong to the selected or bound organization. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description ID of the key, as returned by the list. */
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description Maximum number of days the old key stays valid; 0 revokes it immediately.
                     * @default 0
                     */
                    overlap_days?: number;
                    /**
                     * Format: date-time
                     * @description Expiry of the new key, not later than that of the calling key. Default: the lifetime of the old key, limited by the expiry of the calling key.
                     */
                    expires_at?: string;
                };
            };
        };
        responses: {
            /** @description The new key, with its value. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        name: string;
                        kind: "organization" | "user" | "workspace" | "instance" | "legacy" | "agentic";
                        /** @description First characters of the key, the same for all keys of a kind. */
                        prefix: string;
                        last_four: string;
                        /** @description Organization that the key is bound to (ID assigned by the Git provider); null if none. */
                        org_id: string | null;
                        /** @description Person who created the key and for whom it acts. Instance keys have none. */
                        owner: {
                            /** Format: uuid */
                            cr_user_id: string;
                            name: string;
                        } | null;
                        /** Format: date-time */
                        created_at: string;
                        /** @description null if the key never expires. */
                        expires_at: string | null;
                        /** @description Up to one minute behind; null if the key was never used. */
                        last_used_at: string | null;
                        /** @description Permissions granted to the key. The role of its owner can limit them further. */
                        permissions: ("organization_management:read" | "organization_management:write" | "organization_management:delete" | "repository_management:read" | "repository_management:write" | "repository_management:delete" | "user_management:read" | "user_management:write" | "user_management:delete" | "role_management:read" | "role_management:write" | "role_management:delete" | "learning:read" | "learning:write" | "learning:delete" | "metrics:read" | "metrics:write" | "metrics:delete" | "security:read" | "security:write" | "security:delete" | "audit_log:read" | "audit_log:write" | "audit_log:delete" | "api_key:read" | "api_key:write" | "api_key:delete" | "billing:read" | "billing:write" | "billing:delete")[];
                        /** @description The key itself, returned only once. A retry with the same Idempotency-Key returns the same response without it. */
                        value?: string;
                        /** @description The old key. */
                        replaces: {
                            /** Format: uuid */
                            id: string;
                            /** Format: date-time */
                            ends_at: string;
                        };
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `ORG_ID_AMBIGUOUS` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `KEY_KIND_NOT_ALLOWED`, `OWNER_NOT_ADMIN`, `PERMISSION_DENIED`, `NOT_ADMIN`, `REAUTHENTICATION_REQUIRED`, `CROSS_SITE_REQUEST` */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND`, `ORGANIZATION_NOT_FOUND` */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INVALID_REQUEST`: the body arrives too slowly. Send it again. */
            408: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `IDEMPOTENCY_KEY_REUSED` */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `LEGACY_API_KEY` */
            410: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED` */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `OVERLOADED` */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key returns the first response and changes nothing again. Keys belong to the selected or bound organization. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description ID of the key, as returned by the list. */
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key is revoked. */
            204: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `INVALID_REQUEST`, `ORG_ID_AMBIGUOUS` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `KEY_KIND_NOT_ALLOWED`, `OWNER_NOT_ADMIN`, `PERMISSION_DENIED`, `NOT_ADMIN`, `CROSS_SITE_REQUEST` */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND`, `ORGANIZATION_NOT_FOUND` */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `IDEMPOTENCY_KEY_REUSED` */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `LEGACY_API_KEY` */
            410: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED` */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `OVERLOADED` */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listLearnings: {
        parameters: {
            query?: {
                /** @description Workspace tokens only: organization ID assigned by the Git provider. Ignored for other keys. */
                org_id?: string;
                /** @description Repository IDs assigned by the Git provider, comma-separated, at most 10. */
                repository_ids?: string[];
                /** @description Account IDs of authors, assigned by the Git provider, comma-separated, at most 10. */
                user_ids?: string[];
                /** @description Organization IDs assigned by the Git provider, comma-separated, at most 10. They filter the organizations that the key can read, or the one in `org_id`; other values match nothing. */
                organization_ids?: string[];
                /** @description User-scoped keys only: name of a repository, as returned by GET …/repositories. The owner of the key must have verified read access to it. */
                repository_name?: string;
                /** @description Exact file paths, comma-separated, at most 10. Write a comma of a path as `\,` and a backslash as `\\`. */
                files?: string[];
                /** @description Searches by meaning and returns only what matches, best match first: Learnings that share a word with the text, or whose meaning is close. Returns one page of at most 200 Learnings; `next_cursor` is null, and `ranked_by` says whether the embedding model was used. The text is never logged. */
                search?: string;
                /** @description active: used in the last 30 days; created_this_week: created in the last 7 days. Both periods end at the time of the first page. */
                stat_filter?: "total" | "active" | "never_used" | "created_this_week";
                /** @description Learnings per page. */
                limit?: number;
                /** @description `next_cursor` of the previous page, unchanged. */
                cursor?: string;
                /** @description csv: a CSV table; the next cursor is in the response header `x-next-cursor`, and `ranked_by` of a search in `x-ranked-by`. */
                format?: "json" | "csv";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of Learnings. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "x-next-cursor": components["headers"]["x-next-cursor"];
                    "content-disposition": components["headers"]["content-disposition"];
                    "x-ranked-by": components["headers"]["x-ranked-by"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /**
                             * Format: uuid
                             * @description Does not change if the text changes.
                             */
                            id: string;
                            /** @description The text; recognized credentials are redacted. */
                            learning: string;
                            /** @description ID assigned by the Git provider. */
                            repository_id: string;
                            /** @description Current name; null if the repository is unknown. */
                            repository_name: string | null;
                            /** @description ID assigned by the Git provider. */
                            organization_id: string;
                            /** @description Current name. */
                            organization_name: string;
                            /** @description Account ID of the author, assigned by the Git provider; null if unknown. */
                            author_id: string | null;
                            /** @description User name of the author when the Learning was created; null if unknown. */
                            author_username: string | null;
                            /** @description Path of the file that the Learning is about; null if none. */
                            file: string | null;
                            /** @description Origin of the Learning; null if none. */
                            source_url: string | null;
                            /**
                             * Format: date-time
                             * @description When the Learning was created.
                             */
                            created_at: string;
                            /**
                             * Format: date-time
                             * @description When the text or state last changed.
                             */
                            updated_at: string;
                            /** @description When a review last used the Learning; null if never. */
                            last_used_at: string | null;
                            /** @description Number of reviews that used the Learning. */
                            usage_count: number;
                            /** @description Only if there is one. `addresses_agent`: the text speaks to an agent or a tool. `hidden_characters`: it contains characters that no reader sees. Both are found by heuristics. Not in CSV. */
                            flags?: ("addresses_agent" | "hidden_characters")[];
                            /** @description Only in a search: how well the Learning matches. Records are in this order. Not in CSV. */
                            score?: number;
                        }[];
                        /** @description null on the last page. */
                        next_cursor: string | null;
                        /**
                         * @description meaning: by the embedding model and by words. words: by words and files only, because the query has no word, or the model did not answer in time, is overloaded, not calibrated or not installed. Learnings that use other words are then missing; repeat the request if they matter.
                         * @enum {string}
                         */
                        ranked_by?: "meaning" | "words";
                    };
                    "text/csv": string;
                };
            };
            /** @description `INVALID_REQUEST`, `INVALID_CURSOR`, `ORG_ID_AMBIGUOUS` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `ENTERPRISE_REQUIRED`, `KEY_KIND_NOT_ALLOWED`, `OWNER_NOT_ADMIN`, `PERMISSION_DENIED`, `REPOSITORY_ACCESS_REQUIRED` */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `ORGANIZATION_NOT_FOUND` */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `RESPONSE_TOO_LARGE` */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED` */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `OVERLOADED` */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
        };
    };
    createLearnings: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key returns the first response and changes nothing again. Keys belong to the selected or bound organization. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Processed in order. An invalid item fails alone; the other items are processed. */
                    data: {
                        /** @description ID, assigned by the Git provider, of an active repository of the organization. */
                        repository_id: string;
                        /** @description Guidance for reviews, 1 to 10,000 code points after trimming. Recognized credentials are replaced by `[REDACTED:…]` before the text is stored, indexed or sent to an embedding model. */
                        learning: string;
                        /** @description Path of the file that the Learning is about. */
                        file?: string;
                        /** @description Origin of the Learning: an http or https URL without user info. */
                        source_url?: string;
                        /**
                         * @description true: the text comes from a rules file or another source that the sender did not write. If it has a flag, the Learning is pending until an Admin decides, and an equal pending or private Learning is not changed.
                         * @default false
                         */
                        import?: boolean;
                        /**
                         * @description true: share the text of an import although it has a flag. Only if the owner of the key is an Admin; otherwise, and without `import`, it has no effect.
                         * @default false
                         */
                        share_flagged?: boolean;
                    }[];
                    /**
                     * @description true: the response has the results that the same request would have now, with the same ids, and nothing is written or indexed.
                     * @default false
                     */
                    dry_run?: boolean;
                    /** @description Organization ID assigned by the Git provider. Required for workspace tokens; ignored for other keys. */
                    org_id?: string;
                };
            };
        };
        responses: {
            /** @description The result of each item. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description `success`: no item failed; `partial_success`: some failed; `failure`: all failed.
                         * @enum {string}
                         */
                        status: "success" | "partial_success" | "failure";
                        /** @description Number of created Learnings, also of those that are pending. */
                        created_count: number;
                        /** @description Number of items whose text already existed. */
                        duplicate_count: number;
                        /** @description Number of failed items. */
                        failed_count: number;
                        /** @description One result per item, in the order of the request. */
                        results: {
                            /** @description Index of the item in the request. */
                            index: number;
                            /**
                             * @description `duplicate`: a Learning with the same text exists. If it was private or pending, it is shared now, unless `state` says otherwise. With `matched`, the text was changed since, and nothing happened.
                             * @enum {string}
                             */
                            status: "created" | "duplicate" | "failed";
                            /**
                             * Format: uuid
                             * @description ID of the stored Learning, or of the disapproved one; absent if there is none. An Admin can approve the latter.
                             */
                            id?: string;
                            /**
                             * @description Only on a duplicate without an equal text: the Learning `id` was created with this text, and somebody has changed it since. It is not changed back.
                             * @enum {string}
                             */
                            matched?: "id";
                            /** @description Only on a duplicate: the fields of the item that differ from the stored Learning, which keeps its own. */
                            ignored?: ("learning" | "file" | "source_url")[];
                            /**
                             * @description Only if the Learning has this text and is not shared. `pending`: an Admin must decide on it; list such Learnings with GET /v1/learnings/pending. `private`: only its pull request uses it.
                             * @enum {string}
                             */
                            state?: "pending" | "private";
                            /** @description Only if the text has one. `addresses_agent`: it speaks to an agent or a tool. `hidden_characters`: it contains characters that no reader sees. Both are found by heuristics. */
                            flags?: ("addresses_agent" | "hidden_characters")[];
                            /** @description With `flags`, and in the same order: what in the text raises the flag. A phrase, or the code points of hidden characters. */
                            flag_excerpts?: string[];
                            /** @description The shared Learnings that say nearly the same, or the opposite, closest first: to merge them, or to delete one. Absent if the request made no text shared, or if the server has no calibrated embedding model to compare with. */
                            similar?: {
                                /**
                                 * Format: uuid
                                 * @description ID of a shared Learning of the organization.
                                 */
                                id: string;
                                /** @description How close the two texts are, by the active embedding model. 1: the same meaning. */
                                similarity: number;
                            }[];
                            error?: {
                                /**
                                 * @description `INDEX_FAILED`: the Learning is stored, but reviews do not find it yet; send the same item again to repair the index. `RATE_LIMIT_EXCEEDED`: the item would be pending, and the tenant has the maximum of pending Learnings.
                                 * @enum {string}
                                 */
                                code: "INVALID_ITEM" | "REPOSITORY_NOT_FOUND" | "DISAPPROVED" | "INDEX_FAILED" | "RATE_LIMIT_EXCEEDED" | "INTERNAL_ERROR";
                                /** @description For people; the wording may change. */
                                message: string;
                            };
                        }[];
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `ORG_ID_REQUIRED`, `ORG_ID_AMBIGUOUS` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `ENTERPRISE_REQUIRED`, `KEY_KIND_NOT_ALLOWED`, `OWNER_NOT_ADMIN`, `PERMISSION_DENIED`, `CROSS_SITE_REQUEST` */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `ORGANIZATION_NOT_FOUND` */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `INVALID_REQUEST`: the body arrives too slowly. Send it again. */
            408: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `IDEMPOTENCY_KEY_REUSED` */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `LEGACY_API_KEY` */
            410: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED` */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `OVERLOADED` */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
        };
    };
    deleteLearning: {
        parameters: {
            query?: {
                /** @description Organization ID assigned by the Git provider. Required for workspace tokens; ignored for other keys. */
                org_id?: string;
            };
            header?: {
                /** @description For 24 hours, the same request with the same key returns the first response and changes nothing again. Keys belong to the selected or bound organization. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description ID of the Learning, as returned by create or export. */
                learning_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The Learning does not exist any more. */
            204: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `INVALID_REQUEST`, `ORG_ID_REQUIRED`, `ORG_ID_AMBIGUOUS` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `ENTERPRISE_REQUIRED`, `KEY_KIND_NOT_ALLOWED`, `OWNER_NOT_ADMIN`, `PERMISSION_DENIED`, `CROSS_SITE_REQUEST` */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `ORGANIZATION_NOT_FOUND` */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `IDEMPOTENCY_KEY_REUSED` */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `LEGACY_API_KEY` */
            410: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED` */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `OVERLOADED` */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
        };
    };
    updateLearning: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key returns the first response and changes nothing again. Keys belong to the selected or bound organization. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description ID of the Learning, as returned by create or export. */
                learning_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Guidance for reviews, 1 to 10,000 code points after trimming. Recognized credentials are replaced by `[REDACTED:…]` before the text is stored, indexed or sent to an embedding model. */
                    learning: string;
                    /** @description Organization ID assigned by the Git provider. Required for workspace tokens; ignored for other keys. */
                    org_id?: string;
                };
            };
        };
        responses: {
            /** @description The updated Learning. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: uuid
                         * @description Does not change if the text changes.
                         */
                        id: string;
                        /** @description The text; recognized credentials are redacted. */
                        learning: string;
                        /** @description ID assigned by the Git provider. */
                        repository_id: string;
                        /** @description Current name; null if the repository is unknown. */
                        repository_name: string | null;
                        /** @description ID assigned by the Git provider. */
                        organization_id: string;
                        /** @description Current name. */
                        organization_name: string;
                        /** @description Account ID of the author, assigned by the Git provider; null if unknown. */
                        author_id: string | null;
                        /** @description User name of the author when the Learning was created; null if unknown. */
                        author_username: string | null;
                        /** @description Path of the file that the Learning is about; null if none. */
                        file: string | null;
                        /** @description Origin of the Learning; null if none. */
                        source_url: string | null;
                        /**
                         * Format: date-time
                         * @description When the Learning was created.
                         */
                        created_at: string;
                        /**
                         * Format: date-time
                         * @description When the text or state last changed.
                         */
                        updated_at: string;
                        /** @description When a review last used the Learning; null if never. */
                        last_used_at: string | null;
                        /** @description Number of reviews that used the Learning. */
                        usage_count: number;
                        /** @description Only if there is one. `addresses_agent`: the text speaks to an agent or a tool. `hidden_characters`: it contains characters that no reader sees. Both are found by heuristics. Not in CSV. */
                        flags?: ("addresses_agent" | "hidden_characters")[];
                        /** @description Only in a search: how well the Learning matches. Records are in this order. Not in CSV. */
                        score?: number;
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `ORG_ID_REQUIRED`, `ORG_ID_AMBIGUOUS` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `ENTERPRISE_REQUIRED`, `KEY_KIND_NOT_ALLOWED`, `OWNER_NOT_ADMIN`, `PERMISSION_DENIED`, `CROSS_SITE_REQUEST` */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `NOT_FOUND`, `ORGANIZATION_NOT_FOUND` */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `INVALID_REQUEST`: the body arrives too slowly. Send it again. */
            408: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `LEARNING_EXISTS`, `IDEMPOTENCY_KEY_REUSED` */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `LEGACY_API_KEY` */
            410: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED` */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `OVERLOADED`, `INDEX_FAILED` */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
        };
    };
    listPendingLearnings: {
        parameters: {
            query?: {
                /** @description Organization ID assigned by the Git provider. Required for workspace tokens; ignored for other keys. */
                org_id?: string;
                /** @description Repository IDs assigned by the Git provider, comma-separated, at most 10. */
                repository_ids?: string[];
                /** @description Where the proposal comes from. */
                source?: "chat" | "review" | "agent" | "connector";
                /** @description Learnings per page. */
                limit?: number;
                /** @description `next_cursor` of the previous page, unchanged. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of pending Learnings. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /**
                             * Format: uuid
                             * @description Decide with POST /v1/learnings/approvals.
                             */
                            id: string;
                            /** @description The text; recognized credentials are redacted. */
                            learning: string;
                            /** @description Path of the file that the Learning is about; null if none. */
                            file: string | null;
                            /** @description Origin of the Learning; null if none. */
                            source_url: string | null;
                            /** @description ID assigned by the Git provider. */
                            organization_id: string;
                            /** @description ID assigned by the Git provider. */
                            repository_id: string;
                            /** @description Current name; null if the repository is unknown. */
                            repository_name: string | null;
                            /**
                             * @description Where the proposal comes from. `api`: an import of a rules file, sent to POST /v1/learnings.
                             * @enum {string}
                             */
                            source: "chat" | "review" | "agent" | "connector" | "api";
                            /** @description Account ID of the author, assigned by the Git provider; null if unknown. */
                            author_id: string | null;
                            /** @description User name of the author when the Learning was proposed; null if unknown. */
                            author_username: string | null;
                            /**
                             * Format: date-time
                             * @description When the Learning was proposed.
                             */
                            proposed_at: string;
                            /** @description When the server approves the Learning automatically; null if it waits for a person. */
                            deadline: string | null;
                            /** @description Number of the pull request that the proposal comes from; null if none, or if unknown. */
                            pull_request: number | null;
                            /** @description `addresses_agent`: the text speaks to an agent or a tool. `hidden_characters`: it contains characters that no reader sees. Both are found by heuristics. */
                            flags: ("addresses_agent" | "hidden_characters")[];
                            /** @description The shared Learnings that say nearly the same, or the opposite, closest first. null if the text was not compared: the server has no calibrated embedding model, or the model did not answer in time. */
                            similar: {
                                /**
                                 * Format: uuid
                                 * @description ID of a shared Learning of the organization.
                                 */
                                id: string;
                                /** @description How close the two texts are, by the active embedding model. 1: the same meaning. */
                                similarity: number;
                            }[] | null;
                        }[];
                        /** @description null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `INVALID_CURSOR`, `ORG_ID_REQUIRED`, `ORG_ID_AMBIGUOUS` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `ENTERPRISE_REQUIRED`, `KEY_KIND_NOT_ALLOWED`, `OWNER_NOT_ADMIN`, `PERMISSION_DENIED`, `NOT_ADMIN` */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `ORGANIZATION_NOT_FOUND` */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `LEGACY_API_KEY` */
            410: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED` */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `OVERLOADED` */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
        };
    };
    decideOnLearning: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key returns the first response and changes nothing again. Keys belong to the selected or bound organization. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description ID of the Learning, as returned by create or export. */
                learning_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    decision: "approve" | "disapprove";
                    /** @description Organization ID assigned by the Git provider. Required for workspace tokens; ignored for other keys. */
                    org_id?: string;
                };
            };
        };
        responses: {
            /** @description The decision. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /**
                         * @description `deleted`: the disapproved Learning was deleted before, so that only its text is permitted again: create it.
                         * @enum {string}
                         */
                        state: "shared" | "disapproved" | "deleted";
                        /** @description The shared Learnings that say nearly the same, or the opposite, closest first: to merge them, or to delete one. Absent if the request made no text shared, or if the server has no calibrated embedding model to compare with. */
                        similar?: {
                            /**
                             * Format: uuid
                             * @description ID of a shared Learning of the organization.
                             */
                            id: string;
                            /** @description How close the two texts are, by the active embedding model. 1: the same meaning. */
                            similarity: number;
                        }[];
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `ORG_ID_REQUIRED`, `ORG_ID_AMBIGUOUS` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `ENTERPRISE_REQUIRED`, `KEY_KIND_NOT_ALLOWED`, `OWNER_NOT_ADMIN`, `PERMISSION_DENIED`, `NOT_ADMIN`, `CROSS_SITE_REQUEST` */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `NOT_FOUND`, `ORGANIZATION_NOT_FOUND` */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `INVALID_REQUEST`: the body arrives too slowly. Send it again. */
            408: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `IDEMPOTENCY_KEY_REUSED` */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `LEGACY_API_KEY` */
            410: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED` */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `OVERLOADED` */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
        };
    };
    decideOnLearnings: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key returns the first response and changes nothing again. Keys belong to the selected or bound organization. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Applied in this order. */
                    decisions: {
                        /** @description ID of a pending or disapproved Learning. */
                        learning_id: string;
                        /** @enum {string} */
                        decision: "approve" | "disapprove";
                    }[];
                    /** @description Organization ID assigned by the Git provider. Required for workspace tokens; ignored for other keys. */
                    org_id?: string;
                };
            };
        };
        responses: {
            /** @description The result of each decision. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description `success`: no item failed; `partial_success`: some failed; `failure`: all failed.
                         * @enum {string}
                         */
                        status: "success" | "partial_success" | "failure";
                        /** @description One result per decision, in the order of the request. */
                        results: {
                            /** @description As sent. */
                            learning_id: string;
                            /** @enum {string} */
                            status: "decided" | "failed";
                            /**
                             * @description `deleted`: the disapproved Learning was deleted before, so that only its text is permitted again. null if it failed.
                             * @enum {string|null}
                             */
                            state: "shared" | "disapproved" | "deleted" | null;
                            /**
                             * @description `NOT_FOUND`: the organization has no pending or disapproved Learning with this id. null if it was decided.
                             * @enum {string|null}
                             */
                            code: "NOT_FOUND" | null;
                        }[];
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `ORG_ID_REQUIRED`, `ORG_ID_AMBIGUOUS` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `ENTERPRISE_REQUIRED`, `KEY_KIND_NOT_ALLOWED`, `OWNER_NOT_ADMIN`, `PERMISSION_DENIED`, `NOT_ADMIN`, `CROSS_SITE_REQUEST` */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `ORGANIZATION_NOT_FOUND` */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `INVALID_REQUEST`: the body arrives too slowly. Send it again. */
            408: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `IDEMPOTENCY_KEY_REUSED` */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `LEGACY_API_KEY` */
            410: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED` */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description `OVERLOADED` */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
        };
    };
    findReviewContext: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key returns the first response and changes nothing again. Keys belong to the selected or bound organization. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description ID, assigned by the Git provider, of the repository under review. */
                    repository_id: string;
                    /** @description Organization ID assigned by the Git provider. Required for workspace tokens; ignored for other keys. */
                    org_id?: string;
                    /** @description Description of the change, in your own words. Never logged. */
                    text?: string;
                    /** @description A unified diff. For a long diff, only some lines of each file are used. Never logged. */
                    diff?: string;
                    /** @description Paths of the files that are changed or read. */
                    files?: string[];
                    /**
                     * @description Maximum number of Learnings to return. Fewer are returned, or none, if fewer match.
                     * @default 10
                     */
                    k?: number;
                    /**
                     * @description Whether the returned Learnings with a strong match count as used. Set it to false if you only browse.
                     * @default true
                     */
                    record_use?: boolean;
                    /** @description Number of the open pull request under review. Includes its private Learnings. */
                    pull_request?: number;
                };
            };
        };
        responses: {
            /** @description The matching Learnings, best match first. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Best match first. */
                        learnings: {
                            /** Format: uuid */
                            id: string;
                            learning: string;
                            /** @description Path of the file that the Learning is about; null if none. */
                            file: string | null;
                            /** @description How well the Learning matches. Learnings below the calibrated floor are not returned. */
                            score: number;
                            /**
                             * @description strong: the Learning probably applies, and counts as used. weak: it may apply; read it before you rely on it.
                             * @enum {string}
                             */
                            match: "strong" | "weak";
                            /** @description Why the Learning matches, in one sentence. */
                            reason: string;
                            /** @description User name of the author when the Learning was created; null if unknown. */
                            author_username: string | null;
                            /**
                             * @description How it was created.
                             * @enum {string}
                             */
                            source: "api" | "chat" | "review" | "agent" | "connector";
                            /**
                             * Format: date-time
                             * @description When the Learning was created.
                             */
                            created_at: string;
                            /** @description IDs of other Learnings of this response that speak against this one. Of two such Learnings, the one that was approved later comes first. Found by heuristics: a team may have contradictions that are not recognized. */
                            contradicts: string[];
                            /** @description Only if there is one. `addresses_agent`: the text speaks to an agent or a tool. `hidden_characters`: it contains characters that no reader sees. Both are found by heuristics. */
                            flags?: ("addresses_agent" | "hidden_characters")[];
                        }[];
                        /**
                         * @description meaning: by the embedding model and by words. words: by words and files only, because the query has no word, or the model did not answer in time, is overloaded, not calibrated or not installed. Learnings that use other words are then missing; repeat the request if they matter.
                         * @enum {string}
                         */
                        ranked_by: "meaning" | "words";
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `ORG_ID_REQUIRED`, `ORG_ID_AMBIGUOUS` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ENTERPRISE_REQUIRED`, `KEY_KIND_NOT_ALLOWED`, `OWNER_NOT_ADMIN`, `PERMISSION_DENIED`, `CROSS_SITE_REQUEST` */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND`, `ORGANIZATION_NOT_FOUND` */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INVALID_REQUEST`: the body arrives too slowly. Send it again. */
            408: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `IDEMPOTENCY_KEY_REUSED` */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `LEGACY_API_KEY` */
            410: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED` */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `OVERLOADED` */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session of the request. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        person: {
                            /** Format: uuid */
                            cr_user_id: string;
                            name: string;
                            email: string | null;
                        };
                        /** @description Active organizations by name, at most 1,000. Workspace admins act in all of them. */
                        organizations: {
                            /**
                             * Format: uuid
                             * @description Pass it in `x-scholiast-organization`.
                             */
                            id: string;
                            name: string;
                            provider: string;
                            provider_organization_id: string;
                            role: "cr_admin" | "cr_member" | "cr_billing_admin";
                            role_name: string;
                        }[];
                        /** @description May pass `all` in `x-scholiast-organization`. */
                        workspace_admin: boolean;
                        /**
                         * Format: date-time
                         * @description Each request moves it, up to 24 hours after the sign-in.
                         */
                        expires_at: string;
                        /** @description Until then, requests that need a recent sign-in are accepted; later ones are 403 REAUTHENTICATION_REQUIRED. null if the identity provider did not say when you signed in: such requests are refused. */
                        fresh_until: string | null;
                    };
                };
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `KEY_KIND_NOT_ALLOWED` */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `LEGACY_API_KEY` */
            410: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED` */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `OVERLOADED` */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Your open sessions. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The most recently used first, at most 100. */
                        data: {
                            /** Format: uuid */
                            id: string;
                            method: "provider" | "passkey" | "link";
                            issuer: string | null;
                            user_agent: string;
                            /** Format: date-time */
                            created_at: string;
                            /**
                             * Format: date-time
                             * @description Up to one minute behind.
                             */
                            last_used_at: string;
                            /** Format: date-time */
                            expires_at: string;
                            /** @description Whether this request was sent in it. */
                            current: boolean;
                        }[];
                    };
                };
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `KEY_KIND_NOT_ALLOWED` */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `LEGACY_API_KEY` */
            410: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED` */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `OVERLOADED` */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key returns the first response and changes nothing again. Keys belong to the selected or bound organization. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description ID of one of your sessions. */
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session has ended. */
            204: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `KEY_KIND_NOT_ALLOWED`, `CROSS_SITE_REQUEST` */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND` */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `IDEMPOTENCY_KEY_REUSED` */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `LEGACY_API_KEY` */
            410: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED` */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `OVERLOADED` */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    ingestEvents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": (components["schemas"]["inventory.changed.v1"] | components["schemas"]["pull_request.finalized.v1"] | components["schemas"]["finding.outcome.v1"] | components["schemas"]["mcp.used.v1"] | components["schemas"]["learning.proposed.v1"] | components["schemas"]["pull_request.closed.v1"] | components["schemas"]["learning.used.v1"] | components["schemas"]["reviewer.tagged.v1"] | components["schemas"]["security_scan.completed.v1"] | components["schemas"]["security_finding.dismissed.v1"])[];
                "application/x-ndjson": string;
            };
        };
        responses: {
            /** @description The number of accepted events, and the rejected ones. */
            202: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Number of events that are stored durably. */
                        accepted: number;
                        /** @description Events that are not stored, with the reason. Sent again unchanged, they are rejected again. */
                        rejected: {
                            /** @description Index of the event in the request, from 0. */
                            index: number;
                            /** @enum {unknown} */
                            code: "INVALID_REQUEST" | "PAYLOAD_TOO_LARGE";
                            message: string;
                        }[];
                        /** @description Accepted events that you probably meant otherwise: an unknown severity or category (stored as null), an ignored field that looks like a field of the schema, a provider that is not in lower case. The first 100, and each event that is not stored because it is older than the metrics that the operator stores. */
                        warnings: {
                            /** @description Index of the event in the request, from 0. */
                            index: number;
                            /** @description The field in the event. */
                            path: string;
                            message: string;
                        }[];
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `BATCH_SIZE_EXCEEDED` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INVALID_REQUEST`: the body arrives too slowly. Send it again. */
            408: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED` */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `OVERLOADED` */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    uploadSarif: {
        parameters: {
            query: {
                /** @description Git provider of the organization, for example `github`. */
                provider: string;
                /** @description Host of the Git provider. Default: the provider’s cloud host. */
                host?: string;
                /** @description ID of the organization, assigned by the Git provider. */
                org_id: string;
                /** @description ID of the repository, assigned by the Git provider. */
                repo_id: string;
                /** @description Name of the repository, used until the inventory has the repository. */
                repository_name?: string;
                /** @description ID of the scan. A scan with the same ID counts once. Default: a new ID for each file. */
                scan_id?: string;
                /** @description Replaces the category of the runs. */
                category?: string;
                /** @description Replaces the branch of the runs. */
                branch?: string;
                /** @description Replaces the revision of the runs. */
                commit?: string;
                /** @description Time of the scan. Default: the end time of the runs, or the current time. */
                scanned_at?: string;
                /** @description false: the scan is partial, so that missing findings are not marked as fixed. */
                complete?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/sarif+json": {
                    /** @constant */
                    version: "2.1.0";
                    runs: Record<string, never>[];
                };
                "application/json": {
                    /** @constant */
                    version: "2.1.0";
                    runs: Record<string, never>[];
                };
            };
        };
        responses: {
            /** @description The stored scans. */
            202: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        scans: {
                            scan_id: string;
                            tool: string;
                            /** @description Empty if the runs have no category. */
                            category: string;
                            /** @description Number of findings, without absent results, passed checks and duplicates. */
                            findings: number;
                        }[];
                    };
                };
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INVALID_REQUEST`: the body arrives too slowly. Send it again. */
            408: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED` */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `OVERLOADED` */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getIngestStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The status of the events of the credential. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description When the latest event was accepted; null if there was none in the last 30 days. */
                        last_event_at: string | null;
                        /** @description Events that could not be stored yet and are retried for about an hour, for example because their organization or repository is unknown. Oldest first. */
                        waiting: {
                            /** @description Null if the events name several organizations. */
                            provider: string | null;
                            /** @description ID of the organization, as the events name it. */
                            organization: string | null;
                            /** @description ID of the repository, as the events name it; null if they name none. */
                            repository: string | null;
                            type: string;
                            count: number;
                            /**
                             * Format: date-time
                             * @description When the oldest of them was accepted.
                             */
                            since: string;
                        }[];
                        /** @description Messages whose events were given up. The operator can replay them. */
                        dead_letters: number;
                        /** @description Age of the oldest accepted event that was not processed yet; 0 if all were. */
                        lag_seconds: number;
                    };
                };
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED` */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `OVERLOADED` */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getEventStatuses: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description IDs of events that you sent. */
                    ids: string[];
                };
            };
        };
        responses: {
            /** @description The status of each event. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description One entry per ID, in the order of the request. */
                        data: {
                            /** @description The ID as sent in the request. */
                            id: string;
                            /**
                             * @description stored: what the event changes is committed. refused: it will not be stored, because it was given up or its ID stands for another event, or it is older than the metrics that are stored. parked: it could not be stored yet and is retried for about an hour, for example because its organization is unknown. unknown: it waits in the queue, never arrived, was sent with another credential or more than 7 days ago. Send it again if it stays unknown.
                             * @enum {string}
                             */
                            status: "stored" | "refused" | "parked" | "unknown";
                        }[];
                    };
                };
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INVALID_REQUEST`: the body arrives too slowly. Send it again. */
            408: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED` */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `OVERLOADED` */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
}

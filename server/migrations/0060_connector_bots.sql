-- Accounts that review as bots although the provider does not call them bots, as the API has them: [{account_id, reviewer, format}].

alter table connector add column bots jsonb not null default '[]';

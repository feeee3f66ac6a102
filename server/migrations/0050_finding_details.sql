-- Location, time and form of findings, the reason of their outcomes, and the reviewers of the pull request: for the ledger of
-- reviewers. Apart from `findings`, which the feed of changes returns. Null: written by the version before, or nothing sent.
alter table pull_request add column details json, alter column details set compression lz4;

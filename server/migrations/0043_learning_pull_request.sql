-- Number of the pull request that a Learning was proposed from: its origins are deleted when it leaves the private state. Null
-- if it was not proposed from one, or became pending before this column existed.
alter table learning add column pull_request bigint;

-- Why git could not read a repository, for the list of connectors. Reading goes on meanwhile, without the evidence of the code.

alter table connector add column git_error text;

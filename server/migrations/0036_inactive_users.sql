-- A job that promotes a deactivated person reports USER_INACTIVE. The previous version knows fewer codes, so such a user has
-- the code INTERNAL_ERROR for it, and this beside it.
alter table role_job_user add column inactive boolean;

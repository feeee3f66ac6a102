-- Admins change the settings of Learnings over HTTP; before, only the operator did.
grant insert, update, delete on learning_setting to scholiast_api;

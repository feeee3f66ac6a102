-- The API unlinks the accounts of a former holder when SCIM gives a person to another account.

grant delete on identity to scholiast_api;

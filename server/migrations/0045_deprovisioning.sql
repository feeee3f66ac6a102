-- Requests offboard people: they deactivate a person and end memberships and repository access. Until now only the operator and
-- events did. The right to update a person also allows the lock that the creation of a key takes on its owner.
grant update (active, workspace_admin) on person to scholiast_api;
grant delete on membership, repository_access to scholiast_api;

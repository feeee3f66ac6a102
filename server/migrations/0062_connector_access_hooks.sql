-- A hook about members or teams makes the list of readers of a repository due, as it does the inventory of the connector.

grant update (readers_due_at) on connector_repository to scholiast_api;

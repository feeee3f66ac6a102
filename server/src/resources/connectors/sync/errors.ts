/** The credential reads another organization than the one that it was entered for. */
export class WrongOrganizationError extends Error {
  override readonly name = 'WrongOrganizationError'
}

/** The secrets of the connector were encrypted with a key that CONNECTOR_KEYS no longer has. */
export class UnreadableSecretError extends Error {
  override readonly name = 'UnreadableSecretError'
}

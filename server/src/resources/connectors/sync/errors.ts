/** The credential reads another organization than the one that it was entered for. */
export class WrongOrganizationError extends Error {
  override readonly name = 'WrongOrganizationError'
}

/** The event queue does not take events now. They are sent again after the next read. */
export class QueueUnavailableError extends Error {
  override readonly name = 'QueueUnavailableError'
}

/** The secrets of the connector were encrypted with a key that CONNECTOR_KEYS no longer has. */
export class UnreadableSecretError extends Error {
  override readonly name = 'UnreadableSecretError'
}

/** A step took longer than it may. It was ended, so that others get its slot. */
export class DeadlineExceededError extends Error {
  override readonly name = 'DeadlineExceededError'
}

/** An organization or a repository has more of something than a worker holds in memory. */
export class TooManyItemsError extends Error {
  override readonly name = 'TooManyItemsError'
}

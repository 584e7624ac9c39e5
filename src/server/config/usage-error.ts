/**
 * The program was called with wrong arguments or configuration. The caller gets one line of explanation and exit code
 * 2.
 */
export class UsageError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'UsageError'
  }
}

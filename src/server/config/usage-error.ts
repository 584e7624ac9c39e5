/**
 * Thrown when the arguments or the configuration of the program are not valid. The program then prints one line of
 * explanation and exits with code 2.
 */
export class UsageError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'UsageError'
  }
}

/** The program was called wrongly: one line for whoever called it, and exit code 2. */
export class CallError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'CallError'
  }
}

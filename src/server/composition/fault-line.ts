/** Formats an error that did not occur in a request as one log line with its stack trace. */
export const faultLine = (error: unknown): string =>
  JSON.stringify(error instanceof Error ? (error.stack ?? error.message) : String(error))

/**
 * The status of an error when the server has another build of the page than this tab, which needs a reload. No response has this
 * status.
 */
export const updatedStatus = 1

/**
 * The code of a part of the page could not be loaded. Unless the server has another build now, a failed request and a timeout
 * both count as an unreachable server, because browsers do not say why an import failed.
 */
export class PartLoadError extends Error {
  /** The status with which the error is shown: `updatedStatus`, or 0 for an unreachable server. */
  readonly status: number
  constructor(status: number, cause?: unknown) {
    super('The code of a part of the page could not be loaded.', { cause })
    this.name = 'PartLoadError'
    this.status = status
  }
}

/**
 * Finds out why code could not be loaded, and returns the status of the error. After an update, the server no longer has the file of
 * this module, whose name depends on the code of all parts. A proxy whose server is missing may respond with 404, too, so only
 * a response with an error code of the server counts.
 */
export async function statusOfMissingPart(): Promise<number> {
  try {
    const { headers } = await fetch(import.meta.url, { method: 'HEAD', cache: 'no-store' })
    return headers.get('x-error') === 'not-found' ? updatedStatus : 0
  } catch {
    return 0
  }
}

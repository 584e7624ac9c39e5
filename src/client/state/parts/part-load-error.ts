/**
 * The code of a part of the page could not be loaded. A failed request and a timeout both count as an unreachable server,
 * because browsers do not say why an import failed.
 */
export class PartLoadError extends Error {
  constructor(cause?: unknown) {
    super('The code of a part of the page could not be loaded.', { cause })
    this.name = 'PartLoadError'
  }
}

/** An image that is damaged, larger than a limit, or stored in a way that is not supported. */
export class UnreadableImageError extends Error {
  constructor(reason: string) {
    super(`The image cannot be read: ${reason}.`)
  }
}

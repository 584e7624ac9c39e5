/** An image that is damaged, larger than a limit, or stored in a way that is not supported. */
export class UnreadableImageError extends Error {
  constructor(reason: string) {
    super(`The image cannot be read: ${reason}.`)
  }
}

/** An image whose content contradicts itself or ends too early. */
export class DamagedImageError extends UnreadableImageError {}

/**
 * Waits for a read, and returns the fallback when the read fails because of damaged data. Other errors, such as a lost
 * connection, are thrown.
 */
export async function withFallback<Value, Fallback>(
  read: Promise<Value>,
  fallback: Fallback,
): Promise<Value | Fallback> {
  try {
    return await read
  } catch (error) {
    if (error instanceof UnreadableImageError) return fallback
    throw error
  }
}

/** Decodes a percent-encoded part of a URL. A part with an invalid encoding is returned unchanged. */
export function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

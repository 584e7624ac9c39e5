/** Decodes a part of a URL. A part that is not encoded rightly is taken as it is. */
export function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Decodes the octal escapes that the kernel writes for spaces and similar characters in the paths of its mount list. */
export const unescapeOctal = (text: string): string =>
  text.replace(/\\(\d{3})/g, (_all, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)))

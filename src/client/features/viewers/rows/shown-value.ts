/**
 * The part of a long value that is rendered, in characters. Browsers need 6 s for 100,000 characters that change their
 * direction, and 0.2 s for this number. The whole value can be copied.
 */
const maxLength = 10_000

/** Returns a value, or its beginning. */
export const shownValue = (value: string): string =>
  value.length > maxLength ? `${value.slice(0, maxLength)}…` : value

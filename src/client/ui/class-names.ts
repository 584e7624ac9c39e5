/** Joins class names and leaves out false, null and undefined values. */
export const classNames = (...names: readonly (string | false | null | undefined)[]): string =>
  names.filter(Boolean).join(' ')

/**
 * The last time that an uploaded file can keep, in ms since 1970: the end of the year 9999. Later times cannot be written
 * in RFC 3339, the time format of the API.
 */
export const maxModifiedMs = 253_402_300_799_999

/** The first time that an uploaded file can keep, in ms since 1970: the beginning of the year 1, the first one in RFC 3339. */
export const minModifiedMs = -62_135_596_800_000

/**
 * Returns true for a time that an uploaded file can keep. Browsers and devices report 0 for a time that they do not know.
 */
export const isKeptTime = (modifiedMs: number): boolean =>
  modifiedMs !== 0 && modifiedMs >= minModifiedMs && modifiedMs <= maxModifiedMs

/**
 * The last time that an uploaded file can keep, in ms since 1970: the end of the year 9999. Later times cannot be written
 * in RFC 3339, the time format of the API.
 */
export const maxModifiedMs = 253_402_300_799_999

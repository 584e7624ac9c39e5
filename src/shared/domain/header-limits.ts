import { limits } from './limits.ts'

/** A value of a fixed form, such as a number, a date or a keyword. */
const keyword = 256
/** A short list or address, of which programs send some dozens of characters. */
const short = 1024
/** A list, such as the tags of cached versions. */
const list = 8 * 1024

/** The characters that a percent-encoded character of UTF-8 takes at most. */
const encodedCharacter = 3 * 4

/**
 * The maximum length of each request header that the server reads, in characters, by its lower-case name. A request with a
 * longer header is refused with 400. Every header that the server reads is here, except the header of a trusted proxy, whose
 * name the administrator chooses.
 */
export const headerCharacters: ReadonlyMap<string, number> = new Map(
  Object.entries({
    accept: 4 * 1024,
    'accept-encoding': short,
    'content-encoding': keyword,
    'content-length': keyword,
    'content-type': short,
    // The credentials of a proxy's login arrive as well, such as a ticket of Kerberos.
    authorization: 16 * 1024,
    // Cookies of other programs on the same host arrive as well.
    cookie: 64 * 1024,
    expect: keyword,
    host: short,
    'if-match': list,
    'if-modified-since': keyword,
    'if-none-match': list,
    'if-range': short,
    'if-unmodified-since': keyword,
    origin: short,
    range: list,
    'sec-fetch-dest': keyword,
    'sec-fetch-mode': keyword,
    'sec-fetch-site': keyword,
    'sec-websocket-extensions': short,
    'sec-websocket-key': keyword,
    'sec-websocket-protocol': short,
    'sec-websocket-version': keyword,
    'service-worker': keyword,
    'transfer-encoding': keyword,
    upgrade: keyword,
    'upload-length': keyword,
    'upload-offset': keyword,
    'user-agent': 4 * 1024,
    'x-auth': limits.tokenCharacters,
    'x-encoding': keyword,
    // Each proxy on the way adds an address.
    'x-forwarded-for': list,
    'x-forwarded-host': list,
    'x-forwarded-port': short,
    'x-forwarded-proto': short,
    'x-guest-name': limits.guestNameCharacters * encodedCharacter,
    'x-guest-note': limits.guestNoteCharacters * encodedCharacter,
    'x-modified-ms': keyword,
    // Our client sends an id of 24 characters. It is checked where it is read, and has at most 64.
    'x-origin': keyword,
    'x-share-password': limits.passwordBytes * 3,
    'x-upload-id': keyword,
  }),
)

/** The maximum length of a header that is read although it is not in the table: the name of a user from a trusted proxy. */
export const otherHeaderCharacters = short

/** No limit is lower, so that shorter headers need not be looked up. */
export const leastHeaderCharacters = keyword

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const timeLength = 10
const randomLength = 16

/** Returns an id of 26 characters that sorts by creation time: 48 bits of milliseconds, then 80 random bits. */
export function sortableId(atMs: number, randomBytes: (count: number) => Uint8Array): string {
  let time = ''
  for (let rest = atMs; time.length < timeLength; rest = Math.floor(rest / 32))
    time = character(rest % 32) + time
  return time + Array.from(randomBytes(randomLength), (byte) => character(byte % 32)).join('')
}

const character = (value: number): string => alphabet[value] ?? '0'

/** A part of a file: the bytes from `start` up to, but not including, `end`. */
export type ByteRange = { readonly start: number; readonly end: number }

/** The parts of a file that a request requests: the whole file, some parts, or only parts beyond its end. */
export type RangeRequest =
  | { readonly kind: 'whole' }
  | { readonly kind: 'parts'; readonly parts: readonly ByteRange[] }
  | { readonly kind: 'unsatisfiable' }

const wholeFile: RangeRequest = { kind: 'whole' }
const maxParts = 4

/**
 * Parses a `Range` header (RFC 9110 14.2). A malformed header is ignored. A request for more than four parts,
 * overlapping parts or parts out of order is answered with the whole file (contract 5.1), so that a response never has
 * more bytes than the file.
 */
export function readRanges(header: string | undefined, sizeBytes: number): RangeRequest {
  if (header === undefined) return wholeFile
  const specs = /^\s*bytes\s*=\s*(.*)$/i
    .exec(header)?.[1]
    ?.split(',')
    .map((spec) => spec.trim())
  const sent = specs?.filter((spec) => spec !== '')
  if (sent === undefined || sent.length === 0 || sent.length > 100) return wholeFile
  const parts: ByteRange[] = []
  for (const spec of sent) {
    const part = readSpec(spec, sizeBytes)
    if (part === 'malformed') return wholeFile
    if (part !== 'outside') parts.push(part)
  }
  if (parts.length === 0) return { kind: 'unsatisfiable' }
  return parts.length > maxParts || overlap(parts) ? wholeFile : { kind: 'parts', parts }
}

function readSpec(spec: string, sizeBytes: number): ByteRange | 'outside' | 'malformed' {
  const [, first = '', last = ''] = /^(\d{0,15})\s*-\s*(\d{0,15})$/.exec(spec) ?? []
  if (first === '' && last === '') return 'malformed'
  if (first === '') {
    const start = Math.max(0, sizeBytes - Number(last))
    return start < sizeBytes ? { start, end: sizeBytes } : 'outside'
  }
  const start = Number(first)
  const end = last === '' ? sizeBytes : Math.min(Number(last) + 1, sizeBytes)
  if (last !== '' && Number(last) < start) return 'malformed'
  return start < sizeBytes ? { start, end } : 'outside'
}

const overlap = (parts: readonly ByteRange[]): boolean =>
  parts.some((part, at) => part.start < (parts[at - 1]?.end ?? 0))

/** A range of bytes in a file, from `start` up to, but not including, `end`. */
export type ByteRange = { readonly start: number; readonly end: number }

/** The parts of a file that a client requests: the whole file, some parts, or only parts beyond the end of the file. */
export type RangeRequest =
  | { readonly kind: 'whole' }
  | { readonly kind: 'parts'; readonly parts: readonly ByteRange[] }
  | { readonly kind: 'unsatisfiable' }

const wholeFile: RangeRequest = { kind: 'whole' }
const maxParts = 4

/**
 * Parses a `Range` header (RFC 9110 14.2). A malformed header is ignored. For more than four parts, overlapping parts
 * or parts out of order, the whole file is sent (contract 5.1), so that a response never contains more bytes of the
 * file than the file has.
 */
export function parseRanges(header: string | undefined, sizeBytes: number): RangeRequest {
  if (header === undefined) return wholeFile
  const specs = /^\s*bytes\s*=\s*(.*)$/i
    .exec(header)?.[1]
    ?.split(',')
    .map((spec) => spec.trim())
  const nonEmpty = specs?.filter((spec) => spec !== '')
  if (nonEmpty === undefined || nonEmpty.length === 0 || nonEmpty.length > 100) return wholeFile
  const parts: ByteRange[] = []
  for (const spec of nonEmpty) {
    const part = parseRangeSpec(spec, sizeBytes)
    if (part === 'malformed') return wholeFile
    if (part !== 'outside') parts.push(part)
  }
  if (parts.length === 0) return { kind: 'unsatisfiable' }
  return parts.length > maxParts || hasOverlap(parts) ? wholeFile : { kind: 'parts', parts }
}

function parseRangeSpec(spec: string, sizeBytes: number): ByteRange | 'outside' | 'malformed' {
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

const hasOverlap = (parts: readonly ByteRange[]): boolean =>
  parts.some((part, index) => part.start < (parts[index - 1]?.end ?? 0))

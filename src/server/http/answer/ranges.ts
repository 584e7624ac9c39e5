/** From `start` up to, not including, `end`. */
export type ByteRange = { readonly start: number; readonly end: number }

export type Asked =
  | { readonly kind: 'whole' }
  | { readonly kind: 'parts'; readonly parts: readonly ByteRange[] }
  | { readonly kind: 'unsatisfiable' }

const whole: Asked = { kind: 'whole' }
const mostParts = 4

/**
 * The parts that a `Range` asks for (RFC 9110 14.2). What is malformed is ignored; many parts, overlapping ones and parts out of
 * order are answered with the whole (contract 5.1): never more bytes than the file has.
 */
export function readRanges(header: string | undefined, sizeBytes: number): Asked {
  if (header === undefined) return whole
  const specs = /^\s*bytes\s*=\s*(.*)$/i
    .exec(header)?.[1]
    ?.split(',')
    .map((spec) => spec.trim())
  const sent = specs?.filter((spec) => spec !== '')
  if (sent === undefined || sent.length === 0 || sent.length > 100) return whole
  const parts: ByteRange[] = []
  for (const spec of sent) {
    const part = readSpec(spec, sizeBytes)
    if (part === 'malformed') return whole
    if (part !== 'outside') parts.push(part)
  }
  if (parts.length === 0) return { kind: 'unsatisfiable' }
  return parts.length > mostParts || overlap(parts) ? whole : { kind: 'parts', parts }
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

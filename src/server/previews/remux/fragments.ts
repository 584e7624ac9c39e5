/** A box of an MP4 file: its name, and the place of its content in the file. */
type Box = { readonly name: string; readonly start: number; readonly end: number }

/** Yields the boxes on one level. A box with an impossible length ends the level. */
function* boxesIn(file: Buffer, start: number, end: number): Generator<Box, void> {
  let at = start
  while (at + 8 <= end) {
    const size = file.readUInt32BE(at)
    if (size < 8 || at + size > end) return
    yield { name: file.toString('latin1', at + 4, at + 8), start: at + 8, end: at + size }
    at += size
  }
}

/** Returns the boxes at the end of a path of names. */
function boxesAt(
  file: Buffer,
  names: string,
  { start, end } = { start: 0, end: file.length },
): readonly Box[] {
  const [name = '', rest] = names.split(/\.(.*)/, 2)
  const found = [...boxesIn(file, start, end)].filter((box) => box.name === name)
  return rest === undefined ? found : found.flatMap((box) => boxesAt(file, rest, box))
}

/** The number of bytes before the boxes in a list of sample descriptions, and in the description of a video. */
const listHeadBytes = 8
const videoHeadBytes = 78

/** Returns the codecs of the streams as RFC 6381 writes them, or null when the codec of a stream is unknown. */
export function codecsOf(file: Buffer): readonly string[] | null {
  const codecs = boxesAt(file, 'moov.trak.mdia.minf.stbl.stsd').map(({ start, end }) => {
    const [sample] = boxesIn(file, start + listHeadBytes, end)
    return sample === undefined ? null : codecOf(file, sample)
  })
  const known = codecs.filter((codec) => codec !== null)
  return known.length === codecs.length && known.length > 0 ? known : null
}

function codecOf(file: Buffer, sample: Box): string | null {
  if (sample.name === 'mp4a') return 'mp4a.40.2'
  for (const { name, start, end } of boxesIn(file, sample.start + videoHeadBytes, sample.end)) {
    const settings = file.subarray(start, end)
    if (name === 'avcC' && settings.length >= 4) return `avc1.${settings.toString('hex', 1, 4)}`
    if (name === 'hvcC' && settings.length >= 13) return hevcCodec(settings)
    if (name === 'av1C' && settings.length >= 3) return av1Codec(settings)
    if (name === 'vpcC' && settings.length >= 7) return vp9Codec(settings)
  }
  return null
}

/** Profile, compatible profiles with their bits reversed, tier and level, and constraints up to the last that is not 0. */
function hevcCodec(settings: Buffer): string {
  const profile = settings.readUInt8(1)
  const compatible = settings.readUInt32BE(2).toString(2).padStart(32, '0')
  const reversed = Number.parseInt(Array.from(compatible).reverse().join(''), 2)
  const constraints = Array.from(settings.subarray(6, 12), (byte) => byte.toString(16))
  while (constraints.at(-1) === '0') constraints.pop()
  const tier = (profile & 0x20) === 0 ? 'L' : 'H'
  const level = `${tier}${settings.readUInt8(12)}`
  return ['hvc1', profile & 0x1f, reversed.toString(16), level, ...constraints].join('.')
}

function av1Codec(settings: Buffer): string {
  const [profileAndLevel, flags] = [settings.readUInt8(1), settings.readUInt8(2)]
  const tier = (flags & 0x80) === 0 ? 'M' : 'H'
  const highDepth = (flags & 0x20) === 0 ? 10 : 12
  const depth = (flags & 0x40) === 0 ? 8 : highDepth
  return `av01.${profileAndLevel >> 5}.${twoDigits(profileAndLevel & 0x1f)}${tier}.${twoDigits(depth)}`
}

const vp9Codec = (settings: Buffer): string =>
  `vp09.${[settings.readUInt8(4), settings.readUInt8(5), settings.readUInt8(6) >> 4].map(twoDigits).join('.')}`

const twoDigits = (value: number): string => String(value).padStart(2, '0')

/** Returns true when the file has at least one fragment with video or audio data. */
export const hasFragments = (file: Buffer): boolean => boxesAt(file, 'moof').length > 0

/**
 * Moves the fragments of each stream to the time at which the stream begins. ffmpeg lets each stream of the file begin at 0.
 * `firstTimesS` has the times in seconds, in the order of the streams. Times before 0 cannot be written, so all streams
 * then begin later by the same time.
 */
export function moveFragments(file: Buffer, firstTimesS: readonly number[]): void {
  const shiftS = Math.max(0, ...firstTimesS.map((timeS) => -timeS))
  const scales = boxesAt(file, 'moov.trak.mdia.mdhd').map(({ start }) =>
    file.readUInt32BE(start + (file.readUInt8(start) === 1 ? 20 : 12)),
  )
  for (const part of boxesAt(file, 'moof.traf')) {
    const [head] = boxesAt(file, 'tfhd', part)
    const [time] = boxesAt(file, 'tfdt', part)
    if (head === undefined || time === undefined || file.readUInt8(time.start) !== 1) continue
    const stream = file.readUInt32BE(head.start + 4) - 1
    const startS = (firstTimesS[stream] ?? 0) + shiftS
    const units = BigInt(Math.round(startS * (scales[stream] ?? 0)))
    file.writeBigUInt64BE(file.readBigUInt64BE(time.start + 4) + units, time.start + 4)
  }
}

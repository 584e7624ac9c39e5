/** A codec: its usual name, and its name in media types (RFC 6381). Null for a codec that no browser plays. */
type Codec = { readonly name: string; readonly type: string | null }

const codec = (name: string, type: string | null = null): Codec => ({ name, type })

/** The codecs of pictures and sound, by the names that ffmpeg has for them. */
const codecs: Readonly<Record<string, Codec>> = {
  av1: codec('AV1', 'video/mp4; codecs="av01.0.04M.08"'),
  dnxhd: codec('DNxHD'),
  flv1: codec('Sorenson'),
  h263: codec('H.263'),
  h264: codec('H.264', 'video/mp4; codecs="avc1.42E01E"'),
  hevc: codec('HEVC', 'video/mp4; codecs="hvc1.1.6.L93.B0"'),
  mjpeg: codec('Motion JPEG'),
  mpeg1video: codec('MPEG-1'),
  mpeg2video: codec('MPEG-2'),
  mpeg4: codec('MPEG-4'),
  msmpeg4v2: codec('MS-MPEG-4'),
  msmpeg4v3: codec('MS-MPEG-4'),
  prores: codec('ProRes'),
  theora: codec('Theora', 'video/ogg; codecs="theora"'),
  vc1: codec('VC-1'),
  vp8: codec('VP8', 'video/webm; codecs="vp8"'),
  vp9: codec('VP9', 'video/webm; codecs="vp9"'),
  wmv1: codec('WMV'),
  wmv2: codec('WMV'),
  wmv3: codec('WMV'),
  aac: codec('AAC', 'audio/mp4; codecs="mp4a.40.2"'),
  ac3: codec('AC-3', 'audio/mp4; codecs="ac-3"'),
  alac: codec('ALAC', 'audio/mp4; codecs="alac"'),
  dts: codec('DTS'),
  eac3: codec('E-AC-3', 'audio/mp4; codecs="ec-3"'),
  flac: codec('FLAC', 'audio/mp4; codecs="flac"'),
  mp2: codec('MP2'),
  mp3: codec('MP3', 'audio/mpeg'),
  opus: codec('Opus', 'audio/webm; codecs="opus"'),
  truehd: codec('TrueHD'),
  vorbis: codec('Vorbis', 'audio/webm; codecs="vorbis"'),
  wmapro: codec('WMA'),
  wmav1: codec('WMA'),
  wmav2: codec('WMA'),
}

/** Uncompressed sound, which browsers play, has a name for each form of its numbers. */
const isUncompressed = (name: string): boolean => name.startsWith('pcm_')

/**
 * Returns the usual name of a codec that the browser does not play. Returns null for a codec that it plays, and for one that
 * is missing or that ffmpeg does not know either. `canPlay` asks the browser about a media type.
 */
export function unknownCodec(name: string | null, canPlay: (type: string) => boolean): string | null {
  if (name === null || name === 'none' || isUncompressed(name)) return null
  const known = Object.hasOwn(codecs, name) ? codecs[name] : undefined
  if (known === undefined) return name.toUpperCase()
  return known.type !== null && canPlay(known.type) ? null : known.name
}

import type { InputProgramOutcome } from '../../programs/run-on-input.ts'
import { videoContainers, videoDecoders } from '../video-frame.ts'

/** The description of a media file that ffmpeg prints. */
export type MediaDescription = {
  /** The duration in seconds. 0 when it is unknown. */
  readonly durationS: number
  /** The names that ffmpeg has for the codecs of the first video and of the first audio stream. Null without one. */
  readonly video: string | null
  readonly audio: string | null
}

/** A part of a media file in seconds. */
export type PartRange = { readonly fromS: number; readonly lengthS: number }

/** The part of a media file that one request gets, in seconds. Short parts start fast, and end within the time limit. */
const partS = 10

/** In files without an index, ffmpeg may find no complete picture at the start of a part, and begins with a later one. */
const lateS = 0.5

/** The part that a request asks for, and the longer one that replaces it when its pictures begin too late. */
export const rangesFrom = (fromS: number): readonly [PartRange, PartRange] => [
  { fromS, lengthS: partS },
  { fromS: Math.max(0, fromS - partS), lengthS: 2 * partS },
]

/** Returns true when a stream begins so late that something is missing at the start of the part. */
export const isLate = (firstTimesS: readonly number[], { fromS }: PartRange): boolean =>
  fromS > 0 && firstTimesS.some((timeS) => timeS > fromS + lateS)

/** The size in bytes after which a part ends early: 10 seconds of a video with 19 Mbit/s. The next request continues. */
const maxPartBytes = 24 * 1024 * 1024

/** The audio containers that ffmpeg may read in addition to those of videos. None of them names other files. */
const soundContainers = 'wav,aiff,caf,au,amr,aac,ac3,eac3,dts,mp3,flac'

/** The audio decoders that ffmpeg may use. */
const soundDecoders = [
  'aac,mp3,mp3float,mp2,mp2float,ac3,eac3,dca,vorbis,opus,libopus,flac,alac,wmav1,wmav2,wmapro,amrnb,amrwb',
  'pcm_u8,pcm_s16le,pcm_s16be,pcm_s24le,pcm_s24be,pcm_s32le,pcm_s32be,pcm_f32le,pcm_alaw,pcm_mulaw,adpcm_ms',
].join(',')

const restrictions = [
  '-protocol_whitelist file',
  `-format_whitelist ${videoContainers},${soundContainers}`,
  `-codec_whitelist ${videoDecoders},${soundDecoders}`,
  '-max_pixels 100000000 -threads 1',
].join(' ')

/** The file is the standard input, and is opened by the link of the process, so that ffmpeg can read its index. */
const source = '-i file:/proc/self/fd/0'

/** Without an output file, ffmpeg only describes its input, and ends with an error. */
export const descriptionArgs = `-nostdin -hide_banner -loglevel info ${restrictions} ${source}`.split(' ')

/**
 * The codecs of videos that MP4 holds and browsers play. Their pictures are copied. Pictures of other codecs would have to
 * be encoded again, which needs many times the processor time, so such videos are refused.
 */
const copiedVideo = ['h264', 'hevc', 'vp9', 'av1']

/** Returns true when a file can be presented as MP4 without encoding its pictures. */
export const isRemuxable = ({ video, audio }: MediaDescription): boolean =>
  video === null ? audio !== null : copiedVideo.includes(video)

/**
 * Returns the arguments that write the part of a file from a time in seconds as fragments of MP4 to standard output. The
 * part begins with the last complete picture before that time. AAC is copied; other sound becomes AAC, because browsers play
 * few kinds of sound in such fragments. The first packet of each stream is listed on the error output, with its time
 * since the start of the file, which the fragments do not contain.
 */
export function partArgs({ audio }: MediaDescription, { fromS, lengthS }: PartRange): readonly string[] {
  const sound = audio === 'aac' ? '-c:a copy' : '-c:a aac -ac 2 -b:a 160k'
  const streams = `-map 0:V:0? -map 0:a:0? -c:v copy ${sound}`
  // ffmpeg cannot seek to the start of an AVI file, and reads on from the middle then.
  const start = fromS === 0 ? '' : `-ss ${fromS.toFixed(3)} `
  // Streams for broadcasts repeat the settings of AAC in every packet. MP4 has them once.
  const settings = audio === 'aac' ? '-bsf:a aac_adtstoasc ' : ''
  return [
    `-nostdin -hide_banner -loglevel fatal ${restrictions}`,
    `${start}-t ${lengthS} -copyts -start_at_zero -fflags +genpts ${source}`,
    `${streams} ${settings}-map_metadata -1 -map_chapters -1 -fs ${maxPartBytes}`,
    '-f mp4 -movflags frag_keyframe+delay_moov+default_base_moof -use_editlist 0 pipe:1',
    `${streams} -frames:v 1 -frames:a 1 -f framecrc pipe:2`,
  ].flatMap((part) => part.split(' '))
}

/** Reads the description that ffmpeg writes of a file, and returns null when ffmpeg cannot read it. */
export function parseDescription({ ending, errors }: InputProgramOutcome): MediaDescription | null {
  if (ending.kind !== 'exited' || !/^Input #0/m.test(errors)) return null
  const [, hours, minutes, seconds] = /Duration: (\d{1,6}):(\d\d):(\d\d(?:\.\d+)?)/.exec(errors) ?? []
  const durationS = hours === undefined ? 0 : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
  const video = [...errors.matchAll(/^\s+Stream #0:.*?: Video: (\w+)(.*)$/gm)].find(
    ([, , facts = '']) => !facts.includes('(attached pic)'),
  )
  const audio = /^\s+Stream #0:.*?: Audio: (\w+)/m.exec(errors)
  return { durationS, video: video?.[1] ?? null, audio: audio?.[1] ?? null }
}

/** Returns the time of the first packet of each stream in seconds, from the list on the error output. */
export function firstTimesIn(text: string): readonly number[] {
  const bases = new Map(
    [...text.matchAll(/^#tb (\d+): (\d+)\/(\d+)$/gm)].map(([, stream, above, below]) => [
      Number(stream),
      Number(above) / Number(below),
    ]),
  )
  const times: number[] = []
  for (const [, stream, decodedAt] of text.matchAll(/^(\d+), +(-?\d+), /gm))
    times[Number(stream)] ??= Number(decodedAt) * (bases.get(Number(stream)) ?? 0)
  return times
}

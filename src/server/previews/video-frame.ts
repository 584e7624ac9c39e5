import type { InputProgramOutcome } from '../programs/run-on-input.ts'

/** Runs ffmpeg with these arguments on the video. */
export type FfmpegRunner = (args: readonly string[]) => Promise<InputProgramOutcome>

/**
 * The containers that ffmpeg may read. Playlists and scripts such as m3u8, concat and DASH, which name other files, are
 * not among them, whatever the name of the file is.
 */
export const videoContainers = 'mov,matroska,avi,asf,flv,mpeg,mpegts,mpegvideo,m4v,ogg'

/** The decoders that ffmpeg may use: those of videos that people keep, and none of the hundreds of rare ones. */
export const videoDecoders = [
  'h264,hevc,vp8,libvpx,vp9,libvpx-vp9,av1,libdav1d,libaom-av1,mpeg4,mpeg1video,mpeg2video',
  'msmpeg4v1,msmpeg4v2,msmpeg4,wmv1,wmv2,wmv3,vc1,flv,h263,theora,mjpeg,prores,dvvideo',
].join(',')

/** The maximum width and height in pixels of the frame: those of a large preview. */
const maxFramePx = 1080

/** The factor that fits the frame, with pixels made square, into a square of `maxFramePx`. */
const scaleFactor = `min(1\\,${maxFramePx}/max(iw*sar\\,ih))`
const fit = `scale=w=max(1\\,iw*sar*${scaleFactor}):h=max(1\\,ih*${scaleFactor}),setsar=1`

/**
 * The arguments before the video. The protocol `file` is needed for the video itself, and playlists are not among the
 * containers, so no other file is opened.
 */
const restrictions = [
  '-protocol_whitelist file',
  `-format_whitelist ${videoContainers}`,
  `-codec_whitelist ${videoDecoders}`,
  '-max_pixels 100000000 -threads 1',
].join(' ')

/**
 * The video is the standard input, so that ffmpeg never interprets its name. It is opened by the link of the process,
 * because a pipe could not be read at its end, where many videos have their index.
 */
const source = '-i file:/proc/self/fd/0'

/** Without an output file, ffmpeg only describes the video, and ends with an error. */
const description = `-nostdin -hide_banner -loglevel info ${restrictions} ${source}`.split(' ')

/** Draws one frame of the first video stream that is not a cover. */
const frameAt = (seconds: number): readonly string[] =>
  [
    `-nostdin -hide_banner -loglevel error ${restrictions} -ss ${seconds.toFixed(2)} ${source}`,
    `-map 0:V:0 -frames:v 1 -vf ${fit} -threads 1 -filter_threads 1`,
    '-f image2pipe -c:v mjpeg -q:v 3 -strict unofficial pipe:1',
  ].flatMap((part) => part.split(' '))

/**
 * Draws the frame at a tenth of a video, because the first frames of many videos are black. A video of unknown length
 * is drawn at one second. Returns the outcome of the last run of ffmpeg, whose output is empty when it found no frame.
 */
export async function drawVideoFrame(run: FfmpegRunner): Promise<InputProgramOutcome> {
  const described = await run(description)
  if (described.ending.kind !== 'exited') return described
  const atS = frameTimeS(described.errors)
  const outcome = await run(frameAt(atS))
  const isWithoutFrame = outcome.ending.kind === 'exited' && outcome.output.length === 0
  return isWithoutFrame && atS > 0 ? run(frameAt(0)) : outcome
}

/** Returns the time in seconds of the frame, from the description of the video that ffmpeg writes. */
function frameTimeS(text: string): number {
  const [, hours, minutes, seconds] = /Duration: (\d{1,6}):(\d\d):(\d\d(?:\.\d+)?)/.exec(text) ?? []
  if (hours === undefined) return 1
  return (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) / 10
}

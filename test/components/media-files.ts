import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { minuteOfVideo, silentMp3 } from '../kit/media.ts'
import { drawingPrograms, makeMedia } from '../kit/posters.ts'
import type { FileTree } from '../kit/tree.ts'

const subtitle = (text: string): string => `1\n00:00:00,000 --> 00:00:50,000\n${text}\n`

/** A video with subtitles in several formats, songs, and files of which a part cannot be played. */
export async function mediaFiles(): Promise<FileTree> {
  const cover = await sharp({ create: { width: 40, height: 40, channels: 3, background: '#b0396b' } })
    .png()
    .toBuffer()
  return {
    'clip.webm': minuteOfVideo(),
    'clip.en.srt': subtitle('Good <i>morning</i> <script>top.hacked = 1</script>'),
    'clip.fr.ass': [
      '[Events]',
      'Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text',
      'Dialogue: 0,0:00:00.00,0:00:50.00,Default,,0,0,0,,{\\b1}Bonjour{\\b0} à tous',
    ].join('\n'),
    'clip.is.vtt': 'WEBVTT\n\n00:00.000 --> 00:50.000\nGóðan daginn\n',
    '1 first.mp3': silentMp3(1.5, { title: 'Sól & máni', artist: 'Ásgerður', cover }),
    '2 second.mp3': silentMp3(30),
    '3 third.mp3': silentMp3(1),
    'broken subtitle.webm': minuteOfVideo(),
    'broken subtitle.srt': 'no subtitle',
    'only sound.mp4': silentMp3(20),
  }
}

/** Files that the browser does not play itself, by their names, with the codecs and the length in seconds. */
const converted = [
  ['film.avi', '-c:v libx264 -c:a libmp3lame', 60],
  ['old.avi', '-c:v mpeg4', 2],
  ['song.wma', '-c:a wmav2', 20],
  ['other sound.mkv', '-c:v libx264 -c:a ac3', 60],
  ['no sound.mkv', '-c:v libx264', 20],
  ['hevc.mp4', '-c:v libx265 -tag:v hvc1 -x265-params log-level=none -c:a aac', 20],
] as const

/** Makes those files. There are none on a machine without ffmpeg, where the server cannot convert them. */
export async function convertedFiles(): Promise<FileTree> {
  if (drawingPrograms.ffmpeg === null) return {}
  const folder = mkdtempSync(path.join(tmpdir(), 'stowage-test-'))
  try {
    return Object.fromEntries(
      converted.map(([name, codecs, lengthS]) => [
        name,
        readFileSync(makeMedia(name, codecs, { lengthS, folder })),
      ]),
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}

import { readFlac } from './flac.ts'
import { readId3 } from './id3.ts'
import { readMp4 } from './mp4.ts'
import { readOgg } from './ogg.ts'
import type { ReadPart } from '../../../../../shared/photos/read-part.ts'
import { type AudioTags, latin1, noTags } from './tags.ts'

/** Reads the tags of an MP3, FLAC, MP4, Ogg Vorbis or Opus file. Other files have none. */
export async function readTags(read: ReadPart): Promise<AudioTags> {
  const start = latin1(await read(0, 12))
  if (start.startsWith('ID3')) return readId3(read)
  if (start.startsWith('fLaC')) return readFlac(read)
  if (start.startsWith('OggS')) return readOgg(read)
  return start.slice(4, 8) === 'ftyp' ? readMp4(read) : noTags
}

import sharp, { type Sharp } from 'sharp'

/** Creates a picture whose left half is red and whose right half is blue, so that its orientation can be seen. */
export const twoColours = (width: number, height: number): Sharp =>
  sharp({ create: { width, height, channels: 3, background: '#0000ff' } }).composite([
    {
      input: { create: { width: Math.floor(width / 2), height, channels: 3, background: '#ff0000' } },
      gravity: 'west',
    },
  ])

/**
 * Creates a two-coloured picture as a camera in portrait orientation stores it. Viewers rotate it by 90° clockwise, so
 * that the red half is at the top.
 */
export const rotatedJpeg = (width: number, height: number): Promise<Buffer> =>
  twoColours(width, height).withMetadata({ orientation: 6 }).jpeg().toBuffer()

/** Creates a photo with the time at which it was taken, as cameras write it: `2024:05:06 07:08:09`. */
export const photoTakenAt = (time: string, format: 'jpeg' | 'png' | 'avif' = 'jpeg'): Promise<Buffer> =>
  sharp({ create: { width: 80, height: 60, channels: 3, background: '#336699' } })
    .withExif({ IFD2: { DateTimeOriginal: time } })
    .toFormat(format)
    .toBuffer()

/** Creates a fully transparent picture. */
export const transparentPng = (): Promise<Buffer> =>
  sharp({ create: { width: 50, height: 50, channels: 4, background: '#00000000' } })
    .png()
    .toBuffer()

/**
 * Creates a small file that needs much memory to decode: a progressive JPEG, which a decoder must keep in memory
 * completely.
 */
export const memoryHungryJpeg = (width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#123456' } })
    .jpeg({ progressive: true })
    .toBuffer()

/**
 * Returns a picture of one colour with 4000 × 3000 pixels, which is as expensive to decode as a photograph from a
 * phone. The picture is stored in this file, encoded in Base64, because encoding it takes seconds on a busy machine.
 */
export const phonePhotoAvif = (): Buffer => Buffer.from(flatAvif, 'base64')

const flatAvif =
  'AAAAHGZ0eXBhdmlmAAAAAG1pZjFhdmlmbWlhZgAAANZtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAA' +
  'AAAAACJpbG9jAAAAAERAAAEAAQAAAAAA+gABAAAAAAAAAVsAAAAjaWluZgAAAAAAAQAAABVpbmZlAgAAAAABAABhdjAxAAAA' +
  'AA5waXRtAAAAAAABAAAAVmlwcnAAAAA4aXBjbwAAAAxhdjFDgTACAAAAABRpc3BlAAAAAAAAD6AAAAu4AAAAEHBpeGkAAAAA' +
  'AwgICAAAABZpcG1hAAAAAAAAAAEAAQOBAgMAAAFjbWRhdBIACgo8Lv5+7dpAQ0GkMsoCEmITFydNNNMLGwIAZc/KKvcZehH7' +
  '+tzvsKQ8dj7Oc9yAWKOchOYaXOou0op3rLAHb2gpinpc6ZPgi8xzWdZjQK4wK6w8h+PqNq4ZduDgg93HLBAj+XJoqHRI9OF2' +
  'Ia+EyF6oT4y1wzXR232J4Ha53z0qrc/KKvcZehH7+tzvsKQ8dhfCHW2/VzX2r9TdsS+r/uQmjgJktwJ5F6veM2Q7sZhoNz4P' +
  'pj8zCNzQX5QAEf6IuMfPq8LpXRRX9xZLyHndJF9mU7w8WIQ0xQnSDICBhrd/78HtCiXgEPQ69j4vQ6o8Gqq33Lxgt6KKpfii' +
  'aD2RqiRETPSY9QVkM6Ou9MKjdV2IswVcRLoULCS2D6Hh+6BI/I5rIAGJ7BGRzEoUOIaP6skPm+WnXQhmqFFNYS6BiEZBmKa0' +
  'veHaqRgS/eA3SEAVvX7Uogvv6iYw'

const frame = (background: string): Promise<Buffer> =>
  sharp({ create: { width: 300, height: 200, channels: 3, background } })
    .png()
    .toBuffer()

/** Creates an animation with two frames. The first frame is red, and the second frame is green. */
export async function animated(format: 'gif' | 'webp'): Promise<Buffer> {
  const frames = [await frame('#ff0000'), await frame('#00ff00')]
  return sharp(frames, { join: { animated: true } })
    .toFormat(format)
    .toBuffer()
}

/** Returns an animated PNG of 30 × 20 pixels with a red and a green frame. The image library of tests does not write them. */
export const animatedPng = (): Buffer => Buffer.from(animation, 'base64')

const animation =
  'iVBORw0KGgoAAAANSUhEUgAAAB4AAAAUCAIAAAAVyRqTAAAACXBIWXMAAAABAAAAAQBPJcTWAAAACGFjVEwAAAACAAAAAPONk3AAAAAaZmNUTA' +
  'AAAAAAAAAeAAAAFAAAAAAAAAAAAAEABQAAdhv77QAAACFJREFUeJxj+MvAQCNEK3NHjR41etToUaNHjR41mqZGAwClRlEXGKXZLgAAABpmY1RM' +
  'AAAAAQAAAB4AAAAUAAAAAAAAAAAAAQAFAADtaBE5AAAAImZkQVQAAAACeJxjYPjHQCs0avSo0aNGjxo9avSo0UPRaACpeFNvShtS3gAAAABJRU' +
  '5ErkJggg=='

/**
 * Creates a JPEG of the size that a camera with a very large sensor writes, with a red and a blue half. Enlarging a
 * smaller picture takes less time than drawing the whole.
 */
export const hugeJpeg = async (width: number, height: number): Promise<Buffer> =>
  sharp(
    await twoColours(width / 10, height / 10)
      .png()
      .toBuffer(),
  )
    .resize(width, height, { kernel: 'nearest' })
    .jpeg()
    .toBuffer()

/**
 * Decodes a picture and returns its format, its size, and the colours at its top, right, bottom and left, measured at
 * 20 % from the edge.
 */
export async function pictureOf(bytes: ArrayBuffer | Uint8Array) {
  const input = bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes)
  const { format, width, height, pages } = await sharp(input).metadata()
  const { data, info } = await sharp(input).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const colourAt = (x: number, y: number): string => {
    const start = (Math.floor(y * height) * width + Math.floor(x * width)) * info.channels
    return colourOf(data[start] ?? 0, data[start + 1] ?? 0, data[start + 2] ?? 0)
  }
  const edges = [colourAt(0.5, 0.2), colourAt(0.8, 0.5), colourAt(0.5, 0.8), colourAt(0.2, 0.5)]
  return { format, width, height, pages: pages ?? 1, edges }
}

/** Returns the name of a colour. Each channel may deviate by up to 55 of 255, because lossy formats change colours. */
function colourOf(red: number, green: number, blue: number): string {
  const channels = [red, green, blue].map((value) => (value > 200 ? 1 : value < 55 ? 0 : 2)).join('')
  return { '100': 'red', '010': 'green', '001': 'blue', '111': 'white', '000': 'black' }[channels] ?? 'other'
}

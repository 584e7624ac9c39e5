import sharp, { type Sharp, type SharpOptions } from 'sharp'

/** A picture whose left half is red and whose right half is blue: it shows which way is up, and how it was turned. */
export const twoColours = (width: number, height: number): Sharp =>
  sharp({ create: { width, height, channels: 3, background: '#0000ff' } }).composite([
    {
      input: { create: { width: Math.floor(width / 2), height, channels: 3, background: '#ff0000' } },
      gravity: 'west',
    },
  ])

/** The same as stored by a camera that was held upright: a viewer turns it a quarter to the right, then red is on top. */
export const turnedJpeg = (width: number, height: number): Promise<Buffer> =>
  twoColours(width, height).withMetadata({ orientation: 6 }).jpeg().toBuffer()

/** A picture of which nothing is seen. */
export const seeThrough = (): Promise<Buffer> =>
  sharp({ create: { width: 50, height: 50, channels: 4, background: '#00000000' } })
    .png()
    .toBuffer()

/** Needs much memory to be read, and little to be kept: all of a progressive JPEG is in memory before any of it can be seen. */
export const demandingJpeg = (width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#123456' } })
    .jpeg({ progressive: true })
    .toBuffer()

/** As much to decode as a photograph of a telephone, and made within a second or two. */
export async function telephoneAvif(): Promise<Buffer> {
  const noise = await sharp({
    create: { width: 500, height: 375, channels: 3, noise: { type: 'gaussian', mean: 128, sigma: 60 } },
  } as SharpOptions)
    .png()
    .toBuffer()
  return sharp(noise).resize(4000, 3000).avif({ effort: 0, quality: 40 }).toBuffer()
}

const frame = (background: string): Promise<Buffer> =>
  sharp({ create: { width: 300, height: 200, channels: 3, background } })
    .png()
    .toBuffer()

/** Each of the frames has a colour of its own. */
export async function animated(format: 'gif' | 'webp'): Promise<Buffer> {
  const frames = [await frame('#ff0000'), await frame('#00ff00')]
  return sharp(frames, { join: { animated: true } })
    .toFormat(format)
    .toBuffer()
}

/** What an image is, and the colours at its top, right, bottom and left, each a third in from the edge. */
export async function looksOf(bytes: ArrayBuffer | Uint8Array) {
  const input = bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes)
  const { format, width, height, pages } = await sharp(input).metadata()
  const { data, info } = await sharp(input).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const at = (x: number, y: number): string => {
    const start = (Math.floor(y * height) * width + Math.floor(x * width)) * info.channels
    return colourOf(data[start] ?? 0, data[start + 1] ?? 0, data[start + 2] ?? 0)
  }
  const edges = [at(0.5, 0.2), at(0.8, 0.5), at(0.5, 0.8), at(0.2, 0.5)]
  return { format, width, height, pages: pages ?? 1, edges }
}

/** Formats that lose a little may change a colour a little. */
function colourOf(red: number, green: number, blue: number): string {
  const bright = [red, green, blue].map((value) => (value > 200 ? 1 : value < 55 ? 0 : 2)).join('')
  return { '100': 'red', '010': 'green', '001': 'blue', '111': 'white', '000': 'black' }[bright] ?? 'other'
}

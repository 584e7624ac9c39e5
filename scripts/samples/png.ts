import { crc32, deflateSync } from 'node:zlib'

type ImageSize = { readonly width: number; readonly height: number }

/**
 * Returns a PNG image that shows a disc on a gradient between two colours. Pictures with different hues can be told
 * apart in a grid.
 */
export function samplePng(hueDegrees: number, { width, height }: ImageSize): Buffer {
  const [from, to, disc] = [hueDegrees, hueDegrees + 60, hueDegrees + 180].map(rgbOfHue)
  const rows = Buffer.alloc(height * (1 + width * 3))
  const middle = { x: width * (0.3 + ((hueDegrees * 7) % 40) / 100), y: height / 2, radius: height / 4 }
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const isDisc = Math.hypot(x - middle.x, y - middle.y) < middle.radius
      const share = (x / width + y / height) / 2
      const offset = y * (1 + width * 3) + 1 + x * 3
      for (let channel = 0; channel < 3; channel += 1) {
        const flow = (from?.[channel] ?? 0) * (1 - share) + (to?.[channel] ?? 0) * share
        rows[offset + channel] = isDisc ? (disc?.[channel] ?? 0) : flow
      }
    }
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // The image has eight bits per channel and is RGB without an alpha channel.
  header.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const size = Buffer.alloc(4)
  size.writeUInt32BE(content.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([size, body, sum])
}

/** Converts a hue at medium lightness to its red, green and blue values (0 to 255). */
function rgbOfHue(degrees: number): readonly number[] {
  return [0, 8, 4].map((shift) => {
    const offset = (shift + degrees / 30) % 12
    return Math.round(255 * (0.55 - 0.35 * Math.max(-1, Math.min(offset - 3, 9 - offset, 1))))
  })
}

import sharp from 'sharp'

/** The colours of a landscape: the sky from top to horizon, the sun, and the hills from the farthest to the nearest one. */
type Palette = {
  readonly sky: readonly [string, string]
  readonly sun: string
  readonly hills: readonly string[]
}

const palettes: readonly Palette[] = [
  { sky: ['#2b3a67', '#f4a259'], sun: '#ffe8b0', hills: ['#8a6a7f', '#5f4b66', '#3d3350', '#211d33'] },
  { sky: ['#5aa9e6', '#e8f4fb'], sun: '#fff6cf', hills: ['#9cc5a1', '#6a994e', '#4a7a3c', '#2f5230'] },
  { sky: ['#101c3a', '#3a5a80'], sun: '#e9edf5', hills: ['#2d4a6b', '#213a57', '#172a42', '#0d1a2c'] },
  { sky: ['#f7b2bd', '#fde2c8'], sun: '#fff3e0', hills: ['#c98ca7', '#9d6b94', '#6f4e7c', '#46365f'] },
  { sky: ['#8fd3d1', '#f1faee'], sun: '#fffbe6', hills: ['#a8c9c4', '#6fa3a0', '#457b7a', '#23494d'] },
  { sky: ['#c9d6df', '#f5f7fa'], sun: '#ffffff', hills: ['#aebfcb', '#8499a8', '#5d7486', '#384b5a'] },
]

/** Returns a JPEG image of hills below a sky. Different numbers give different hills, colours and times of the day. */
export function sampleLandscape(
  number: number,
  { width, height }: { readonly width: number; readonly height: number },
): Promise<Buffer> {
  const palette = palettes[number % palettes.length] ?? palettes[0]!
  const sunX = width * (0.2 + ((number * 37) % 60) / 100)
  const sunY = height * (0.22 + ((number * 17) % 25) / 100)
  const hills = palette.hills.map((colour, at) => {
    const points = Array.from({ length: 41 }, (_, n) => {
      const x = n / 40
      const wave =
        Math.sin(x * 5 + number * 1.7 + at * 2.3) * 0.06 + Math.sin(x * 13 + number * 0.9 + at * 4.1) * 0.02
      return `${(x * width).toFixed(1)},${((0.5 + at * 0.13 + wave) * height).toFixed(1)}`
    })
    return `<polygon fill="${colour}" points="0,${height} ${points.join(' ')} ${width},${height}"/>`
  })
  const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <linearGradient id="sky" x2="0" y2="1"><stop stop-color="${palette.sky[0]}"/><stop offset="0.7" stop-color="${palette.sky[1]}"/></linearGradient>
    <rect width="100%" height="100%" fill="url(#sky)"/>
    <circle cx="${sunX}" cy="${sunY}" r="${height / 11}" fill="${palette.sun}"/>
    ${hills.join('')}</svg>`
  return sharp(Buffer.from(picture)).jpeg({ quality: 85 }).toBuffer()
}

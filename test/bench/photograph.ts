import sharp from 'sharp'

/** Returns a JPEG of 12 megapixels of random noise, whose file is as large as that of a photograph. */
export const noisyPhotograph = (): Promise<Buffer> =>
  sharp({
    create: {
      width: 4000,
      height: 3000,
      channels: 3,
      background: '#345678',
      noise: { type: 'gaussian', mean: 128, sigma: 20 },
    },
  })
    .jpeg()
    .toBuffer()

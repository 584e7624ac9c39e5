import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import path from 'node:path'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { pictureOf, rotatedJpeg, twoColours } from '../../../test/kit/images.ts'
import { minuteOfVideo } from '../../../test/kit/media.ts'
import { makePdf } from '../../../test/kit/pdf.ts'
import { drawingPrograms, makeHeic, makeRaf, makeRaw, makeVideo } from '../../../test/kit/posters.ts'
import { startApp, type SignedInUser } from '../../../test/kit/start-app.ts'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'

const { ffmpeg, pdftoppm, heifEncoder } = drawingPrograms

const poster = (person: SignedInUser, name: string, size = 'thumb', query = {}) =>
  person.call('preview.get', {
    size,
    path: `/${name}`,
    query: { inline: 'true', poster: 'true', ...query },
    headers: { accept: 'image/webp' },
  })

const pictureIn = async (response: Response) =>
  response.status === 200 ? pictureOf(await response.arrayBuffer()) : response.status

test.skipIf(ffmpeg === null)('a video shows the frame at a tenth of its length', async () => {
  const app = await startApp()
  for (const name of ['film.mp4', 'film.mkv', 'film.avi', 'film.mov'])
    copyFileSync(makeVideo(name), path.join(app.disk, name))
  for (const name of ['film.mp4', 'film.mkv', 'film.avi', 'film.mov'])
    expect([name, await pictureIn(await poster(app, name))]).toEqual([
      name,
      { format: 'webp', width: 256, height: 256, pages: 1, edges: ['red', 'red', 'red', 'red'] },
    ])
  expect(await pictureIn(await poster(app, 'film.mp4', 'big'))).toMatchObject({ width: 320, height: 180 })
})

test.skipIf(ffmpeg === null)('a short or small video has a poster, too', async () => {
  const app = await startApp({ files: { 'minute.webm': minuteOfVideo() } })
  copyFileSync(makeVideo('short.mp4', { lengthS: 0.3 }), path.join(app.disk, 'short.mp4'))
  expect(await pictureIn(await poster(app, 'short.mp4'))).toMatchObject({
    edges: ['white', 'white', 'white', 'white'],
  })
  expect(await pictureIn(await poster(app, 'minute.webm'))).toMatchObject({ width: 256, height: 256 })
})

test.skipIf(ffmpeg === null)('a poster is cached, and has the headers of a preview', async () => {
  const app = await startApp({ files: { 'a.webm': minuteOfVideo() } })
  const first = await poster(app, 'a.webm')
  const bytes = Buffer.from(await first.arrayBuffer())
  expect(Object.fromEntries(first.headers)).toMatchObject({
    'content-type': 'image/webp',
    'content-disposition': `inline; filename="a.webp"; filename*=utf-8''a.webp`,
    'content-security-policy': expect.stringContaining('sandbox') as string,
    'cache-control': 'private, no-cache',
  })
  expect(Buffer.from(await (await poster(app, 'a.webm')).arrayBuffer())).toEqual(bytes)
  const etag = first.headers.get('etag') ?? ''
  const again = await app.fetch('/api/preview/thumb/a.webm?poster=true', {
    headers: { accept: 'image/webp', 'if-none-match': etag },
  })
  expect(again.status).toBe(304)
})

test.skipIf(pdftoppm === null)('a PDF file shows its first page', async () => {
  const app = await startApp({ files: { 'a.pdf': makePdf({ pages: ['one', 'two'] }) } })
  expect(await pictureIn(await poster(app, 'a.pdf', 'big'))).toEqual({
    format: 'webp',
    width: 1080,
    height: 720,
    pages: 1,
    edges: ['white', 'white', 'white', 'white'],
  })
})

test.skipIf(pdftoppm === null)('the thumb of a tall PDF page shows its upper part', async () => {
  const tall = makePdf({ pages: ['The middle'], size: [200, 600] })
  const app = await startApp({ files: { 'a.pdf': tall } })
  const darkestIn = async (size: string) => {
    const bytes = await (await poster(app, 'a.pdf', size)).arrayBuffer()
    return (await sharp(bytes).stats()).channels[0]?.min
  }
  expect(await darkestIn('big')).toBeLessThan(100)
  expect(await darkestIn('thumb')).toBeGreaterThan(200)
})

test.skipIf(heifEncoder === null)('a HEIC image is converted under every name, upright', async () => {
  const image = path.join(temporaryFolder(), 'image.jpg')
  writeFileSync(image, await twoColours(640, 480).jpeg({ quality: 95 }).toBuffer())
  const heic = readFileSync(makeHeic(image))
  const app = await startApp({
    files: { 'a.heic': heic, 'b.HEIF': heic, 'c.hif': heic, 'd.jpg': heic, noending: heic },
  })
  for (const name of ['a.heic', 'b.HEIF', 'c.hif', 'd.jpg', 'noending'])
    expect(await pictureIn(await poster(app, name, 'big'))).toMatchObject({
      format: 'webp',
      width: 640,
      height: 480,
      edges: [expect.any(String) as string, 'blue', expect.any(String) as string, 'red'],
    })
})

test('a camera RAW image shows the largest JPEG image that it contains', async () => {
  const small = await twoColours(64, 48).jpeg().toBuffer()
  const large = await twoColours(640, 480).jpeg().toBuffer()
  const files = {
    'a.dng': makeRaw({ jpeg: large }),
    'a.nef': makeRaw({ jpeg: large, isBigEndian: true }),
    'a.cr2': makeRaw({ jpeg: large, place: 'strip' }),
    'a.rw2': makeRaw({ jpeg: large, place: 'raw-tag', magic: 0x55 }),
    'a.raf': makeRaf(large),
    'small.ARW': makeRaw({ jpeg: small }),
  }
  const app = await startApp({ files })
  for (const name of ['a.dng', 'a.nef', 'a.cr2', 'a.rw2', 'a.raf'])
    expect([name, await pictureIn(await poster(app, name, 'big'))]).toMatchObject([
      name,
      { width: 640, height: 480, edges: [{}, 'blue', {}, 'red'].map(() => expect.any(String) as string) },
    ])
  expect(await pictureIn(await poster(app, 'small.ARW', 'big'))).toMatchObject({ width: 64, height: 48 })
})

test('a camera RAW image is upright, by its own orientation or by that of its preview', async () => {
  const plain = await twoColours(640, 480).jpeg().toBuffer()
  const files = {
    'a.dng': makeRaw({ jpeg: plain, orientation: 6 }),
    'b.dng': makeRaw({ jpeg: await rotatedJpeg(640, 480), orientation: 1 }),
    'c.dng': makeRaw({ jpeg: plain, orientation: 77 }),
  }
  const app = await startApp({ files })
  for (const name of ['a.dng', 'b.dng'])
    expect(await pictureIn(await poster(app, name, 'big'))).toMatchObject({ width: 480, height: 640 })
  expect(await pictureIn(await poster(app, 'c.dng', 'big'))).toMatchObject({ width: 640, height: 480 })
})

test('a damaged camera RAW image ends with 422, whatever its directories say', async () => {
  const jpeg = await twoColours(64, 48).jpeg().toBuffer()
  const whole = makeRaw({ jpeg })
  const files = {
    'loop.dng': makeRaw({ jpeg, nextDirectory: 8 }),
    'outside.dng': makeRaw({ jpeg, nextDirectory: 0xffff_fff0 }),
    'far.dng': makeRaw({ jpeg, jpegStart: 0xffff_ff00 }),
    'no-jpeg.dng': makeRaw({ jpeg, jpegStart: 150 }),
    'cut.dng': whole.subarray(0, 150),
    'header.nef': 'II*\0',
    'text.cr2': 'text',
    'empty.arw': '',
    'endless.raf': makeRaf(Buffer.from('ffd8ffe0000000', 'hex')),
    'lossless.dng': makeRaw({ jpeg: Buffer.from('ffd8ffc3000b0800010001010011000000', 'hex') }),
  }
  const app = await startApp({ files })
  for (const name of Object.keys(files)) expect([name, (await poster(app, name)).status]).toEqual([name, 422])
})

test('without poster=true everything answers as before', async () => {
  const raw = makeRaw({ jpeg: await twoColours(64, 48).jpeg().toBuffer() })
  const app = await startApp({
    files: { 'a.mp4': 'x', 'a.pdf': makePdf({ pages: ['one'] }), 'a.heic': 'heic', 'a.dng': raw },
  })
  for (const value of ['', 'false', '1']) {
    const status = async (name: string) => (await poster(app, name, 'thumb', { poster: value })).status
    expect([await status('a.mp4'), await status('a.pdf')]).toEqual([501, 501])
    expect(await (await poster(app, 'a.heic', 'thumb', { poster: value })).text()).toBe('heic')
  }
  const unchanged = await poster(app, 'a.dng', 'big', { poster: 'no' })
  expect(Buffer.from(await unchanged.arrayBuffer()).equals(raw)).toBe(true)
})

test('an image, a text and a folder answer with poster=true as without', async () => {
  const png = await twoColours(64, 48).png().toBuffer()
  const app = await startApp({ files: { 'a.png': png, 'a.svg': '<svg/>', 'a.txt': 'text', docs: {} } })
  expect(await pictureIn(await poster(app, 'a.png'))).toMatchObject({ width: 256 })
  expect(await (await poster(app, 'a.svg')).text()).toBe('<svg/>')
  expect([(await poster(app, 'a.txt')).status, (await poster(app, 'docs')).status]).toEqual([501, 501])
})

test('a drawn picture needs the right to download, and is never replaced by the file', async () => {
  const files = { 'a.dng': makeRaw({ jpeg: await twoColours(64, 48).jpeg().toBuffer() }) }
  const refused = await startApp({ files, user: { perm: { download: false } } })
  expect((await poster(refused, 'a.dng')).status).toBe(403)
  const config = { disableThumbnails: true, disablePreviewResize: true }
  const without = await startApp({ files, config })
  expect([(await poster(without, 'a.dng')).status, (await poster(without, 'a.dng', 'big')).status]).toEqual([
    501, 501,
  ])
})

test('the page announces exactly the kinds of which pictures are drawn', async () => {
  const app = await startApp({ client: true, files: { 'a.pdf': makePdf({ pages: ['one'] }) } })
  const html = await (await fetch(`${app.url}/`)).text()
  const announces = (feature: string): boolean => html.includes(`"poster-${feature}"`)
  expect(['dng', 'cr2', 'nef', 'arw', 'raf', 'rw2', 'orf'].map(announces)).toEqual([
    ...Array.from({ length: 6 }, () => true),
    false,
  ])
  expect([announces('video'), announces('pdf'), announces('heic')]).toEqual(
    [ffmpeg, pdftoppm, heifEncoder].map((program) => program !== null),
  )
})

test.skipIf(ffmpeg === null)('no name of a video is an option or a protocol for ffmpeg', async () => {
  const names = [
    '-i.mp4',
    '-f lavfi.mp4',
    'concat:a|b.mp4',
    'http:x.mp4',
    '%d.mp4',
    '$(id).mp4',
    'ä"\'\n.mp4',
  ]
  const app = await startApp()
  const video = makeVideo('film.mp4', { lengthS: 2 })
  for (const name of names) copyFileSync(video, path.join(app.disk, name))
  for (const name of names)
    expect([name, await pictureIn(await poster(app, name))]).toMatchObject([name, { width: 256 }])
})

test.skipIf(ffmpeg === null)(
  'a playlist in the guise of a video reads no other file and no address',
  async () => {
    const requests: string[] = []
    const server = createServer((request, response) => {
      requests.push(request.url ?? '')
      response.end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as { port: number }
    const app = await startApp()
    const target = path.join(app.disk, 'secret.mp4')
    copyFileSync(makeVideo('film.mp4', { lengthS: 2 }), target)
    const playlists = [
      `file://${target}`,
      target,
      `http://127.0.0.1:${port}/a.ts`,
      'file:///etc/passwd',
    ].flatMap((source) => [
      `#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\n${source}\n#EXT-X-ENDLIST\n`,
      `ffconcat version 1.0\nfile '${source}'\nduration 9\n`,
      `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011"><Period><AdaptationSet><Representation id="1"><BaseURL>${source}</BaseURL></Representation></AdaptationSet></Period></MPD>`,
      `v=0\nc=IN IP4 127.0.0.1\nm=video ${port} RTP/AVP 96\n`,
    ])
    for (const [index, playlist] of playlists.entries()) {
      const name = `p${index}.${['mp4', 'mkv', 'avi', 'mov'][index % 4]}`
      writeFileSync(path.join(app.disk, name), playlist)
      expect([name, (await poster(app, name)).status]).toEqual([name, 422])
    }
    expect(requests).toEqual([])
  },
)

test.skipIf(ffmpeg === null || pdftoppm === null)('truncated and empty files end with 422', async () => {
  const app = await startApp({ files: { 'empty.mp4': '', 'empty.pdf': '', 'text.mkv': 'text' } })
  const video = readFileSync(makeVideo('film.mp4'))
  writeFileSync(path.join(app.disk, 'cut.mp4'), video.subarray(0, video.length / 2))
  writeFileSync(path.join(app.disk, 'cut.pdf'), makePdf({ pages: ['one'] }).subarray(0, 100))
  for (const name of ['empty.mp4', 'empty.pdf', 'text.mkv', 'cut.mp4', 'cut.pdf'])
    expect([name, (await poster(app, name)).status]).toEqual([name, 422])
  expect((await poster(app, 'missing.mp4')).status).toBe(404)
})

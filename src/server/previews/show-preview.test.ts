import { appendFile, mkdir, readdir, rename, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  animated,
  animatedPng,
  pictureOf,
  transparentPng,
  phonePhotoAvif,
  rotatedJpeg,
  twoColours,
} from '../../../test/kit/images.ts'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'
import { previewVersion } from './preview-cache.ts'
import { openApp, startApp, type TestApp, type SignedInUser } from '../../../test/kit/start-app.ts'

const browser = { accept: 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8' }
const inline = { inline: 'true' }
const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>1</script></svg>'

/** Requests a preview. `sizeAndPath` consists of the size and the path, for example `/thumb/docs/a.png`. */
const preview = (
  person: SignedInUser,
  sizeAndPath: string,
  options: Parameters<SignedInUser['call']>[1] = {},
) => {
  const [, size = '', path = ''] = /^\/([^/]*)(\/.*)?$/.exec(sizeAndPath) ?? []
  return person.call('preview.get', {
    size,
    path: path || '/',
    query: inline,
    headers: browser,
    ...options,
  })
}

/** Returns the file names of the previews in a cache folder. */
async function cachedIn(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  return names.filter((name) => /\.(webp|jpeg|new)$/.test(name)).sort()
}

/**
 * The server of the tests that need no options. Each server starts a process that converts images, which takes longer
 * than a test.
 */
let shared: TestApp
beforeAll(async () => {
  const cut = (await twoColours(300, 300).png().toBuffer()).subarray(0, 400)
  const files = { 'a.txt': 'text', 'broken.jpg': 'no image', 'cut.png': cut, 'empty.png': '', docs: {} }
  shared = await openApp({ files })
})
afterAll(() => shared.close())

/** Writes a file with a new name into the folder of the shared server, and returns the name. */
let written = 0
async function put(extension: string, content: string | Uint8Array): Promise<string> {
  const name = `${(written += 1)}.${extension}`
  await writeFile(path.join(shared.disk, name), content)
  return name
}

const cachedBy = ({ state }: TestApp) => cachedIn(path.join(state, 'stowage.db.previews'))

test.each(['jpeg', 'png', 'webp', 'tiff', 'avif', 'gif'] as const)(
  'contract 6: a thumb of a %s fills 256 x 256',
  async (format) => {
    const name = await put(format, await twoColours(600, 400).toFormat(format).toBuffer())
    const reply = await preview(shared, `/thumb/${name}`)
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'image/webp'])
    const {
      edges: [, right, , left],
      ...looks
    } = await pictureOf(await reply.arrayBuffer())
    expect({ ...looks, right, left }).toEqual({
      format: 'webp',
      width: 256,
      height: 256,
      pages: 1,
      right: 'blue',
      left: 'red',
    })
  },
)

test('an AVIF of 12 megapixels from a phone fits into the memory of a process', async () => {
  const app = await startApp({ files: { 'a.avif': phonePhotoAvif() } })
  const reply = await preview(app, '/thumb/a.avif')
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'image/webp'])
})

/** Returns the width and height of the big preview of a file on the shared server. */
async function bigSizeOf(name: string) {
  const { width, height } = await pictureOf(await (await preview(shared, `/big/${name}`)).arrayBuffer())
  return [width, height]
}

test('contract 6: big fits into 1080 x 1080 and is never enlarged', async () => {
  const large = await put('jpg', await twoColours(2000, 1000).jpeg().toBuffer())
  const small = await put('png', await twoColours(90, 60).png().toBuffer())
  expect([await bigSizeOf(large), await bigSizeOf(small)]).toEqual([
    [1080, 540],
    [90, 60],
  ])
})

test.each(['thumb', 'tile', 'big'] as const)(
  'T25: %s is upright and has the declared format',
  async (size) => {
    const name = await put('jpg', await rotatedJpeg(640, 480))
    const reply = await preview(shared, `/${size}/${name}`)
    const { edges, width, height } = await pictureOf(await reply.arrayBuffer())
    expect([edges[0], edges[2]]).toEqual(['red', 'blue'])
    expect([width, height]).toEqual({ thumb: [256, 256], tile: [384, 512], big: [480, 640] }[size])
  },
)

test('T25: a client that does not accept WebP gets JPEG, with transparent areas in white', async () => {
  const name = await put('png', await transparentPng())
  for (const accept of ['*/*', 'image/png,image/webp;q=0', 'text/html']) {
    const reply = await preview(shared, `/thumb/${name}`, { headers: { accept } })
    expect([reply.headers.get('content-type'), reply.headers.get('vary')]).toEqual(['image/jpeg', 'accept'])
    expect(await pictureOf(await reply.arrayBuffer())).toMatchObject({
      format: 'jpeg',
      edges: ['white', 'white', 'white', 'white'],
    })
  }
})

test('a preview is private, has the content policy of user files and its own name, and is a download unless requested inline', async () => {
  await writeFile(path.join(shared.disk, 'ä.png'), await twoColours(9, 9).png().toBuffer())
  const shown = await preview(shared, '/thumb/ä.png')
  expect(Object.fromEntries(shown.headers)).toMatchObject({
    'content-disposition': `inline; filename="_.webp"; filename*=utf-8''%C3%A4.webp`,
    'content-security-policy': expect.stringContaining('sandbox') as string,
    'cache-control': 'private, no-cache',
    'x-content-type-options': 'nosniff',
  })
  const saved = await preview(shared, '/thumb/ä.png', { query: {} })
  expect([saved.headers.get('content-type'), saved.headers.get('content-disposition')]).toEqual([
    'image/webp',
    `attachment; filename="_.webp"; filename*=utf-8''%C3%A4.webp`,
  ])
})

test('previews support ranges and 304, and have the modification time of the source', async () => {
  const name = await put('png', await twoColours(9, 9).png().toBuffer())
  await utimes(path.join(shared.disk, name), 1_700_000_000, 1_700_000_000)
  const whole = await preview(shared, `/thumb/${name}`)
  const bytes = Buffer.from(await whole.arrayBuffer())
  expect(whole.headers.get('last-modified')).toBe('Tue, 14 Nov 2023 22:13:20 GMT')
  const part = await preview(shared, `/thumb/${name}`, { headers: { ...browser, range: 'bytes=4-9' } })
  expect([part.status, Buffer.from(await part.arrayBuffer())]).toEqual([206, bytes.subarray(4, 10)])
  const head = await shared.fetch(`/api/preview/thumb/${name}?inline=true`, {
    method: 'HEAD',
    headers: browser,
  })
  expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)])

  const etag = whole.headers.get('etag') ?? ''
  // Without the version number of the preview algorithm, browsers would keep outdated previews.
  expect(etag).toMatch(new RegExp(`-v${previewVersion}"$`))
  const outdated = etag.replace(/-v\d+"$/, '-v0"')
  expect(
    (await preview(shared, `/thumb/${name}`, { headers: { ...browser, 'if-none-match': outdated } })).status,
  ).toBe(200)
  expect(
    (await preview(shared, `/thumb/${name}`, { headers: { ...browser, 'if-none-match': etag } })).status,
  ).toBe(304)
  const since = { ...browser, 'if-modified-since': 'Tue, 14 Nov 2023 22:13:20 GMT' }
  expect((await preview(shared, `/thumb/${name}`, { headers: since })).status).toBe(304)
  expect(
    (await preview(shared, `/big/${name}`, { headers: { ...browser, 'if-none-match': etag } })).status,
  ).toBe(200)
  await appendFile(path.join(shared.disk, name), 'x')
  expect(
    (await preview(shared, `/thumb/${name}`, { headers: { ...browser, 'if-none-match': etag } })).status,
  ).toBe(200)
})

test.each(['jpg', 'png', 'gif', 'webp', 'tif', 'avif', 'heic'])(
  'an image under the name of another format (.%s) is converted, and sent with its own type',
  async (extension) => {
    const image = twoColours(90, 60)
    const contents = {
      jpeg: await image.jpeg().toBuffer(),
      png: await image.png().toBuffer(),
      gif: await image.gif().toBuffer(),
      webp: await image.webp().toBuffer(),
      tiff: await image.tiff().toBuffer(),
      avif: await image.avif().toBuffer(),
    }
    for (const [format, content] of Object.entries(contents)) {
      const path = `/${await put(extension, content)}`
      const thumb = await preview(shared, `/thumb${path}`)
      expect([format, thumb.status]).toEqual([format, 200])
      expect(await pictureOf(await thumb.arrayBuffer())).toMatchObject({ width: 256 })
      const big = await preview(shared, `/big${path}`)
      // A GIF may be an animation, so the whole file is its large preview.
      expect(big.headers.get('content-type')).toBe(format === 'gif' ? 'image/gif' : 'image/webp')
      const raw = await shared.call('raw.get', { path, query: inline })
      expect(raw.headers.get('content-type')).toBe(`image/${format}`)
      await raw.arrayBuffer()
      await big.arrayBuffer()
    }
  },
)

test('an animation under the name of a photo stays animated when it is big', async () => {
  for (const format of ['gif', 'webp'] as const) {
    const bytes = await animated(format)
    const big = await preview(shared, `/big/${await put('jpg', bytes)}`)
    expect([big.headers.get('content-type'), Buffer.from(await big.arrayBuffer()).equals(bytes)]).toEqual([
      `image/${format}`,
      true,
    ])
  }
})

test('SVG and formats that are not converted are sent unchanged, like a download', async () => {
  const names = 'svg svgz bmp ico heic heif jxl dng cr2 nef arw raf orf rw2 psd'.split(' ')
  for (const extension of names) {
    const file = `/${await put(extension, svg + extension)}`
    const [made, raw] = [
      await preview(shared, `/thumb${file}`),
      await shared.call('raw.get', { path: file, query: inline }),
    ]
    expect(await made.text()).toBe(await raw.text())
    for (const name of ['content-type', 'content-disposition', 'content-security-policy', 'etag'])
      expect(made.headers.get(name)).toBe(raw.headers.get(name))
  }
})

test('an SVG under another name is not rendered either', async () => {
  expect((await preview(shared, `/thumb/${await put('png', svg)}`)).status).toBe(422)
})

test.each(['gif', 'webp', 'png'] as const)(
  'an animated %s stays animated when it is big, and may be a still image as a thumb',
  async (format) => {
    const bytes = format === 'png' ? animatedPng() : await animated(format)
    const name = await put(format, bytes)
    const big = await preview(shared, `/big/${name}`)
    expect([big.headers.get('content-type'), Buffer.from(await big.arrayBuffer()).equals(bytes)]).toEqual([
      `image/${format}`,
      true,
    ])
    expect(await pictureOf(await (await preview(shared, `/thumb/${name}`)).arrayBuffer())).toMatchObject({
      width: 256,
      pages: 1,
    })
  },
)

test.each([
  ['a file that is no image', '/thumb/a.txt', 501],
  ['a folder', '/thumb/docs', 501],
  ['the root', '/thumb', 501],
  ['an invalid image', '/thumb/broken.jpg', 422],
  ['a truncated image', '/thumb/cut.png', 422],
  ['an empty image', '/thumb/empty.png', 422],
  ['a missing file', '/thumb/nope.jpg', 404],
  ['an unknown size', '/huge/a.txt', 400],
  ['no size at all', '/', 400],
])('contract 6: %s', async (_case, address, status) => {
  expect((await preview(shared, address)).status).toBe(status)
})

test('security 3.8: an image of more than 100 megapixels is refused by its header', async () => {
  const header = Buffer.from(await twoColours(8, 8).png().toBuffer())
  header.writeUInt32BE(20_000, 16)
  header.writeUInt32BE(5001, 20)
  header.writeUInt32BE(crcOf(header.subarray(12, 29)), 29)
  expect((await preview(shared, `/thumb/${await put('png', header)}`)).status).toBe(413)
})

function crcOf(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return (crc ^ 0xffffffff) >>> 0
}

test('when previews are disabled, all sizes are the file itself', async () => {
  const bytes = await twoColours(400, 300).png().toBuffer()
  const config = { disableThumbnails: true, disablePreviewResize: true }
  const app = await startApp({ files: { 'a.png': bytes }, config })
  for (const size of ['thumb', 'tile', 'big']) {
    const reply = await preview(app, `/${size}/a.png`)
    expect([reply.headers.get('content-type'), Buffer.from(await reply.arrayBuffer()).equals(bytes)]).toEqual(
      ['image/png', true],
    )
  }
})

test('contract 1.6: without the permission to download every preview is 403', async () => {
  const files = { 'a.png': await twoColours(9, 9).png().toBuffer() }
  const app = await startApp({ files, user: { perm: { download: false } } })
  for (const address of ['/thumb/a.png', '/thumb/nope.png', '/huge/a.png'])
    expect((await preview(app, address)).status).toBe(403)
})

test('a token in the query is accepted', async () => {
  const name = await put('png', await twoColours(9, 9).png().toBuffer())
  const status = async (query: string) =>
    (await shared.fetch(`/api/preview/thumb/${name}${query}`, { token: null })).status
  expect([await status(`?auth=${shared.token}`), await status('')]).toEqual([200, 401])
})

test('a preview ticket opens the previews of its image, and not the image itself', async () => {
  const name = await put('png', await twoColours(9, 9).png().toBuffer())
  const json = { path: `/${name}`, kind: 'preview' }
  const ticket = await (await shared.call('tickets.create', { json })).text()
  const status = async (address: string) =>
    (await shared.fetch(`/api/${address}/${name}?inline=true&auth=${ticket}`, { token: null })).status
  expect([await status('preview/thumb'), await status('preview/big')]).toEqual([200, 200])
  expect(await status('raw')).toBe(401)
})

test('T10: users whose files have the same path, size and time see their own previews', async () => {
  const app = await startApp({
    files: { ann: {}, bob: {} },
    user: { scope: 'ann' },
    users: { bob: { scope: 'bob' } },
  })
  const [red, blue] = [await plainImage('#ff0000'), await plainImage('#0000ff')]
  expect(red.length).toBe(blue.length)
  for (const [owner, bytes] of [
    ['ann', red],
    ['bob', blue],
  ] as const) {
    const file = path.join(app.disk, owner, 'a.bmp.png')
    await writeFile(file, bytes)
    await utimes(file, 1_700_000_000, 1_700_000_000)
  }
  const bob = await app.signIn('bob')
  expect([await colourFor(app), await colourFor(bob), await colourFor(app)]).toEqual(['red', 'blue', 'red'])
})

/** Returns the colour at the top of the preview that the server sends to a user. */
const colourFor = async (person: SignedInUser) =>
  (await pictureOf(await (await preview(person, '/thumb/a.bmp.png')).arrayBuffer())).edges[0]

const plainImage = (background: string) =>
  twoColours(8, 8)
    .composite([{ input: { create: { width: 8, height: 8, channels: 3, background } } }])
    .png({ compressionLevel: 0 })
    .toBuffer()

test('a cached preview needs the same permission: a rule still denies it', async () => {
  const app = await startApp({
    files: { 'a.png': await plainImage('#ff0000') },
    users: { bob: { rules: [{ regex: false, allow: false, path: '/a.png', regexp: { raw: '' } }] } },
  })
  expect((await preview(app, '/thumb/a.png')).status).toBe(200)
  expect((await preview(await app.signIn('bob'), '/thumb/a.png')).status).toBe(403)
})

test('C6: concurrent clients get the same complete preview, which is made once', async () => {
  const app = await startApp({ files: { 'a.jpg': await twoColours(3000, 2000).jpeg().toBuffer() } })
  const replies = await Promise.all(Array.from({ length: 20 }, () => preview(app, '/thumb/a.jpg')))
  const lengths = await Promise.all(replies.map(async (reply) => (await reply.arrayBuffer()).byteLength))
  expect(new Set(lengths).size).toBe(1)
  expect(lengths[0]).toBeGreaterThan(50)
  expect(await cachedBy(app)).toHaveLength(1)
})

test('a preview is cached beside the database, and made again when its file is damaged', async () => {
  const app = await startApp({ files: { 'a.png': await plainImage('#ff0000') } })
  const first = Buffer.from(await (await preview(app, '/thumb/a.png')).arrayBuffer())
  const [name = ''] = await cachedBy(app)
  const file = path.join(app.state, 'stowage.db.previews', name)
  const other = await (await preview(app, '/thumb/a.png', { headers: { accept: '*/*' } })).arrayBuffer()
  expect(other.byteLength).toBeGreaterThan(0)

  await writeFile(file, first.subarray(0, 40))
  expect(Buffer.from(await (await preview(app, '/thumb/a.png')).arrayBuffer())).toEqual(first)
})

test('a changed image has another preview', async () => {
  const name = await put('png', await plainImage('#ff0000'))
  const colour = async () =>
    (await pictureOf(await (await preview(shared, `/thumb/${name}`)).arrayBuffer())).edges[0]
  expect(await colour()).toBe('red')
  const other = await put('png', await plainImage('#0000ff'))
  await rename(path.join(shared.disk, other), path.join(shared.disk, name))
  expect(await colour()).toBe('blue')
})

test('the server’s own files inside of the served folder are hidden', async () => {
  const root = temporaryFolder()
  await writeFile(path.join(root, 'a.png'), await plainImage('#ff0000'))
  const stateDir = path.join(root, 'own')
  const startedAtMs = Date.now()
  const app = await startApp({ config: { root, stateDir }, nowMs: () => startedAtMs })
  expect((await preview(app, '/thumb/a.png')).status).toBe(200)
  expect((await app.call('resources.create', { path: '/own/mine.txt', body: 'M' })).status).toBe(200)
  expect(await cachedIn(path.join(stateDir, 'stowage.previews'))).toHaveLength(1)
  expect(await (await app.call('resources.get', { path: '/own/' })).json()).toMatchObject({
    items: [{ name: 'mine.txt' }],
  })
  for (const name of ['stowage.previews', 'stowage.staged'])
    expect((await app.call('resources.get', { path: `/own/${name}/` })).status).toBe(403)
})

test('a cache inside of the served folder is hidden', async () => {
  const root = temporaryFolder()
  await writeFile(path.join(root, 'a.png'), await plainImage('#ff0000'))
  const cacheDir = path.join(root, 'cache')
  await mkdir(cacheDir)
  const app = await startApp({ config: { root, cacheDir } })
  expect((await preview(app, '/thumb/a.png')).status).toBe(200)
  expect(await cachedIn(path.join(cacheDir, 'stowage-previews'))).toHaveLength(1)
  expect(await cachedBy(app)).toEqual([])
  expect(await (await app.call('resources.get', { path: '/cache/' })).json()).toMatchObject({ items: [] })
  expect((await app.call('resources.get', { path: '/cache/stowage-previews/' })).status).toBe(403)
})

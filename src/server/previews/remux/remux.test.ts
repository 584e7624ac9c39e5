import { execFileSync } from 'node:child_process'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { drawingPrograms, makeMedia } from '../../../../test/kit/posters.ts'
import { requestAsGuest, share } from '../../../../test/kit/share.ts'
import { startApp, type SignedInUser } from '../../../../test/kit/start-app.ts'
import { temporaryFolder } from '../../../../test/kit/temporary-folder.ts'
import { parseDescription, firstTimesIn } from './remux-command.ts'

const { ffmpeg } = drawingPrograms

const remux = (person: SignedInUser, name: string, from = '0') =>
  person.call('raw.get', { path: `/${name}`, query: { remux: from } })

/** Returns the times of the first and the last packet of each stream in seconds, as another reader sees them. */
function timesIn(bytes: ArrayBuffer): Readonly<Record<string, readonly [first: number, last: number]>> {
  const file = path.join(temporaryFolder(), 'part.mp4')
  writeFileSync(file, Buffer.from(bytes))
  const list = execFileSync('ffmpeg', [
    ...'-loglevel error -copyts -i'.split(' '),
    file,
    ...'-map 0 -c copy -f framecrc -'.split(' '),
  ]).toString()
  const kinds = [...list.matchAll(/^#media_type \d: (\w+)$/gm)].map(([, kind = '']) => kind)
  const bases = [...list.matchAll(/^#tb \d: 1\/(\d+)$/gm)].map(([, base]) => Number(base))
  return Object.fromEntries(
    kinds.map((kind, stream) => {
      const times = [...list.matchAll(/^(\d+), +-?\d+, +(-?\d+)/gm)]
        .filter(([, of]) => Number(of) === stream)
        .map(([, , at]) => Number(at) / (bases[stream] ?? 1))
      return [kind, [Math.min(...times), Math.max(...times)]]
    }),
  )
}

test.skipIf(ffmpeg === null).each([
  ['film.avi', '-c:v libx264 -c:a libmp3lame'],
  ['film.flv', '-c:v libx264 -c:a aac'],
  ['film.mkv', '-c:v libx264 -c:a ac3'],
  ['film.m2ts', '-c:v libx264 -c:a aac'],
])('%s is sent in parts that are at their time, with pictures and sound', async (name, codecs) => {
  const app = await startApp()
  copyFileSync(makeMedia(name, codecs), path.join(app.disk, name))
  for (const fromS of [0, 11.5]) {
    const part = await remux(app, name, String(fromS))
    expect([part.status, part.headers.get('content-type')]).toEqual([
      200,
      expect.stringMatching(/^video\/mp4; codecs="avc1\.[\da-f]{6}, mp4a\.40\.2"$/),
    ])
    expect(Number(part.headers.get('x-content-duration'))).toBeCloseTo(25, 0)
    const { video, audio } = timesIn(await part.arrayBuffer())
    // A part begins with a complete picture before its time, and lasts for 10 seconds at least.
    expect(video?.[0]).toBeGreaterThanOrEqual(Math.max(0, fromS - 11))
    expect(video?.[0]).toBeLessThanOrEqual(fromS + 0.3)
    expect(audio?.[0]).toBeLessThanOrEqual(fromS + 0.3)
    expect(audio?.[1]).toBeGreaterThan(fromS + 7.4)
    expect(video?.[1]).toBeGreaterThan(fromS + 7.4)
    expect(video?.[1]).toBeLessThan(fromS + 13)
  }
  expect((await remux(app, name, '60')).status).toBe(416)
})

test.skipIf(ffmpeg === null).each([
  ['song.m4a', '-c:a alac'],
  ['song.wma', '-c:a wmav2'],
  ['song.aiff', '-c:a pcm_s16be'],
])('%s becomes sound that browsers play', async (name, codecs) => {
  const app = await startApp()
  copyFileSync(makeMedia(name, codecs), path.join(app.disk, name))
  const part = await remux(app, name, '5')
  expect(part.headers.get('content-type')).toBe('audio/mp4; codecs="mp4a.40.2"')
  expect(timesIn(await part.arrayBuffer())['audio']?.[0]).toBeCloseTo(5, 0)
})

test.skipIf(ffmpeg === null)('the codecs are named as browsers expect them', async () => {
  const app = await startApp()
  const type = async (name: string, codecs: string) => {
    copyFileSync(makeMedia(name, codecs, { lengthS: 2 }), path.join(app.disk, name))
    return (await remux(app, name)).headers.get('content-type')
  }
  expect(await type('a.mkv', '-c:v libvpx-vp9')).toMatch(/^video\/mp4; codecs="vp09\.00\.\d\d\.08"$/)
  expect(await type('b.mkv', '-c:v libx265 -x265-params log-level=none')).toMatch(
    /^video\/mp4; codecs="hvc1\.1\.6\.L\d+(\.[\da-f]+)*"$/,
  )
})

test.skipIf(ffmpeg === null)(
  'a file that cannot be presented without encoding its pictures ends with 422',
  async () => {
    const app = await startApp({
      files: { 'text.mkv': 'text', 'empty.avi': '', 'list.mkv': '#EXTM3U\n/etc/passwd\n' },
    })
    copyFileSync(makeMedia('old.avi', '-c:v mpeg4'), path.join(app.disk, 'old.avi'))
    for (const name of ['text.mkv', 'empty.avi', 'list.mkv', 'old.avi'])
      expect([name, (await remux(app, name)).status]).toEqual([name, 422])
    for (const from of ['', '-1', '1e3', 'true', '0;ls', '1.2345'])
      expect([from, (await remux(app, 'old.avi', from)).status]).toEqual([from, 400])
  },
)

test.skipIf(ffmpeg === null)('a damaged file ends with a part or with 422', async () => {
  const app = await startApp()
  const whole = readFileSync(makeMedia('film.mkv', '-c:v libx264 -c:a aac'))
  for (const [index, share] of [0.02, 0.5, 0.9].entries()) {
    const name = `cut${index}.mkv`
    const bytes = Buffer.from(whole.subarray(0, whole.length * share))
    const middle = Math.floor(bytes.length / 2)
    bytes.fill(0xff, middle, middle + 200)
    writeFileSync(path.join(app.disk, name), bytes)
    expect([200, 422]).toContain((await remux(app, name)).status)
    expect([200, 416, 422]).toContain((await remux(app, name, '20')).status)
  }
  expect((await app.fetch('/health')).status).toBe(200)
})

test.skipIf(ffmpeg === null)(
  'the codecs of a file are told, also of one that is not sent in parts',
  async () => {
    const app = await startApp({ files: { 'text.mkv': 'text' } })
    for (const [name, codecs] of [
      ['film.mkv', '-c:v libx264 -c:a ac3'],
      ['old.avi', '-c:v mpeg4'],
      ['song.wma', '-c:a wmav2'],
    ] as const)
      copyFileSync(makeMedia(name, codecs, { lengthS: 2 }), path.join(app.disk, name))
    const facts = async (name: string) => {
      const response = await remux(app, name, 'codecs')
      return response.status === 200 ? response.json() : response.status
    }
    expect(await facts('film.mkv')).toEqual({ duration: expect.closeTo(2, 0), video: 'h264', audio: 'ac3' })
    expect(await facts('old.avi')).toEqual({ duration: 2, video: 'mpeg4', audio: null })
    expect(await facts('song.wma')).toMatchObject({ video: null, audio: 'wmav2' })
    expect(await facts('text.mkv')).toBe(422)
    expect(await facts('none.mkv')).toBe(404)
  },
)

test('it needs the right to download, and follows the rules of paths', async () => {
  const files = { 'film.avi': 'x', docs: {} }
  const refused = await startApp({ files, user: { perm: { download: false } } })
  expect((await remux(refused, 'film.avi')).status).toBe(403)
  const app = await startApp({ files })
  expect((await remux(app, 'missing.avi')).status).toBe(404)
})

test.skipIf(ffmpeg === null)(
  'a guest of a share gets it as well, and nothing outside of the share',
  async () => {
    const app = await startApp({ files: { docs: {}, 'secret.avi': 'x' }, user: { perm: { share: true } } })
    copyFileSync(makeMedia('film.avi', '-c:v libx264', { lengthS: 2 }), path.join(app.disk, 'docs/film.avi'))
    const { hash } = await share(app, '/docs/', { password: 'pw' })
    const visit = async (rest: string, password: string) => {
      const response = await requestAsGuest(app, 'dl', `${hash}/${rest}`, { password, query: '?remux=0' })
      return [response.status, response.headers.get('cache-control')]
    }
    expect(await visit('film.avi', 'pw')).toEqual([200, 'private, no-store'])
    expect((await visit('film.avi', 'no'))[0]).toBe(401)
    expect((await visit('..%2Fsecret.avi', 'pw'))[0]).toBeGreaterThanOrEqual(400)
  },
)

test('the page announces it exactly where ffmpeg is', async () => {
  const app = await startApp({ client: true })
  expect((await (await fetch(`${app.url}/`)).text()).includes('"remux"')).toBe(ffmpeg !== null)
})

test('a cover is no video, and times are read with the units of their streams', () => {
  const errors = `Input #0, flac, from 'x':
  Duration: 01:02:03.50, start: 0.000000
  Stream #0:0: Audio: flac, 44100 Hz
  Stream #0:1: Video: mjpeg (Baseline), 40x40 (attached pic)
`
  const outcome = {
    ending: { kind: 'exited', status: 1 },
    output: Buffer.alloc(0),
    isTooLong: false,
    errors,
  } as const
  expect(parseDescription(outcome)).toEqual({ durationS: 3723.5, video: null, audio: 'flac' })
  expect(firstTimesIn('#tb 0: 1/1000\n#tb 1: 1/44100\n0, 15943, 1, 1\n1,  44100, 1\n0, 99999, 1\n')).toEqual([
    15.943, 1,
  ])
})

test.skipIf(ffmpeg === null)(
  'a client that reads nothing keeps three parts in memory, and no more',
  async () => {
    const app = await startApp()
    const noise = 'color=gray:s=640x360:r=5:d=8,noise=alls=100:allf=t+u'
    const codecs = '-c:v libx264 -qp 0 -g 5 -preset ultrafast -pix_fmt yuv420p'
    const film = path.join(app.disk, 'film.avi')
    execFileSync('ffmpeg', ['-loglevel', 'error', '-f', 'lavfi', '-i', noise, ...codecs.split(' '), film])
    const target = `${app.url}/api/raw/film.avi?remux=0`
    const open = async (): Promise<{ readonly status: number; readonly end: () => void }> =>
      new Promise((resolve, reject) => {
        const sent = get(target, { headers: { 'x-auth': app.token }, agent: false }, (response) =>
          resolve({ status: response.statusCode ?? 0, end: () => response.destroy() }),
        )
        sent.on('error', reject)
      })
    const unread = [await open(), await open(), await open()]
    expect(unread.map(({ status }) => status)).toEqual([200, 200, 200])
    const fourth = open()
    expect(await Promise.race([fourth, setTimeout(1500, 'waits')])).toBe('waits')
    unread[0]?.end()
    expect((await fourth).status).toBe(200)
    for (const { end } of [...unread, await fourth]) end()
  },
)

import { truncate } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { startApp } from '../../../test/kit/start-app.ts'

const srt = '1\n00:00:01,000 --> 00:00:02,000\nHej\n'
const vtt = 'WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nHej\n'

test('subtitles are sent as WebVTT under their own names (contract 8.3)', async () => {
  const app = await startApp({ files: { 'm.srt': srt, 'm.VTT': 'WEBVTT\n\nas it is' } })
  const reply = await app.call('subtitles.get', { path: '/m.srt', query: { inline: 'true' } })
  expect([reply.status, await reply.text()]).toEqual([200, vtt])
  expect(reply.headers.get('content-type')).toBe('text/vtt; charset=utf-8')
  expect(reply.headers.get('content-disposition')).toMatch(/^inline; filename="m.srt"/)
  expect(reply.headers.get('cache-control')).toMatch(/^private/)
  expect(reply.headers.get('content-security-policy')).toContain("default-src 'none'")
  const plain = await app.call('subtitles.get', { path: '/m.VTT' })
  expect([await plain.text(), plain.headers.get('content-type')]).toEqual([
    'WEBVTT\n\nas it is',
    'text/vtt; charset=utf-8',
  ])
  expect(plain.headers.get('content-disposition')).toMatch(/^attachment/)
  const part = await app.call('subtitles.get', { path: '/m.srt', headers: { range: 'bytes=0-5' } })
  expect([part.status, await part.text()]).toEqual([206, 'WEBVTT'])
})

test('a token in the query is accepted (contract 2.2)', async () => {
  const app = await startApp({ files: { 'm.srt': srt } })
  expect((await app.fetch(`/api/subtitle/m.srt?auth=${app.token}`, { token: null })).status).toBe(200)
  expect((await app.fetch('/api/subtitle/m.srt', { token: null })).status).toBe(401)
})

test('old subtitles are decoded by their own encoding', async () => {
  const latin = Buffer.from(srt.replace('Hej', 'H\u00e9'), 'latin1')
  const wide = Buffer.from(`\ufeff${srt}`, 'utf16le')
  const app = await startApp({ files: { 'latin.srt': latin, 'wide.srt': wide } })
  expect(await (await app.call('subtitles.get', { path: '/latin.srt' })).text()).toContain('H\u00e9')
  expect(await (await app.call('subtitles.get', { path: '/wide.srt' })).text()).toBe(vtt)
})

test('a long subtitle is sent completely, also through a link', async () => {
  const cues = Array.from({ length: 60_000 }, (_, n) => `${n}\n00:00:01,000 --> 00:00:02,000\nline ${n}\n`)
  const app = await startApp({ files: { 'm.srt': cues.join('\n'), 'l.srt': { link: 'm.srt' } } })
  for (const requested of ['/m.srt', '/l.srt']) {
    const shown = await (await app.call('subtitles.get', { path: requested })).text()
    expect(Array.from(shown.matchAll(/^line (\d+)$/gm), ([, n]) => Number(n))).toEqual([...cues.keys()])
  }
})

test.each([
  ['a folder', '/docs', {}, 400],
  ['a folder with the extension of a subtitle', '/docs.srt', {}, 400],
  ['a file of another type', '/a.txt', {}, 400],
  ['a missing file', '/none.srt', {}, 404],
  ['a malformed SubRip file', '/broken.srt', {}, 422],
  ['a malformed ASS file', '/broken.ass', {}, 422],
  ['a file that is too large to convert', '/large.srt', {}, 413],
  ['a WebVTT file that is too large', '/large.vtt', {}, 413],
  ['a subtitle without the permission to download', '/m.srt', { download: false }, 403],
])('%s is refused as a subtitle (contract 8.3)', async (_case, requested, perm, status) => {
  const app = await startApp({
    files: {
      docs: {},
      'docs.srt': {},
      'a.txt': 'A',
      'broken.srt': 'nothing',
      'broken.ass': '[Events]',
      'large.srt': srt,
      'large.vtt': vtt,
      'm.srt': srt,
    },
    user: { perm },
  })
  for (const name of ['large.srt', 'large.vtt']) await truncate(path.join(app.disk, name), 10 * 1024 ** 2 + 1)
  expect((await app.call('subtitles.get', { path: requested })).status).toBe(status)
})

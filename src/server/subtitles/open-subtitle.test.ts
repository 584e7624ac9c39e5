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
  const app = await startApp({
    files: { 'latin.srt': latin, 'wide.srt': wide, 'wide.vtt': Buffer.from(`\ufeff${vtt}`, 'utf16le') },
  })
  expect(await (await app.call('subtitles.get', { path: '/latin.srt' })).text()).toContain('H\u00e9')
  expect(await (await app.call('subtitles.get', { path: '/wide.srt' })).text()).toBe(vtt)
  expect(await (await app.call('subtitles.get', { path: '/wide.vtt' })).text()).toBe(vtt)
})

test('a subtitle in UTF-16 without a byte order mark is decoded', async () => {
  const little = Buffer.from(srt.replace('Hej', 'Привет'), 'utf16le')
  const app = await startApp({ files: { 'little.srt': little, 'big.srt': Buffer.from(little).swap16() } })
  for (const name of ['little', 'big'])
    expect(await (await app.call('subtitles.get', { path: `/${name}.srt` })).text()).toContain('Привет')
})

test.each([
  // The same text in ISO 8859-2, with and without the language.
  [
    'iso.cs.srt',
    [...Buffer.from('P\xf8\xedli\xb9 \xbelu\xbbou\xe8k\xfd k\xf9\xf2', 'latin1')],
    'Příliš žluťoučký kůň',
  ],
  [
    'iso.srt',
    [...Buffer.from('P\xf8\xedli\xb9 \xbelu\xbbou\xe8k\xfd k\xf9\xf2', 'latin1')],
    'Příliš žluťoučký kůň',
  ],
  [
    'Film.2020.cs.srt',
    [...Buffer.from('P\xf8\xedli\x9a \x9elu\x9dou\xe8k\xfd k\xf9\xf2', 'latin1')],
    'Příliš žluťoučký kůň',
  ],
  ['Film.pl.forced.srt', [0xbf, 0xf3, 0xb3, 0xe6], 'żółć'],
  ['Film.ru.srt', [0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2], 'Привет'],
  // Ukrainian letters, which KOI8-R does not have.
  ['koi.uk.srt', [0xf4, 0xd7, 0xa6, 0xca], 'Твій'],
  ['koi.rus.srt', [0xf0, 0xd2, 0xc9, 0xd7, 0xc5, 0xd4], 'Привет'],
  ['Film.el.srt', [0xc3, 0xe5, 0xe9, 0xdc], 'Γειά'],
  ['Film.tr-TR.srt', [0x49, 0xfe, 0xfd, 0x6b], 'Işık'],
  ['Film.zh-TW.srt', [0xa4, 0xa4, 0xa4, 0xe5], '中文'],
  ['Film.zh.srt', [0xd6, 0xd0, 0xce, 0xc4], '中文'],
  // Without a language in the name, the letters decide.
  [
    'czech.srt',
    [...Buffer.from('P\xf8\xedli\x9a \x9elu\x9dou\xe8k\xfd k\xf9\xf2', 'latin1')],
    'Příliš žluťoučký kůň',
  ],
  ['russian.srt', [0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2, 0x20, 0xec, 0xe8, 0xf0], 'Привет мир'],
  ['german.srt', [...Buffer.from('Gr\xfc\xdfe \x96 \xfcber', 'latin1')], 'Grüße – über'],
  ['japanese.srt', [0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea, 0x82, 0xcc], '日本語の'],
])(
  '%s is decoded by the language in its name or by its letters, as SubRip and as WebVTT',
  async (name, bytes, text) => {
    const cue = Buffer.from(bytes)
    const app = await startApp({
      files: {
        [name]: Buffer.concat([Buffer.from('1\n00:00:01,000 --> 00:00:02,000\n'), cue, Buffer.from('\n')]),
        [name.replace('.srt', '.vtt')]: Buffer.concat([
          Buffer.from('WEBVTT\n\n00:01.000 --> 00:02.000\n'),
          cue,
        ]),
      },
    })
    for (const shown of [name, name.replace('.srt', '.vtt')]) {
      const reply = await app.call('subtitles.get', { path: `/${shown}` })
      const lines = (await reply.text()).split('\n')
      expect([shown, lines[0], lines[3]]).toEqual([shown, 'WEBVTT', text])
    }
  },
)

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
